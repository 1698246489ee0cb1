// SPDX-License-Identifier: MIT
/// Seeds for a few clusters of a surface: balls that together cover all of it.
#pragma once

#include "spheres/surface_pieces.h"

#include <nearmiss/primitives.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// At most `count` of `balls` that, grown by as little as will do, cover nearly all of the pieces
/// `members`: each in turn covers the most area that those before it do not, and by how much they
/// grow is bisected. Fewer where fewer will do; none where no ball lies near.
[[nodiscard]] std::vector<Sphere> coverSeeds(std::span<const Sphere> balls,
                                             std::span<const SurfacePiece> pieces,
                                             std::span<const std::uint32_t> members,
                                             std::size_t count);

}  // namespace nearmiss
