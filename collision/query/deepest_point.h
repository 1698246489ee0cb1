// SPDX-License-Identifier: MIT
/// One point for a contact in which no vertex and no edges take part, as of a needle through a
/// plate.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <cstdint>
#include <optional>

#include "query/inner_balls.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// The deepest point that is found in both bodies, and from there both surfaces along the way out;
/// frame of a, without an id. Nothing where no point is deeper than rounding.
/// @param crossing a point of both surfaces, frame of a
/// @param work grows by what it took, in tests of bounds
[[nodiscard]] std::optional<ManifoldPoint> deepestPoint(const TwoBodies& bodies,
                                                        const InnerBalls& ballsA,
                                                        const InnerBalls& ballsB,
                                                        const Vec3& crossing, std::uint64_t& work);

}  // namespace nearmiss
