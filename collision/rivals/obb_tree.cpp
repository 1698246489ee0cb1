// SPDX-License-Identifier: MIT
#include "rivals/obb_tree.h"

#include <algorithm>
#include <array>
#include <functional>
#include <glm/geometric.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/convex_hull.h"
#include "rivals/swept_volumes.h"

namespace nearmiss {
namespace {

/// Deeper nodes are halved by count. A traversal stores its depth in a byte, and if triangles
/// shrink towards a point, splitting at the mean separates only one at a time.
constexpr int maxMeanDepth = 96;
/// Relative to the longest side: centroids nearer to each other are separated by rounding only.
constexpr Real smallestSpread = 1e-12;

/// First and second moments of a surface about an origin.
class SurfaceMoments {
 public:
  explicit SurfaceMoments(const Vec3& origin) : origin_(origin) {}

  void add(const Triangle& t) {
    const Real area = areaOf(t);
    const Vec3 p = t[0] - origin_, q = t[1] - origin_, r = t[2] - origin_;
    const Vec3 middle = (p + q + r) / 3.0;
    area_ += area;
    first_ += area * middle;
    // The integral over a triangle, from its centroid and its corners
    second_ += (area / 12.0) * (9.0 * glm::outerProduct(middle, middle) + glm::outerProduct(p, p) +
                                glm::outerProduct(q, q) + glm::outerProduct(r, r));
  }
  [[nodiscard]] bool empty() const noexcept { return !(area_ > 0.0); }
  [[nodiscard]] glm::dmat3 covariance() const {
    const Vec3 mean = first_ / area_;
    return second_ / area_ - glm::outerProduct(mean, mean);
  }

 private:
  Vec3 origin_;
  Real area_ = 0.0;
  Vec3 first_{0.0};
  glm::dmat3 second_{0.0};
};

/// Returns a unit normal of coplanar points; empty if they are collinear.
std::optional<Vec3> normalOfPlane(std::span<const Vec3> points) {
  const auto farthestFrom = [points](const Vec3& from) {
    return *std::ranges::max_element(points, {},
                                     [&from](const Vec3& p) { return squaredDistance(p, from); });
  };
  const Vec3 a = farthestFrom(points[0]), b = farthestFrom(a);
  Vec3 normal(0.0);
  for (const Vec3& p : points) {
    const Vec3 other = glm::cross(b - a, p - a);
    if (glm::dot(other, other) > glm::dot(normal, normal)) normal = other;
  }
  const Real size = glm::distance(a, b);
  // Heights below rounding
  if (!(glm::length(normal) > 1e-12 * size * size)) return std::nullopt;
  return glm::normalize(normal);
}

/// Returns the corners of the polygon around coplanar points, by a walk along both of its sides.
/// Rounded arithmetic suffices, because they only determine how a box is rotated.
std::vector<Vec3> polygonAround(std::span<const Vec3> points, const Vec3& normal) {
  const Vec3 size = glm::abs(normal);
  const int away = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
  Vec3 axis(0.0);
  axis[away] = 1.0;
  const Vec3 across = glm::normalize(glm::cross(normal, axis));
  const Vec3 up = glm::cross(normal, across);
  std::vector<Vec3> sorted(points.begin(), points.end());
  const auto place = [&](const Vec3& p) { return std::pair(glm::dot(p, across), glm::dot(p, up)); };
  std::ranges::sort(sorted, {}, place);
  std::vector<Vec3> polygon;
  const auto walk = [&](const auto& along) {
    const std::size_t first = polygon.size();
    for (const Vec3& p : along) {
      while (polygon.size() >= first + 2 &&
             glm::dot(normal, glm::cross(polygon.back() - polygon[polygon.size() - 2],
                                         p - polygon.back())) <= 0.0)
        polygon.pop_back();
      polygon.push_back(p);
    }
    polygon.pop_back();
  };
  walk(sorted);
  std::ranges::reverse(sorted);
  walk(sorted);
  return polygon;
}

}  // namespace

glm::dmat3 hullAxes(std::span<const Vec3> points) {
  SurfaceMoments moments(points[0]);
  const ConvexHull hull = convexHull(points);
  for (const auto& t : hull.triangles)
    moments.add({hull.vertices[t[0]], hull.vertices[t[1]], hull.vertices[t[2]]});
  if (hull.flat()) {
    if (const auto normal = normalOfPlane(points)) {
      const std::vector<Vec3> polygon = polygonAround(points, *normal);
      for (std::size_t i = 2; i < polygon.size(); ++i)
        moments.add({polygon[0], polygon[i - 1], polygon[i]});
    }
  }
  return moments.empty() ? principalAxes(points) : axesOfSpread(moments.covariance());
}

ObbTree::ObbTree(const TriangleMesh& mesh) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle corners = mesh.corners(t);
    middles_.push_back((corners[0] + corners[1] + corners[2]) / 3.0);
  }
  boxes.order.resize(mesh.triangles.size());
  std::iota(boxes.order.begin(), boxes.order.end(), 0u);
  build(mesh, 0, static_cast<std::uint32_t>(mesh.triangles.size()), 0);
  middles_ = {};
  listed_ = {};
  corners_ = {};
}

void ObbTree::build(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end, int depth) {
  gather(mesh, begin, end);
  const std::size_t at = boxes.nodes.size();
  add(begin, end);
  const std::uint32_t middle = end - begin > 1 ? split(begin, end, depth) : begin;
  if (middle == begin) {
    std::sort(boxes.order.begin() + begin, boxes.order.begin() + end);
    return;
  }
  build(mesh, begin, middle, depth + 1);
  boxes.nodes[at].count = 0;
  boxes.nodes[at].offset = static_cast<std::uint32_t>(boxes.nodes.size());
  build(mesh, middle, end, depth + 1);
}

/// Collects the corners of a node, without duplicates for its box, and the mean of all.
void ObbTree::gather(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end) {
  listed_.clear();
  mean_ = Vec3(0.0);
  for (std::uint32_t i = begin; i < end; ++i) {
    for (const std::uint32_t v : mesh.triangles[boxes.order[i]]) listed_.push_back(v);
    mean_ += middles_[boxes.order[i]] / static_cast<Real>(end - begin);
  }
  std::ranges::sort(listed_);
  listed_.erase(std::unique(listed_.begin(), listed_.end()), listed_.end());
  corners_.clear();
  for (const std::uint32_t v : listed_) corners_.push_back(mesh.positions[v]);
}

/// Adds a node around the corners, at first as a leaf.
void ObbTree::add(std::uint32_t begin, std::uint32_t end) {
  Box box;
  for (const Vec3& p : corners_) box.include(p);
  boxes.nodes.push_back({box, begin, end - begin});
  const TurnedBoxVolume volume = TurnedBoxVolume::along(hullAxes(corners_), corners_);
  const Vec3 nearest = *std::ranges::min_element(
      corners_, {}, [&volume](const Vec3& p) { return squaredDistance(p, volume.centre); });
  // Compensates rounding in products
  reach_.push_back(volume.reachFrom(nearest) * (1.0 + 1e-12));
  volumes_.push_back(volume);
}

/// Returns where the second half begins, or `begin` if no side splits the last node.
std::uint32_t ObbTree::split(std::uint32_t begin, std::uint32_t end, int depth) {
  const TurnedBoxVolume& volume = volumes_.back();
  std::array<int, 3> sides{0, 1, 2};
  std::ranges::stable_sort(sides, std::greater<>{}, [&](int side) { return volume.half[side]; });
  const auto first = boxes.order.begin() + begin, last = boxes.order.begin() + end;
  if (depth >= maxMeanDepth) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::ranges::sort(first, last, {}, [&](std::uint32_t t) {
      return std::pair(glm::dot(middles_[t], volume.axes[sides[0]]), t);
    });
    return middle;
  }
  for (const int side : sides) {
    const Vec3& axis = volume.axes[side];
    const auto along = [&](std::uint32_t t) { return glm::dot(middles_[t] - mean_, axis); };
    const auto [low, high] = std::ranges::minmax(std::span(first, last), {}, along);
    if (along(high) - along(low) <= smallestSpread * volume.half[sides[0]]) continue;
    const auto middle =
        std::stable_partition(first, last, [&](std::uint32_t t) { return along(t) <= 0.0; });
    if (middle != first && middle != last)
      return static_cast<std::uint32_t>(middle - boxes.order.begin());
  }
  return begin;
}

}  // namespace nearmiss
