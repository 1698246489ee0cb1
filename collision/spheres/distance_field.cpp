// SPDX-License-Identifier: MIT
#include "spheres/distance_field.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "geometry/box_measures.h"
#include "geometry/closest_points.h"
#include "geometry/surface_area_split.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

/// Below this depth, parts are halved by count, so that the search stack cannot overflow.
constexpr int deepestChosen = 24;
/// Halving 2^31 triangles down to groups takes 29 more levels.
constexpr int deepest = deepestChosen + 30;
/// A cylinder is tighter if its height is at most this share of the box's extent along its axis.
/// Cylinders are worth their time if this holds for at least `enoughThin` parts of a node. The same
/// limit applies to rods across their axis.
constexpr Real thinEnough = 0.25;
constexpr std::size_t enoughThin = 3;
/// If triangles have more than `crowded` times the area of three sides of their box, they lie
/// across each other in overlapping boxes. They are then cut into at most this many more parts.
constexpr Real crowded = 8.0;
constexpr std::size_t cutsEach = 16;
constexpr std::size_t maxCuts = 500000;

/// Returns the approximate width of a box perpendicular to a unit direction.
Real widthAcross(const Vec3& extent, const Vec3& axis) noexcept {
  const Vec3 across = extent * extent * (1.0 - axis * axis);
  return std::sqrt(std::max(0.0, across.x + across.y + across.z));
}

/// Returns the distance of `at` from ranges.
FourFloats outside(FourFloats low, FourFloats high, FourFloats at) noexcept {
  return greater(greater(low - at, at - high), four(0.0f));
}

struct Lowest {
  float value;
  std::uint32_t lane;  ///< ties go to the first lane
};
Lowest lowestOf(FourFloats a) noexcept {
#ifdef __SSE__
  const FourFloats pairs = lesser(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1)));
  const FourFloats all = lesser(pairs, _mm_shuffle_ps(pairs, pairs, _MM_SHUFFLE(1, 0, 3, 2)));
  const auto lanes = static_cast<unsigned>(_mm_movemask_ps(_mm_cmpeq_ps(a, all)));
  return {all[0], static_cast<std::uint32_t>(std::countr_zero(lanes | 8u))};
#else
  Lowest lowest{a[0], 0};
  for (std::uint32_t i = 1; i < 4; ++i)
    if (a[i] < lowest.value) lowest = {a[i], i};
  return lowest;
#endif
}

Box boxAround(auto parts) {
  Box box;
  for (const auto& part : parts) box.include(part.box);
  return box;
}

Box middlesOf(auto parts) {
  Box box;
  for (const auto& part : parts) box.include(part.box.centre());
  return box;
}

/// Reorders the parts and returns how many go to the first half. Minimises the expected surface of
/// boxes entered [W07]; if that does not decide, splits in the middle of the longest side.
/// Deterministic: no order depends on addresses.
std::size_t split(auto parts, int depth) {
  const Box middles = middlesOf(parts);
  if (depth < deepestChosen) {
    const std::size_t best = splitBySurfaceArea(
        parts, middles, [](const auto& part) { return part.box; },
        [](const auto& part) { return part.box.centre(); });
    if (best != 0) return best;
  }
  const int axis = longestAxis(middles);
  const std::size_t half = parts.size() / 2;
  std::nth_element(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(half), parts.end(),
                   [axis](const auto& p, const auto& q) {
                     const Real pAt = p.box.centre()[axis], qAt = q.box.centre()[axis];
                     return pAt != qAt ? pAt < qAt : p.number < q.number;
                   });
  return half;
}

Real areaOfAll(auto parts) noexcept {
  Real area = 0.0;
  for (const auto& part : parts) area += areaOf(part.facet);
  return area;
}

bool areCrowded(auto parts) noexcept {
  return areaOfAll(parts) > crowded * halfAreaOf(boxAround(parts));
}

/// Returns the parts cut into small triangles of about equal size.
template <class Part>
void cut(std::vector<Part>& parts) {
  const Real area = areaOfAll(std::span(parts));
  const std::size_t cuts = std::min(cutsEach * parts.size(), maxCuts);
  // The halves of a larger triangle are at least half as large as this
  const Real smallEnough = 2.0 * area / static_cast<Real>(cuts);
  const std::size_t whole = parts.size();
  for (std::size_t i = 0; i < whole; ++i) {
    std::vector<Triangle> open{parts[i].facet};
    bool first = true;
    while (!open.empty()) {
      const Triangle facet = open.back();
      open.pop_back();
      if (areaOf(facet) > smallEnough) {
        for (const Triangle& half : halves(facet)) open.push_back(half);
        continue;
      }
      Part part = parts[i];
      part.facet = facet;
      part.box = {};
      for (const Vec3& corner : facet) part.box.include(corner);
      if (first)
        parts[i] = part;
      else
        parts.push_back(part);
      first = false;
    }
  }
}

}  // namespace

DistanceField::DistanceField(const TriangleMesh& mesh) : origin_(boundingBox(mesh).centre()) {
  std::vector<Part> parts;
  parts.reserve(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Part& part = parts.emplace_back();
    part.number = t;
    part.facet = mesh.corners(t);
    for (Vec3& corner : part.facet) {
      corner -= origin_;
      part.box.include(corner);
    }
  }
  const bool crowd = areCrowded(std::span<const Part>(parts));
  const std::vector<Part> whole = crowd ? parts : std::vector<Part>();
  if (crowd) cut(parts);
  nodes_.reserve(parts.size() / 3 + 1);
  groups_.reserve(parts.size() / 2 + 1);
  triangles_.reserve(2 * parts.size() + FacetGroup::width);
  addNode(parts, 0);
  if (crowd) addCells(whole);
}

/// Divides the parts in four, repeatedly splitting the largest box, and recurses into each.
std::uint32_t DistanceField::addNode(std::span<Part> parts, int depth) {
  struct Quarter {
    std::span<Part> parts;
    Box box;
    int depth;
  };
  std::array<Quarter, 4> quarters{{{parts, boxAround(parts), depth}}};
  std::size_t count = 1;
  while (count < quarters.size()) {
    const auto size = [](const Quarter& q) {
      return q.parts.size() > FacetGroup::width ? halfAreaOf(q.box) : -1.0;
    };
    const auto largest =
        std::max_element(quarters.begin(), quarters.begin() + static_cast<std::ptrdiff_t>(count),
                         [&](const Quarter& a, const Quarter& b) { return size(a) < size(b); });
    if (size(*largest) < 0.0) break;
    const Quarter whole = *largest;
    const std::size_t first = split(whole.parts, whole.depth);
    const auto part = [&](std::span<Part> some) {
      return Quarter{some, boxAround(some), whole.depth + 1};
    };
    *largest = part(whole.parts.first(first));
    quarters[count++] = part(whole.parts.subspan(first));
  }
  const std::size_t at = nodes_.size();
  nodes_.emplace_back();
  for (std::size_t i = 0; i < quarters.size(); ++i) {
    const Quarter& quarter = quarters[i];
    const bool used = i < count;
    constexpr Real infinite = std::numeric_limits<Real>::infinity();
    const Box box = used ? quarter.box : Box{Vec3(infinite), Vec3(infinite)};
    const std::uint32_t child = !used ? 0
                                : quarter.parts.size() <= FacetGroup::width
                                    ? addGroup(quarter.parts) | isGroup
                                    : addNode(quarter.parts, quarter.depth);
    Node& node = nodes_[at];
    put(node.low, i, box.low);
    put(node.high, i, box.high);
    node.children[i] = child;
  }
  std::array<std::span<const Part>, 4> within;
  for (std::size_t i = 0; i < count; ++i) within[i] = quarters[i].parts;
  addCylinders(std::span(within).first(count), nodes_[at]);
  return static_cast<std::uint32_t>(at);
}

void DistanceField::addCylinders(std::span<const std::span<const Part>> parts, Node& node) {
  BoundingCylinders cylinders;
  std::size_t thin = 0;
  std::vector<Triangle> facets;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    facets.clear();
    for (const Part& part : parts[i]) facets.push_back(part.facet);
    BoundingCylinder cylinder = cylinderAround(facets);
    const Vec3 extent(node.high.x[i] - node.low.x[i], node.high.y[i] - node.low.y[i],
                      node.high.z[i] - node.low.z[i]);
    const Real boxHeight = glm::dot(glm::abs(cylinder.axis), extent);
    bool isThin = 2.0 * cylinder.halfHeight < thinEnough * boxHeight;
    // Needles fill a cylinder along their plane no better than a box
    const BoundingCylinder rod = rodAround(facets);
    if (2.0 * rod.radius < thinEnough * std::min(widthAcross(extent, rod.axis), cylinder.radius)) {
      cylinder = rod;
      isThin = true;
    }
    if (isThin) ++thin;
    cylinders.set(i, cylinder);
  }
  if (thin < enoughThin) return;
  node.cylinders = static_cast<std::uint32_t>(cylinders_.size());
  cylinders_.push_back(cylinders);
}

/// Unused lanes repeat the last triangle.
std::uint32_t DistanceField::addGroup(std::span<const Part> parts) {
  FacetGroup& group = groups_.emplace_back();
  for (std::size_t i = 0; i < FacetGroup::width; ++i) {
    const Part& part = parts[std::min(i, parts.size() - 1)];
    group.set(i, part.facet);
    triangles_.push_back(part.number);
  }
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

void DistanceField::addCells(std::span<const Part> whole) {
  std::vector<Triangle> facets;
  for (const Part& part : whole) facets.push_back(part.facet);
  FacetCells cells(facets);
  if (cells.empty()) return;
  cells_ = std::move(cells);
  whole_ = static_cast<std::uint32_t>(groups_.size());
  for (std::size_t i = 0; i < whole.size(); i += FacetGroup::width)
    addGroup(whole.subspan(i, std::min(FacetGroup::width, whole.size() - i)));
}

float DistanceField::squaredDistance(const FourVectors& p, float enough, float limit,
                                     std::uint32_t& witness) const noexcept {
  float least = limit * limit;
  const auto look = [&](std::uint32_t group) {
    const FourFloats squared = groups_[group].squaredDistances(p);
    if (lanesLess(squared, four(least)) == 0) return;
    const Lowest lowest = lowestOf(squared);
    least = lowest.value;
    witness = group * static_cast<std::uint32_t>(FacetGroup::width) + lowest.lane;
  };
  look(witness / FacetGroup::width);
  const float goal = enough * enough;
  if (least <= goal) return least;
  const auto lookAtFacet = [&](std::uint32_t facet) {
    look(whole_ + facet / static_cast<std::uint32_t>(FacetGroup::width));
  };
  if (cells_ && cells_->search({p.x[0], p.y[0], p.z[0]}, goal, least, lookAtFacet)) return least;

  // Depth-first traversal, nearer box first. Cylinders only prune what cannot be nearest, so that
  // ties between triangles are decided in the same way with and without them
  struct Waiting {
    float squared;
    float boxSquared;
    std::uint32_t child;
  };
  std::array<Waiting, 3 * deepest + 4> stack;
  std::size_t size = 0;
  std::uint32_t child = 0;
  for (;;) {
    if ((child & isGroup) != 0) {
      look(child & ~isGroup);
      if (least <= goal) return least;
    } else {
      const Node& node = nodes_[child];
      const FourVectors gap{outside(node.low.x, node.high.x, p.x),
                            outside(node.low.y, node.high.y, p.y),
                            outside(node.low.z, node.high.z, p.z)};
      const FourFloats boxSquared = square(gap);
      FourFloats squared = boxSquared;
      unsigned nearer = lanesLess(squared, four(least));
      if (nearer != 0 && node.cylinders != none) {
        squared = greater(cylinders_[node.cylinders].squaredDistances(p), squared);
        nearer = lanesLess(squared, four(least));
      }
      if (nearer != 0) {
        // There is usually only one; otherwise continue with the nearest, and push the others
        auto i = static_cast<std::size_t>(std::countr_zero(nearer));
        nearer &= nearer - 1;
        child = node.children[i];
        if (nearer == 0) continue;
        float bound[4], boxBound[4];
        std::memcpy(bound, &squared, sizeof bound);
        std::memcpy(boxBound, &boxSquared, sizeof boxBound);
        Waiting next{bound[i], boxBound[i], child};
        const std::size_t first = size;
        for (; nearer != 0; nearer &= nearer - 1) {
          i = static_cast<std::size_t>(std::countr_zero(nearer));
          Waiting other{bound[i], boxBound[i], node.children[i]};
          if (!(next.boxSquared < other.boxSquared)) std::swap(next, other);
          std::size_t place = size++;
          for (; place > first && stack[place - 1].boxSquared < other.boxSquared; --place)
            stack[place] = stack[place - 1];
          stack[place] = other;
        }
        child = next.child;
        continue;
      }
    }
    do {
      if (size == 0) return least;
      --size;
    } while (stack[size].squared >= least);
    child = stack[size].child;
  }
}

}  // namespace nearmiss
