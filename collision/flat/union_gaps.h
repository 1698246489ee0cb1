// SPDX-License-Identifier: MIT
/// Where a union of balls leaves a body uncovered.
#pragma once

#include "flat/solid_parts.h"

#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <span>
#include <vector>

namespace nearmiss {

/// The balls that come near a triangle, nearly all of them those that meet it.
[[nodiscard]] std::vector<Sphere> ballsNear(const Triangle& triangle,
                                            std::span<const Sphere> balls);

/// Points where three spheres meet that are in no other ball, inside of the solid. Where the
/// surface is covered there is a hole inside only with such a corner: a hole is bounded by
/// spheres alone, and three of them meet at each of its corners.
[[nodiscard]] std::vector<Vec3> holeCorners(const SolidParts& parts, std::span<const Sphere> balls);

}  // namespace nearmiss
