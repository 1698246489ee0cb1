// SPDX-License-Identifier: MIT
/// A sphere tree or DAG without some of its leaves, repacked.
#pragma once

#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

/// The remains of a tree; both by identity in the old tree.
struct ThinnedTree {
  std::vector<bool> gone;                         ///< leaves that are left out
  std::vector<std::vector<std::uint32_t>> lists;  ///< of the other leaves: triangles, ascending
};

/// Inner spheres that lose all their children go as well. @pre the root stays
[[nodiscard]] SphereTree::Data thinned(const SphereTree& tree, const ThinnedTree& what);

}  // namespace nearmiss
