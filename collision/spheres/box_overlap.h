// SPDX-License-Identifier: MIT
/// Tests whether the boxes of spheres are apart. Never returns true for boxes that overlap.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>

#include "base/four_floats.h"
#include "spheres/moved_packs.h"
#include "spheres/sphere_lanes.h"

namespace nearmiss {

/// A box with its three axes side by side, so that one operation applies to all: lane k < 3 has
/// axis k, lane 3 the centre.
struct BoxLanes {
  FourFloats x, y, z, half;

  BoxLanes() = default;
  explicit BoxLanes(const NodeBox& box) noexcept;
};

/// Transforms a box into the other tree's frame. After a rotation that is not of unit length the
/// axes are not of unit length either.
void move(const PackMotion& by, const BoxLanes& box, BoxLanes& moved) noexcept;

/// Slack of boxes, as a multiple of the slack of spheres (PackMotion), that is, 2^-19 of the size
/// plus four times the stretch. Only points both in a box and in its sphere must not be lost. Error
/// bounds for these, with u = 2^-24: axes up to 4 u off unit length and right angles, for boxes up
/// to twice the size of their spheres, err by 36 u of the size. Axes transformed and multiplied in
/// float err by 9 u of three half extents each, and twice that of the vector between the centres.
/// Sums err by 24 u. That is less than 150 u in total; 256 u are allowed. The rotation counts twice
/// where its own stretched axes are tested, on up to three radii: less than 28 stretches; 32 are
/// allowed.
inline constexpr float boxSlack = 8.0f;

/// Separating axis test: three axes of each box and the nine cross products [E05 §4.4]. `slack`
/// (metres) is required along the unnormalised product, however short it is. Near-parallel edges
/// thus hardly separate anything, and nothing is concluded from what could be rounding (erratum
/// E9).
[[nodiscard]] bool boxesApart(const BoxLanes& a, const BoxLanes& b, float slack) noexcept;

[[nodiscard]] bool boxApart(const BoxLanes& box, const SphereF& ball, float slack) noexcept;

}  // namespace nearmiss
