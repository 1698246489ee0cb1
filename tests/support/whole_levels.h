// SPDX-License-Identifier: MIT
/// The levels of a sphere tree as the sets that stand for the whole surface.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>

#include <vector>

namespace nearmiss::test {

/// A level is its own spheres and the leaves above.
[[nodiscard]] inline std::vector<std::vector<Sphere>> wholeLevels(const SphereTree& tree) {
  std::vector<std::vector<Sphere>> levels;
  std::vector<SphereId> ids;
  std::vector<Sphere> leaves;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, ids);
    std::vector<Sphere>& spheres = levels.emplace_back(leaves);
    for (const SphereId id : ids) {
      spheres.push_back(tree.sphere(id));
      if (!tree.trianglesOf(id).empty()) leaves.push_back(tree.sphere(id));
    }
  }
  return levels;
}

}  // namespace nearmiss::test
