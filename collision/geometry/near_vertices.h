// SPDX-License-Identifier: MIT
/// Which vertices have others so near that they may be welded: of most meshes none, which is found
/// in linear time.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

/// By vertex, 1 if another one at a different position may be nearer than `distance`; 0 is certain.
/// Crowds may be marked as a whole. Only vertices that are their own `first` count.
/// @param distance metres, above 0, and its square too
/// @param first for each vertex the first at its position
/// @param workers threads
[[nodiscard]] std::vector<char> haveOthersNear(const std::vector<Vec3>& positions, Real distance,
                                               const std::vector<std::uint32_t>& first,
                                               int workers);

}  // namespace nearmiss
