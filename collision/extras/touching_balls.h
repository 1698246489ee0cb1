// SPDX-License-Identifier: MIT
/// Balls inside a closed surface that touch its surface at given points: spheres of the medial-axis
/// surface [H96 §7], found without a Voronoi diagram.
#pragma once

#include "sampling/even_points.h"

#include <nearmiss/polyhedron.h>

namespace nearmiss {

/// The largest ball that touches the surface at `point` from inside and holds no other surface
/// point, about: a ball that is too large is shrunk until it touches the intruder nearest to its
/// centre, again and again. Inside is where the surface winds; where it meets itself that may be on
/// both of its sides, and the larger ball counts. The centre is representable in float, and the
/// ball returned is one that surely holds no surface point within: its radius is not above the
/// distance of the surface. Empty (a negative radius) where no such ball was found.
/// @pre surface.report().closed()
[[nodiscard]] Sphere touchingBall(const Polyhedron& surface, const SurfaceSample& point);

}  // namespace nearmiss
