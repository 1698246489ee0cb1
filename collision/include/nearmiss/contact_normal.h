// SPDX-License-Identifier: MIT
/// The contact normal of two solids that meet, and a point of the contact, from their exact
/// geometry alone.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/polyhedron.h>

#include <optional>

namespace nearmiss {

/// The contact normal, a unit vector in the frame of `a` that points from `b` to `a`; `b` is moved
/// by `bToA` into the frame of `a`.
///
/// Where the surfaces cross, it is the direction in which a motion of `a` lessens the volume that
/// both solids share the fastest: against the area vector of that part of a's surface which lies
/// inside `b`. The contour in which the surfaces cross bounds that part, so the area vector is half
/// the sum of p x q over the contour's segments. Where one solid lies inside the other there is no
/// contour; then it is the shortest way out for the inner one.
///
/// Depends on nothing but the two meshes and the pose: every method that finds a contact leads to
/// the same normal, bit for bit. Nothing where the two have no contact, or one without a
/// direction: surfaces that only touch in a point, a rod that leaves a plate on both sides alike.
[[nodiscard]] std::optional<Vec3> contactNormal(const Polyhedron& a, const Polyhedron& b,
                                                const Pose& bToA);

/// Where an impulse acts, frame of `a`.
struct ContactPoint {
  Vec3 normal{0.0};  ///< contactNormal()
  /// The centre of the contour in which the surfaces cross; where one solid lies inside the other,
  /// the inner one's origin.
  Vec3 position{0.0};
};
/// As contactNormal(), which is nothing wherever this is.
[[nodiscard]] std::optional<ContactPoint> contactPoint(const Polyhedron& a, const Polyhedron& b,
                                                       const Pose& bToA);

}  // namespace nearmiss
