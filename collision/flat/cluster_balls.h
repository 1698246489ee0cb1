// SPDX-License-Identifier: MIT
/// Balls of points, and of clusters of points.
#pragma once

#include "spheres/seeded_random.h"

#include <nearmiss/primitives.h>

#include <cstddef>
#include <span>
#include <vector>

namespace nearmiss {

/// The ball about a centre, and the smallest ball, that surely hold the points.
[[nodiscard]] Sphere ballAbout(const Vec3& centre, std::span<const Vec3> points) noexcept;
[[nodiscard]] Sphere ballOf(std::span<const Vec3> points) noexcept;

/// The smallest balls of at most `count` clusters that hold each point once: of seeds drawn far
/// from each other the nearest, and again of the balls' centres.
/// @pre there are points
[[nodiscard]] std::vector<Sphere> clusterBalls(std::span<const Vec3> points, std::size_t count,
                                               SeededRandom& random);

}  // namespace nearmiss
