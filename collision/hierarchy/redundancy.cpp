// SPDX-License-Identifier: MIT
#include "hierarchy/redundancy.h"

#include "geometry/closest_points.h"
#include "hierarchy/coverage_chains.h"
#include "hierarchy/coverage_lemma.h"
#include "hierarchy/enlarging_cover.h"
#include "hierarchy/tree_thinning.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace nearmiss {
namespace {

class Redundancy {
 public:
  Redundancy(const Polyhedron& polyhedron, const SphereTree& tree);

  /// Which leaves, by decreasing H.
  [[nodiscard]] std::vector<SphereId> leavesByInaccuracy() const;
  [[nodiscard]] bool removable(SphereId leaf);
  void remove(SphereId leaf);
  [[nodiscard]] ThinnedTree result() && { return {std::move(gone_), std::move(lists_)}; }

 private:
  [[nodiscard]] bool standsAt(SphereId id, int level) const noexcept {
    return !gone_[id] &&
           (levelOf_[id] == level || (levelOf_[id] < level && tree_.childPackCount(id) == 0));
  }
  void findMeeting();
  void countChildren();
  [[nodiscard]] std::vector<SphereId> takers(SphereId leaf, std::uint32_t triangle) const;
  [[nodiscard]] bool chainsStay(SphereId leaf);
  [[nodiscard]] bool levelsStay(SphereId leaf) const;

  const Polyhedron& polyhedron_;
  const SphereTree& tree_;
  CoverageChains check_;
  std::vector<bool> gone_;                               ///< per identity
  std::vector<SphereId> parentOf_;                       ///< per identity; of a tree
  std::vector<std::uint32_t> children_;                  ///< per identity: how many are left
  std::vector<int> levelOf_;                             ///< per identity
  std::vector<std::vector<std::uint32_t>> lists_;        ///< per leaf: its triangles
  std::vector<std::vector<SphereId>> listing_;           ///< per triangle: leaves that have it
  std::vector<std::vector<SphereId>> meeting_;           ///< per triangle: spheres that meet it
  std::vector<std::vector<std::uint32_t>> trianglesOf_;  ///< per leaf: those it meets
};

Redundancy::Redundancy(const Polyhedron& polyhedron, const SphereTree& tree)
    : polyhedron_(polyhedron), tree_(tree), check_(tree, polyhedron.mesh()) {
  const std::size_t places = tree.data().packs.size() * SpherePack::width;
  gone_.assign(places, false);
  levelOf_.assign(places, -1);
  lists_.resize(places);
  trianglesOf_.resize(places);
  listing_.resize(polyhedron.mesh().triangles.size());
  meeting_.resize(polyhedron.mesh().triangles.size());
  findMeeting();
  countChildren();
}

void Redundancy::countChildren() {
  const SphereTree::Data& data = tree_.data();
  parentOf_.assign(lists_.size(), 0);
  children_.assign(lists_.size(), 0);
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

void Redundancy::findMeeting() {
  std::vector<SphereId> ids;
  for (int level = 0; level < tree_.levelCount(); ++level) {
    tree_.spheresOf(level, ids);
    for (const SphereId id : ids) {
      levelOf_[id] = level;
      const bool leaf = tree_.childPackCount(id) == 0;
      if (!leaf && tree_.coverage() == Coverage::Guaranteed) continue;
      std::vector<std::uint32_t> met = trianglesMeeting(polyhedron_, tree_.sphere(id));
      for (const std::uint32_t t : met) meeting_[t].push_back(id);
      if (!leaf) continue;
      trianglesOf_[id] = std::move(met);
      const auto listed = tree_.trianglesOf(id);
      lists_[id].assign(listed.begin(), listed.end());
      for (const std::uint32_t t : listed) listing_[t].push_back(id);
    }
  }
}

std::vector<SphereId> Redundancy::leavesByInaccuracy() const {
  std::vector<SphereId> leaves;
  for (SphereId id = 0; id < lists_.size(); ++id)
    if (!lists_[id].empty()) leaves.push_back(id);
  std::stable_sort(leaves.begin(), leaves.end(), [this](SphereId a, SphereId b) {
    return tree_.hausdorff(a) > tree_.hausdorff(b);
  });
  return leaves;
}

bool Redundancy::removable(SphereId leaf) {
  if (leaf == 0) return false;
  return tree_.coverage() == Coverage::Guaranteed ? chainsStay(leaf) : levelsStay(leaf);
}

/// Leaves that could take a triangle over from `leaf`.
std::vector<SphereId> Redundancy::takers(SphereId leaf, std::uint32_t triangle) const {
  const Sphere ball = tree_.sphere(leaf);
  std::vector<SphereId> found;
  for (const SphereId id : meeting_[triangle]) {
    if (id == leaf || gone_[id] || overlap(tree_.sphere(id), ball) <= 0.0) continue;
    if (!std::binary_search(lists_[id].begin(), lists_[id].end(), triangle)) found.push_back(id);
  }
  return found;
}

/// Whether every point of the leaf's triangles has a chain without it: elsewhere nothing changes.
bool Redundancy::chainsStay(SphereId leaf) {
  const Sphere ball = tree_.sphere(leaf);
  for (const std::uint32_t t : lists_[leaf]) {
    std::vector<SphereId> others = takers(leaf, t);
    for (const SphereId id : listing_[t])
      if (id != leaf && !gone_[id] && overlap(tree_.sphere(id), ball) > 0.0) others.push_back(id);
    if (others.empty() || !check_.covered(t, ball, others)) return false;
  }
  return true;
}

/// Whether every level that the leaf stands in covers its triangles without it. An only child
/// stays, because its parent, which its own level needs, would go with it.
bool Redundancy::levelsStay(SphereId leaf) const {
  if (children_[parentOf_[leaf]] == 1) return false;
  for (int level = levelOf_[leaf]; level < tree_.levelCount(); ++level)
    for (const std::uint32_t t : trianglesOf_[leaf]) {
      std::vector<Sphere> others;
      for (const SphereId id : meeting_[t])
        if (id != leaf && standsAt(id, level)) others.push_back(tree_.sphere(id));
      if (uncoveredPoint(polyhedron_.mesh().corners(t), others)) return false;
    }
  return true;
}

void Redundancy::remove(SphereId leaf) {
  if (tree_.coverage() == Coverage::Guaranteed)
    for (const std::uint32_t t : lists_[leaf])
      for (const SphereId id : takers(leaf, t)) {
        lists_[id].insert(std::upper_bound(lists_[id].begin(), lists_[id].end(), t), t);
        listing_[t].push_back(id);
      }
  gone_[leaf] = true;
  --children_[parentOf_[leaf]];
  lists_[leaf].clear();
}

}  // namespace

bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data, BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Redundancy);
  const SphereTree tree(data);
  Redundancy redundancy(polyhedron, tree);
  const std::vector<SphereId> leaves = redundancy.leavesByInaccuracy();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (progress && progress->cancelled) return false;
    if (progress) progress->fraction = static_cast<float>(i) / static_cast<float>(leaves.size());
    if (redundancy.removable(leaves[i])) redundancy.remove(leaves[i]);
  }
  data = thinned(tree, std::move(redundancy).result());
  return true;
}

}  // namespace nearmiss
