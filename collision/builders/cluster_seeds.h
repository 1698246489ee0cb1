// SPDX-License-Identifier: MIT
/// Where clusters of surface pieces begin: balls without pieces.
#pragma once

#include <nearmiss/primitives.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builders/ball_fit.h"
#include "spheres/surface_pieces.h"

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

/// At most `count` of `balls` that, grown by as little as will do, cover nearly all of the pieces
/// `members`: each in turn covers the most area that those before it do not, and by how much they
/// grow is bisected. Fewer where fewer will do; none where no ball lies near.
[[nodiscard]] std::vector<Sphere> coverSeeds(std::span<const Sphere> balls,
                                             std::span<const SurfacePiece> pieces,
                                             std::span<const std::uint32_t> members,
                                             std::size_t count);

}  // namespace nearmiss
