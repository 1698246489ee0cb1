// SPDX-License-Identifier: MIT
#include "files/polygon_triangles.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numeric>

namespace nearmiss::files {
namespace {

using Point = glm::dvec2;

/// Returns the corners projected along the axis that the polygon faces most, so that it is
/// anticlockwise. Uses differences to the first corner, so that a distant origin costs no digits.
std::vector<Point> flattened(std::span<const Vec3> corners) {
  const Vec3 origin = corners.front();
  Vec3 normal(0.0);
  for (std::size_t i = 0; i < corners.size(); ++i)
    normal += glm::cross(corners[i] - origin, corners[(i + 1) % corners.size()] - origin);
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (std::fabs(normal[a]) > std::fabs(normal[axis])) axis = a;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const bool reversed = normal[axis] < 0.0;
  std::vector<Point> points;
  points.reserve(corners.size());
  for (const Vec3& corner : corners) {
    const Vec3 p = corner - origin;
    points.push_back(reversed ? Point(p[v], p[u]) : Point(p[u], p[v]));
  }
  return points;
}

Real turn(const Point& a, const Point& b, const Point& c) noexcept {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Takes at most quadratic time in the number of corners: a corner known to lie outside the
/// triangle of another corner and its neighbours is not tested again until that triangle changes.
class EarClipping {
 public:
  explicit EarClipping(std::span<const Vec3> corners)
      : points_(flattened(corners)),
        left_(corners.size()),
        looked_(corners.size(), 0),
        gone_(corners.size(), false) {
    std::iota(left_.begin(), left_.end(), 0u);
  }

  void run(std::vector<std::array<std::uint32_t, 3>>& out) {
    std::size_t at = 0, refused = 0;
    while (left_.size() > 3) {
      // A polygon that crosses itself may have no ear; then use any corner
      if (!isEar(at) && refused < left_.size()) {
        at = (at + 1) % left_.size();
        ++refused;
        continue;
      }
      out.push_back({left_[before(at)], left_[at], left_[after(at)]});
      looked_[left_[before(at)]] = looked_[left_[after(at)]] = 0;
      gone_[left_[at]] = true;
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(at));
      // Continuing next to the cut would make fans of slivers, so skip one corner
      at = (at + 1) % left_.size();
      refused = 0;
    }
    out.push_back({left_[0], left_[1], left_[2]});
  }

 private:
  [[nodiscard]] std::size_t before(std::size_t i) const noexcept {
    return i == 0 ? left_.size() - 1 : i - 1;
  }
  [[nodiscard]] std::size_t after(std::size_t i) const noexcept {
    return i + 1 == left_.size() ? 0 : i + 1;
  }

  [[nodiscard]] bool isEar(std::size_t i) noexcept {
    const Point& a = points_[left_[before(i)]];
    const Point& b = points_[left_[i]];
    const Point& c = points_[left_[after(i)]];
    if (!(turn(a, b, c) > 0.0)) return false;
    for (std::size_t& other = looked_[left_[i]]; other < points_.size(); ++other) {
      const Point& p = points_[other];
      // The ends of an edge to a hole occur twice
      if (gone_[other] || p == a || p == b || p == c) continue;
      // The border counts as inside: otherwise a corner on the cut would remain on an edge without
      // it
      if (turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0) return false;
    }
    return true;
  }

  std::vector<Point> points_;
  std::vector<std::uint32_t> left_;
  std::vector<std::size_t> looked_;  ///< by corner: those before this one are outside its triangle
  std::vector<bool> gone_;           ///< by corner: already cut off
};

}  // namespace

void triangulate(std::span<const Vec3> corners, std::vector<std::array<std::uint32_t, 3>>& out) {
  if (corners.size() == 3)
    out.push_back({0, 1, 2});
  else
    EarClipping(corners).run(out);
}

}  // namespace nearmiss::files
