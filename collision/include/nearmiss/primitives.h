// SPDX-License-Identifier: MIT
/// Spheres and boxes: the simple shapes that bounds are made of.
#pragma once

#include <nearmiss/math.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss {

/// All points with |p - centre| <= radius. A negative radius is the empty sphere.
struct Sphere {
  Vec3 centre{0.0};    ///< metres
  Real radius = -1.0;  ///< metres
};

/// How deep two spheres reach into each other: r1 + r2 - |c1 - c2|. Touching is 0 and counts as
/// meeting; negative is the gap.
[[nodiscard]] inline Real overlap(const Sphere& a, const Sphere& b) noexcept {
  return a.radius + b.radius - glm::distance(a.centre, b.centre);
}

/// Axis-aligned box, closed. Starts empty: low above high.
struct Box {
  Vec3 low{std::numeric_limits<Real>::infinity()};
  Vec3 high{-std::numeric_limits<Real>::infinity()};

  void include(const Vec3& p) noexcept {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  void include(const Box& b) noexcept {
    low = glm::min(low, b.low);
    high = glm::max(high, b.high);
  }
  [[nodiscard]] bool empty() const noexcept { return low.x > high.x; }
  [[nodiscard]] Vec3 centre() const noexcept { return 0.5 * (low + high); }
  [[nodiscard]] Vec3 extent() const noexcept { return high - low; }
  [[nodiscard]] bool contains(const Vec3& p) const noexcept {
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
           p.z <= high.z;
  }
};

/// Touching counts.
[[nodiscard]] inline bool overlap(const Box& a, const Box& b) noexcept {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

}  // namespace nearmiss
