// SPDX-License-Identifier: MIT
/// Balls of the medial axis of a body, as seeds for the spheres of a tree.
#pragma once

#include "spheres/distance_field.h"

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>

#include <cstddef>
#include <vector>

namespace nearmiss {

/// The balls at the inner Voronoi vertices of about `count` even points on the surface [H96 §7], no
/// larger than the distance of the surface; and one of radius 0 at each point that has no inner
/// vertex, as points of open surfaces do. Gaps between points are not filled: that keeps the axis
/// in one piece, which balls alone do not need. Empty if cancelled.
/// @param field of the polyhedron's mesh
[[nodiscard]] std::vector<Sphere> medialBalls(const Polyhedron& polyhedron,
                                              const DistanceField& field, std::size_t count,
                                              BuildProgress* progress);

}  // namespace nearmiss
