// SPDX-License-Identifier: MIT
/// Tests if the boxes beside spheres are apart: never true of two that meet.
#pragma once

#include <nearmiss/sphere_tree.h>

#include "geometry/four_floats.h"
#include "narrow/moved_packs.h"
#include "narrow/sphere_lanes.h"

namespace nearmiss {

/// A box with its three axes side by side, so that one operation serves all of them: lane k < 3 has
/// axis k, lane 3 the centre.
struct BoxLanes {
  FourFloats x, y, z, half;

  BoxLanes() = default;
  explicit BoxLanes(const NodeBox& box) noexcept;
};

/// Into the other tree's frame. After a rotation that is not of unit length the axes are not
/// either.
void move(const PackMotion& by, const BoxLanes& box, BoxLanes& moved) noexcept;

/// Times the slack of spheres (PackMotion), 2^-19 of the size and four times the stretch: what
/// boxes are compared with. Only points that lie in a box and in its sphere must not be lost. With
/// u = 2^-24, for them: axes up to 4 u off unit length and right angles, of boxes up to twice the
/// size of their spheres, err by 36 u of the size; axes moved and multiplied in float by 9 u of
/// three half extents each, and twice that of the way between the centres; sums by 24 u. That is
/// less than 150 u, and 256 u are allowed for. The rotation counts twice where its own stretched
/// axes are tested, on up to three radii: less than 28 stretches, and 32 are allowed for.
inline constexpr float boxSlack = 8.0f;

/// Separating axes: three of each box and the nine products of two of them [E05 §4.4]. `slack`
/// (metres) is demanded along the product as it is, however short: near-parallel edges have hardly
/// any, and nothing is concluded from what could be rounding (erratum E9).
[[nodiscard]] bool boxesApart(const BoxLanes& a, const BoxLanes& b, float slack) noexcept;

[[nodiscard]] bool boxApart(const BoxLanes& box, const SphereF& ball, float slack) noexcept;

}  // namespace nearmiss
