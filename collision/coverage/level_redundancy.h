// SPDX-License-Identifier: MIT
/// Leaves without which every level as a whole still covers the surface [H96 §9.1, §12].
#pragma once

#include "coverage/leaf_removal.h"

#include <nearmiss/polyhedron.h>

namespace nearmiss {

/// For trees, not DAGs, whose coverage is the paper's.
class LevelRedundancy : public LeafRemoval {
 public:
  /// Both must outlive this.
  LevelRedundancy(const Polyhedron& polyhedron, const SphereTree& tree);

  [[nodiscard]] bool removable(SphereId leaf) const;
  void remove(SphereId leaf);

 private:
  [[nodiscard]] bool standsAt(SphereId id, int level) const noexcept {
    return !gone_[id] &&
           (levelOf_[id] == level || (levelOf_[id] < level && tree_.childPackCount(id) == 0));
  }
  void countChildren();

  const Polyhedron& polyhedron_;
  std::vector<SphereId> parentOf_;
  std::vector<std::uint32_t> children_;  ///< how many are left
  std::vector<int> levelOf_;
  std::vector<std::vector<SphereId>> meeting_;           ///< per triangle: spheres that meet it
  std::vector<std::vector<std::uint32_t>> trianglesOf_;  ///< per leaf: those it meets
};

}  // namespace nearmiss
