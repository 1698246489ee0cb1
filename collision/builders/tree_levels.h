// SPDX-License-Identifier: MIT
/// Assembles a sphere tree level by level: slots for the spheres of each level, and the triangle
/// lists of the leaves.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

class TreeLevels {
 public:
  /// A sphere of the next level, and the index of its parent in the level above.
  struct Place {
    Sphere ball;
    std::size_t parent = 0;
  };

  /// @param root as it is stored in the tree
  explicit TreeLevels(const Sphere& root);

  /// Assigns slots to the spheres of the next level. The children of each parent get packs of their
  /// own.
  /// @param places in the order of their parents
  /// @param parents slots of the level above
  std::vector<SphereId> add(std::span<const Place> places, std::span<const SphereId> parents);

  /// @param triangles ascending
  void addLeaf(SphereId id, std::vector<std::uint32_t> triangles) {
    leaves_.push_back({id, std::move(triangles)});
  }

  /// Returns the tree, except for the Hausdorff distances.
  [[nodiscard]] SphereTree::Data take(BuildProgress* progress) &&;

 private:
  struct Leaf {
    SphereId id;
    std::vector<std::uint32_t> triangles;
  };
  void addCountedPack();

  SphereTree::Data data_;
  std::vector<Leaf> leaves_;
};

}  // namespace nearmiss
