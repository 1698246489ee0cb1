// SPDX-License-Identifier: MIT
/// Where clusters of surface pieces begin: balls without pieces.
#pragma once

#include "variational/ball_fit.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Up to `count` of the pieces `members`, each farthest from those before it, as balls of radius 0.
/// Starts differ by `start`: even ones forget the first point, the middle of all or some other
/// piece.
[[nodiscard]] std::vector<PieceCluster> farthestSeeds(std::span<const SurfacePiece> pieces,
                                                      std::span<const std::uint32_t> members,
                                                      std::size_t count, int start);

/// Up to `count` of `balls`, those of the medial axis or others, that together best cover the
/// pieces `members`.
[[nodiscard]] std::vector<PieceCluster> coveringSeeds(std::span<const Sphere> balls,
                                                      std::span<const SurfacePiece> pieces,
                                                      std::span<const std::uint32_t> members,
                                                      std::size_t count);

}  // namespace nearmiss
