// SPDX-License-Identifier: MIT
/// Vertices that are nearly the same become one.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

struct Welding {
  std::vector<std::uint32_t> keptFor;  ///< for each vertex the one that stands for it
  std::size_t keptApart = 0;           ///< vertices that could not be welded without a loss
};

/// Welds each vertex to the earliest that stays within `distance` (metres; 0: at equal positions
/// only). No triangle with an area is lost: one that has none after welding has its two corners, or
/// its one, on a triangle that does.
[[nodiscard]] Welding weld(const TriangleMesh& mesh, Real distance);

}  // namespace nearmiss
