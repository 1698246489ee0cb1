// SPDX-License-Identifier: MIT
/// Which leaves of a sphere tree have been left out, and what the others list.
#pragma once

#include "coverage/tree_thinning.h"

#include <nearmiss/sphere_tree.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace nearmiss {

class LeafRemoval {
 public:
  /// The leaves that list triangles, by decreasing H, the Hausdorff distance.
  [[nodiscard]] std::vector<SphereId> leavesByHausdorff() const {
    std::vector<SphereId> leaves;
    for (SphereId id = 0; id < lists_.size(); ++id)
      if (!lists_[id].empty()) leaves.push_back(id);
    std::stable_sort(leaves.begin(), leaves.end(), [this](SphereId a, SphereId b) {
      return tree_.hausdorff(a) > tree_.hausdorff(b);
    });
    return leaves;
  }
  [[nodiscard]] ThinnedTree result() && { return {std::move(gone_), std::move(lists_)}; }

 protected:
  /// The tree must outlive this.
  explicit LeafRemoval(const SphereTree& tree)
      : tree_(tree),
        gone_(tree.data().packs.size() * SpherePack::width, false),
        lists_(gone_.size()) {
    for (SphereId id = 0; id < lists_.size(); ++id) {
      if (tree.identity(id) != id) continue;
      const auto listed = tree.trianglesOf(id);
      lists_[id].assign(listed.begin(), listed.end());
    }
  }
  ~LeafRemoval() = default;

  void leaveOut(SphereId leaf) {
    gone_[leaf] = true;
    lists_[leaf].clear();
  }

  const SphereTree& tree_;
  std::vector<bool> gone_;                         ///< per identity
  std::vector<std::vector<std::uint32_t>> lists_;  ///< per leaf: its triangles, ascending
};

}  // namespace nearmiss
