// SPDX-License-Identifier: MIT
/// Where the search for a flat set begins.
#pragma once

#include "spheres/surface_pieces.h"

#include <nearmiss/build_progress.h>
#include <nearmiss/flat_set.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>

#include <span>
#include <vector>

namespace nearmiss {

/// Sets of at most settings.count balls: of clusters of the points, of the medial axis, and of a
/// tree of one level. They need not cover. Empty if cancelled.
[[nodiscard]] std::vector<std::vector<Sphere>> flatStarts(const Polyhedron& polyhedron,
                                                          std::span<const SurfacePiece> pieces,
                                                          std::span<const Vec3> points,
                                                          const FlatSetSettings& settings,
                                                          BuildProgress* progress);

}  // namespace nearmiss
