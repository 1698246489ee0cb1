// SPDX-License-Identifier: MIT
/// Finds vertices with others so near that they may be welded. Most meshes have none, which takes
/// linear time to find out.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

/// Returns, by vertex, 1 if another vertex at a different position may be nearer than `distance`; 0
/// is certain. Crowded cells may be marked as a whole. Only vertices that are their own `first` are
/// considered.
/// @param distance metres; it and its square must be above 0
/// @param first for each vertex, the first vertex at its position
/// @param workers threads
[[nodiscard]] std::vector<char> haveOthersNear(const std::vector<Vec3>& positions, Real distance,
                                               const std::vector<std::uint32_t>& first,
                                               int workers);

}  // namespace nearmiss
