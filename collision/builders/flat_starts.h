// SPDX-License-Identifier: MIT
/// Where the search for a flat set begins: balls of points, and of clusters of points.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/flat_set.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>

#include <cstddef>
#include <span>
#include <vector>

#include "spheres/seeded_random.h"
#include "spheres/surface_pieces.h"

namespace nearmiss {

/// The ball about a centre, and the smallest ball, that surely hold the points.
[[nodiscard]] Sphere ballAbout(const Vec3& centre, std::span<const Vec3> points) noexcept;
[[nodiscard]] Sphere ballOf(std::span<const Vec3> points) noexcept;

/// The smallest balls of at most `count` clusters that hold each point once: of seeds drawn far
/// from each other the nearest, and again of the balls' centres.
/// @pre there are points
[[nodiscard]] std::vector<Sphere> clusterBalls(std::span<const Vec3> points, std::size_t count,
                                               SeededRandom& random);

/// Sets of at most settings.count balls: of clusters of the points, of the medial axis, and of a
/// tree of one level. They need not cover. Empty if cancelled.
[[nodiscard]] std::vector<std::vector<Sphere>> flatStarts(const Polyhedron& polyhedron,
                                                          std::span<const SurfacePiece> pieces,
                                                          std::span<const Vec3> points,
                                                          const FlatSetSettings& settings,
                                                          BuildProgress* progress);

}  // namespace nearmiss
