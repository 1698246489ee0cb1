// SPDX-License-Identifier: MIT
#include "coverage/level_redundancy.h"

#include "coverage/coverage_lemma.h"
#include "coverage/triangles_meeting.h"

namespace nearmiss {

LevelRedundancy::LevelRedundancy(const Polyhedron& polyhedron, const SphereTree& tree)
    : LeafRemoval(tree),
      polyhedron_(polyhedron),
      parentOf_(lists_.size(), 0),
      children_(lists_.size(), 0),
      levelOf_(lists_.size(), -1),
      meeting_(polyhedron.mesh().triangles.size()),
      trianglesOf_(lists_.size()) {
  std::vector<SphereId> ids;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, ids);
    for (const SphereId id : ids) {
      levelOf_[id] = level;
      std::vector<std::uint32_t> met = trianglesMeeting(polyhedron, tree.sphere(id));
      for (const std::uint32_t t : met) meeting_[t].push_back(id);
      if (tree.childPackCount(id) == 0) trianglesOf_[id] = std::move(met);
    }
  }
  countChildren();
}

void LevelRedundancy::countChildren() {
  const SphereTree::Data& data = tree_.data();
  for (SphereId id = 0; id < lists_.size(); ++id) {
    const std::uint32_t first =
        data.links[id / SpherePack::width].childPack[id % SpherePack::width];
    for (std::uint32_t pack = first; pack < first + tree_.childPackCount(id); ++pack)
      for (SphereId lane = 0; lane < SpherePack::width; ++lane)
        if (data.packs[pack].r[lane] >= 0.0f) {
          parentOf_[pack * SpherePack::width + lane] = id;
          ++children_[id];
        }
  }
}

bool LevelRedundancy::removable(SphereId leaf) const {
  // An only child stays: its parent, which its own level needs, would go with it
  if (leaf == 0 || children_[parentOf_[leaf]] == 1) return false;
  // Does every level that the leaf stands in cover its triangles without it?
  for (int level = levelOf_[leaf]; level < tree_.levelCount(); ++level)
    for (const std::uint32_t t : trianglesOf_[leaf]) {
      std::vector<Sphere> others;
      for (const SphereId id : meeting_[t])
        if (id != leaf && standsAt(id, level)) others.push_back(tree_.sphere(id));
      if (uncoveredPoint(polyhedron_.mesh().corners(t), others)) return false;
    }
  return true;
}

void LevelRedundancy::remove(SphereId leaf) {
  --children_[parentOf_[leaf]];
  leaveOut(leaf);
}

}  // namespace nearmiss
