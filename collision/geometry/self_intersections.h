// SPDX-License-Identifier: MIT
/// Pairs of triangles of one mesh that meet where they should not.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <atomic>
#include <cstddef>

#include "geometry/box_tree.h"

namespace nearmiss {

struct SelfIntersections {
  std::size_t pairs = 0;     ///< that meet away from what they share
  std::size_t compared = 0;  ///< pairs that were compared exactly, to find them
};

/// Counts exactly, and stops at `most` pairs. Slivers whose boxes all overlap, and fans of any
/// number about one vertex, cost little more than other triangles.
/// @param tree of the same mesh
/// @param cancelled once set, what is counted by then is returned; null: never
[[nodiscard]] SelfIntersections countSelfIntersections(
    const TriangleMesh& mesh, const BoxTree& tree, std::size_t most,
    const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
