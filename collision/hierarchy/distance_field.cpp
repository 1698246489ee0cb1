// SPDX-License-Identifier: MIT
#include "hierarchy/distance_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearmiss {
namespace {

constexpr std::size_t facetsPerLeaf = 3;
/// Below this depth boxes are halved by count, so that the stack of a search is never too small.
constexpr int deepestChosen = 24;

float squaredGap(const float (&low)[3], const float (&high)[3], float x, float y,
                 float z) noexcept {
  const float dx = std::max(std::max(low[0] - x, x - high[0]), 0.0f);
  const float dy = std::max(std::max(low[1] - y, y - high[1]), 0.0f);
  const float dz = std::max(std::max(low[2] - z, z - high[2]), 0.0f);
  return dx * dx + dy * dy + dz * dz;
}

Real surfaceOf(const Box& box) noexcept {
  const Vec3 e = box.extent();
  return e.x * e.y + e.y * e.z + e.z * e.x;
}

int longestAxis(const Box& box) noexcept {
  const Vec3 e = box.extent();
  return e.x >= e.y && e.x >= e.z ? 0 : e.y >= e.z ? 1 : 2;
}

}  // namespace

DistanceField::DistanceField(const TriangleMesh& mesh) : origin_(boundingBox(mesh).centre()) {
  std::vector<Part> parts;
  parts.reserve(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    Part& part = parts.emplace_back();
    part.number = t;
    part.facet = {local(c[0]), local(c[1] - c[0] + origin_), local(c[2] - c[0] + origin_)};
    for (const Vec3& corner : c) part.box.include(corner - origin_);
  }
  nodes_.reserve(parts.size());
  facets_.reserve(parts.size());
  build(parts, 0);
}

/// Splits where the least surface of boxes is expected to be entered [W07], in the middle of the
/// longest side where that does not tell. Deterministic: no order is decided by addresses.
void DistanceField::build(std::span<Part> parts, int depth) {
  Box box, middles;
  for (const Part& part : parts) {
    box.include(part.box);
    middles.include(part.box.centre());
  }
  const std::size_t at = nodes_.size();
  Node& node = nodes_.emplace_back();
  for (int axis = 0; axis < 3; ++axis) {
    node.low[axis] = static_cast<float>(box.low[axis]);
    node.high[axis] = static_cast<float>(box.high[axis]);
  }
  node.place = static_cast<std::uint32_t>(facets_.size());
  node.count = 0;
  if (parts.size() <= facetsPerLeaf) {
    node.count = static_cast<std::uint32_t>(parts.size());
    for (const Part& part : parts) facets_.push_back(part.facet);
    return;
  }
  const std::size_t half = depth < deepestChosen ? bestSplit(parts, middles) : 0;
  std::size_t begin = half;
  if (half == 0) {
    const int axis = longestAxis(middles);
    begin = parts.size() / 2;
    std::nth_element(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(begin), parts.end(),
                     [axis](const Part& p, const Part& q) {
                       const Real pAt = p.box.centre()[axis], qAt = q.box.centre()[axis];
                       return pAt != qAt ? pAt < qAt : p.number < q.number;
                     });
  }
  build(parts.first(begin), depth + 1);
  nodes_[at].place = static_cast<std::uint32_t>(nodes_.size());
  build(parts.subspan(begin), depth + 1);
}

/// Reorders the parts and returns how many go to the first child; 0 where no split is better than
/// another.
std::size_t DistanceField::bestSplit(std::span<Part> parts, const Box& middles) {
  constexpr int bins = 12;
  const Vec3 extent = middles.extent();
  Real least = std::numeric_limits<Real>::infinity();
  int bestAxis = -1, bestBin = 0;
  const auto binOf = [&](const Part& part, int axis) {
    const Real place = (part.box.centre()[axis] - middles.low[axis]) / extent[axis];
    return std::min(bins - 1, static_cast<int>(place * bins));
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (!(extent[axis] > 0.0)) continue;
    std::array<Box, bins> boxes;
    std::array<std::size_t, bins> counts{};
    for (const Part& part : parts) {
      const auto bin = static_cast<std::size_t>(binOf(part, axis));
      boxes[bin].include(part.box);
      ++counts[bin];
    }
    std::array<Real, bins> behind{};
    Box box;
    std::size_t count = 0;
    for (std::size_t bin = bins - 1; bin > 0; --bin) {
      box.include(boxes[bin]);
      count += counts[bin];
      behind[bin] = count == 0 ? 0.0 : surfaceOf(box) * static_cast<Real>(count);
    }
    box = {};
    count = 0;
    for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
      box.include(boxes[bin]);
      count += counts[bin];
      if (count == 0 || count == parts.size()) continue;
      const Real cost = surfaceOf(box) * static_cast<Real>(count) + behind[bin + 1];
      if (cost >= least) continue;
      least = cost;
      bestAxis = axis;
      bestBin = static_cast<int>(bin);
    }
  }
  if (bestAxis < 0) return 0;
  const auto second = std::stable_partition(parts.begin(), parts.end(), [&](const Part& part) {
    return binOf(part, bestAxis) <= bestBin;
  });
  return static_cast<std::size_t>(second - parts.begin());
}

/// The vector from `p` to the nearest point of the facet, by the Voronoi region of the triangle
/// that holds the point [E05, 5.1.5].
DistanceField::Point DistanceField::towards(const Facet& f, const Point& p) noexcept {
  const auto dot = [](const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const Point& ab = f.edge1;
  const Point& ac = f.edge2;
  const Point ap{p.x - f.corner.x, p.y - f.corner.y, p.z - f.corner.z};
  const auto at = [&](float s, float t) {
    return Point{s * ab.x + t * ac.x - ap.x, s * ab.y + t * ac.y - ap.y,
                 s * ab.z + t * ac.z - ap.z};
  };
  const float abA = dot(ab, ap), acA = dot(ac, ap);
  if (abA <= 0.0f && acA <= 0.0f) return at(0.0f, 0.0f);
  const float bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const float abB = abA - bb, acB = acA - bc;
  if (abB >= 0.0f && acB <= abB) return at(1.0f, 0.0f);
  const float abC = abA - bc, acC = acA - cc;
  if (acC >= 0.0f && abC <= acC) return at(0.0f, 1.0f);
  const float vc = abA * acB - abB * acA;
  if (vc <= 0.0f && abA >= 0.0f && abB <= 0.0f) return at(abA / (abA - abB), 0.0f);
  const float vb = abC * acA - abA * acC;
  if (vb <= 0.0f && acA >= 0.0f && acC <= 0.0f) return at(0.0f, acA / (acA - acC));
  const float va = abB * acC - abC * acB;
  if (va <= 0.0f && acB - abB >= 0.0f && abC - acC >= 0.0f) {
    const float w = (acB - abB) / ((acB - abB) + (abC - acC));
    return at(1.0f - w, w);
  }
  const float sum = va + vb + vc;
  return sum > 0.0f ? at(vb / sum, vc / sum) : at(0.0f, 0.0f);
}

float DistanceField::squaredDistance(const Point& p, float enough,
                                     std::uint32_t& witness) const noexcept {
  const auto to = [&](std::uint32_t facet) {
    const Point v = towards(facets_[facet], p);
    return v.x * v.x + v.y * v.y + v.z * v.z;
  };
  float least = to(witness);
  const float goal = enough * enough;
  if (least <= goal) return least;

  // Depth first, the nearer child first
  struct Waiting {
    std::uint32_t node;
    float squared;
  };
  std::array<Waiting, deepestChosen + 40> stack;
  std::size_t size = 0;
  stack[size++] = {0, 0.0f};
  while (size > 0) {
    Waiting at = stack[--size];
    while (at.squared < least && nodes_[at.node].count == 0) {
      const std::uint32_t second = nodes_[at.node].place;
      const Node& a = nodes_[at.node + 1];
      const Node& b = nodes_[second];
      Waiting near{at.node + 1, squaredGap(a.low, a.high, p.x, p.y, p.z)};
      Waiting far{second, squaredGap(b.low, b.high, p.x, p.y, p.z)};
      if (far.squared < near.squared) std::swap(near, far);
      if (far.squared < least) stack[size++] = far;
      at = near;
    }
    if (at.squared >= least) continue;
    const Node& leaf = nodes_[at.node];
    for (std::uint32_t i = leaf.place; i < leaf.place + leaf.count; ++i) {
      const float squared = to(i);
      if (squared < least) {
        least = squared;
        witness = i;
      }
    }
    if (least <= goal) break;
  }
  return least;
}

bool DistanceField::isBehind(std::uint32_t nearest, const Vec3& point) const noexcept {
  const Facet& f = facets_[nearest];
  const Point n{f.edge1.y * f.edge2.z - f.edge1.z * f.edge2.y,
                f.edge1.z * f.edge2.x - f.edge1.x * f.edge2.z,
                f.edge1.x * f.edge2.y - f.edge1.y * f.edge2.x};
  const Point v = towards(f, local(point));
  return v.x * n.x + v.y * n.y + v.z * n.z >= 0.0f;
}

}  // namespace nearmiss
