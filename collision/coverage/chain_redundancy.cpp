// SPDX-License-Identifier: MIT
#include "coverage/chain_redundancy.h"

#include <nearmiss/assertion.h>
#include "coverage/triangles_meeting.h"

#include <algorithm>

namespace nearmiss {

ChainRedundancy::ChainRedundancy(const Polyhedron& polyhedron, const SphereTree& tree)
    : LeafRemoval(tree),
      check_(tree, polyhedron.mesh()),
      listing_(polyhedron.mesh().triangles.size()),
      meeting_(listing_.size()) {
  std::vector<SphereId> ids;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, ids);
    for (const SphereId id : ids) {
      if (tree.childPackCount(id) > 0) continue;
      for (const std::uint32_t t : trianglesMeeting(polyhedron, tree.sphere(id)))
        meeting_[t].push_back(id);
      for (const std::uint32_t t : lists_[id]) listing_[t].push_back(id);
    }
  }
}

/// Leaves that could take a triangle over from `leaf`.
void ChainRedundancy::findTakers(SphereId leaf, std::uint32_t triangle,
                                 std::vector<SphereId>& takers) const {
  const Sphere ball = tree_.sphere(leaf);
  takers.clear();
  for (const SphereId id : meeting_[triangle]) {
    if (id == leaf || gone_[id] || overlap(tree_.sphere(id), ball) <= 0.0) continue;
    if (!std::binary_search(lists_[id].begin(), lists_[id].end(), triangle)) takers.push_back(id);
  }
}

bool ChainRedundancy::removable(SphereId leaf) {
  if (leaf == 0) return false;
  // Does every point of the leaf's triangles have a chain without it? Elsewhere nothing changes
  const Sphere ball = tree_.sphere(leaf);
  takers_.resize(std::max(takers_.size(), lists_[leaf].size()));
  for (std::size_t i = 0; i < lists_[leaf].size(); ++i) {
    const std::uint32_t t = lists_[leaf][i];
    findTakers(leaf, t, takers_[i]);
    std::vector<SphereId> others = takers_[i];
    for (const SphereId id : listing_[t])
      if (id != leaf && !gone_[id] && overlap(tree_.sphere(id), ball) > 0.0) others.push_back(id);
    if (others.empty() || !check_.covered(t, ball, others)) return false;
  }
  return true;
}

void ChainRedundancy::remove(SphereId leaf) {
  NEARMISS_ASSERT(takers_.size() >= lists_[leaf].size(), leaf);
  for (std::size_t i = 0; i < lists_[leaf].size(); ++i) {
    const std::uint32_t t = lists_[leaf][i];
    for (const SphereId id : takers_[i]) {
      lists_[id].insert(std::upper_bound(lists_[id].begin(), lists_[id].end(), t), t);
      listing_[t].push_back(id);
    }
  }
  leaveOut(leaf);
}

}  // namespace nearmiss
