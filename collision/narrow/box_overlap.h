// SPDX-License-Identifier: MIT
/// Whether the boxes beside spheres part them: never said of two that meet.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/node_boxes.h>
#include <nearmiss/primitives.h>

namespace nearmiss {

/// A box in double, perhaps in another frame. After a rotation that is not of unit length the axes
/// are not either.
struct MovedBox {
  Vec3 centre{0.0};
  Vec3 axis[3];
  Real half[3] = {};

  MovedBox() = default;
  explicit MovedBox(const NodeBox& box) noexcept;
  MovedBox(const Pose& by, const NodeBox& box) noexcept;
};

/// Times the slack of spheres (PackMotion): what boxes are compared with. That allows for boxes of
/// twice the size of their spheres, and for axes in float, which are up to 2^-22 from unit length
/// and right angles: the points of a box are off the sums of its axes by at most 3 half 2^-22.
inline constexpr Real boxSlack = 4.0;

/// Separating axes: three of each box and the nine products of two of them [E05 §4.4]. `slack`
/// (metres) is demanded along the product as it is, however short: near-parallel edges have hardly
/// any, and nothing is concluded from what could be rounding (erratum E9).
[[nodiscard]] bool boxesApart(const MovedBox& a, const MovedBox& b, Real slack) noexcept;

[[nodiscard]] bool boxApart(const MovedBox& box, const Sphere& sphere, Real slack) noexcept;

}  // namespace nearmiss
