// SPDX-License-Identifier: MIT
/// Balls inside a solid that touch its surface at given points: spheres of the medial-axis surface
/// [H96 §7], found without a Voronoi diagram.
#pragma once

#include "sampling/even_points.h"

#include <nearmiss/polyhedron.h>

namespace nearmiss {

/// The largest ball that touches the surface at `point` from inside and holds no other surface
/// point, about: a ball that is too large is shrunk until it touches the intruder nearest to its
/// centre, again and again. The centre is representable in float, and the ball returned is the one
/// that surely lies inside the closed solid: its radius is not above the distance of the surface.
/// Empty (a negative radius) where no such ball was found.
/// @pre polyhedron.report().solid()
[[nodiscard]] Sphere touchingBall(const Polyhedron& polyhedron, const SurfaceSample& point);

/// The ball about a centre that is representable in float, or an empty one if the centre is not
/// inside; its radius is rounded down.
[[nodiscard]] Sphere innerBall(const Polyhedron& polyhedron, const Vec3& centre);

}  // namespace nearmiss
