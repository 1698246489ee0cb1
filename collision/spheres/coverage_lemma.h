// SPDX-License-Identifier: MIT
/// Whether spheres cover a triangle: the boundary lemma [H96 §9.1, Fig. 9].
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

/// A point of the triangle that may be outside of all spheres, or none: then the triangle is
/// covered, for certain. Each sphere cuts a disk from the plane; the triangle is covered if its
/// corners are, and if of every disk's boundary the part in the triangle lies within other disks
/// (erratum E4: a disk within another does not count, disks are open, and rounding widens gaps).
[[nodiscard]] std::optional<Vec3> uncoveredPoint(const Triangle& triangle,
                                                 std::span<const Sphere> spheres);

/// As above for the part of the triangle in `clip`, which cuts a clipping disk from the plane: what
/// children must cover of a parent by the paper's safest policy.
[[nodiscard]] std::optional<Vec3> uncoveredPoint(const Triangle& triangle,
                                                 std::span<const Sphere> spheres,
                                                 const Sphere& clip);

/// As uncoveredPoint(); where the lemma leaves a doubt, by pieces that lie wholly in one of the
/// spheres.
[[nodiscard]] std::optional<Vec3> openPoint(const Triangle& triangle,
                                            std::span<const Sphere> spheres);

/// The triangles that come within `ball`, ascending.
[[nodiscard]] std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron,
                                                          const Sphere& ball);

}  // namespace nearmiss
