// SPDX-License-Identifier: MIT
#include "spheres/coverage.h"

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace nearmiss {
namespace {

/// Which leaves of a tree have been removed, and the triangles of the others.
class LeafRemoval {
 public:
  /// Returns the leaves that list triangles, by decreasing H (Hausdorff distance).
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

/// Finds leaves without which every point of the surface still has a chain of spheres [H96 §12],
/// for trees whose coverage is Guaranteed. Leaves nearby receive the triangles of a removed leaf.
class ChainRedundancy : public LeafRemoval {
 public:
  /// All arguments must outlive this.
  ChainRedundancy(const Polyhedron& polyhedron, const SphereTree& tree,
                  const std::atomic<bool>* cancelled);

  /// Once cancelled, returns soon with a meaningless result.
  [[nodiscard]] bool removable(SphereId leaf);
  /// @pre the last call was removable(leaf), and returned true
  void remove(SphereId leaf);

 private:
  void findTakers(SphereId leaf, std::uint32_t triangle, std::vector<SphereId>& takers) const;

  CoverageChains check_;
  std::vector<std::vector<SphereId>> listing_;  ///< per triangle: leaves that list it
  std::vector<std::vector<SphereId>> meeting_;  ///< per triangle: leaves that meet it
  /// per triangle of the last removable(): leaves that could receive it
  std::vector<std::vector<SphereId>> takers_;
};

/// Finds leaves without which every level as a whole still covers the surface [H96 §9.1, §12]. For
/// trees, not DAGs, whose coverage is that of the paper.
class LevelRedundancy : public LeafRemoval {
 public:
  /// All arguments must outlive this.
  LevelRedundancy(const Polyhedron& polyhedron, const SphereTree& tree,
                  const std::atomic<bool>* cancelled);

  /// Once cancelled, returns soon with a meaningless result.
  [[nodiscard]] bool removable(SphereId leaf) const;
  void remove(SphereId leaf);

 private:
  [[nodiscard]] bool standsAt(SphereId id, int level) const noexcept {
    return !gone_[id] &&
           (levelOf_[id] == level || (levelOf_[id] < level && tree_.childPackCount(id) == 0));
  }
  void countChildren();

  const Polyhedron& polyhedron_;
  const std::atomic<bool>* cancelled_;
  std::vector<SphereId> parentOf_;
  std::vector<std::uint32_t> children_;  ///< number of remaining children
  std::vector<int> levelOf_;
  std::vector<std::vector<SphereId>> meeting_;           ///< per triangle: spheres that meet it
  std::vector<std::vector<std::uint32_t>> trianglesOf_;  ///< per leaf: triangles that it meets
};

ChainRedundancy::ChainRedundancy(const Polyhedron& polyhedron, const SphereTree& tree,
                                 const std::atomic<bool>* cancelled)
    : LeafRemoval(tree),
      check_(tree, polyhedron.mesh(), cancelled),
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

/// Finds leaves that could receive a triangle from `leaf`.
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
  // Test whether every point of the leaf's triangles has a chain without it. Nothing changes
  // elsewhere
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

LevelRedundancy::LevelRedundancy(const Polyhedron& polyhedron, const SphereTree& tree,
                                 const std::atomic<bool>* cancelled)
    : LeafRemoval(tree),
      polyhedron_(polyhedron),
      cancelled_(cancelled),
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
  // Keep an only child: removing it would remove its parent, which its own level needs
  if (leaf == 0 || children_[parentOf_[leaf]] == 1) return false;
  // Test whether every level that contains the leaf covers its triangles without it
  for (int level = levelOf_[leaf]; level < tree_.levelCount(); ++level)
    for (const std::uint32_t t : trianglesOf_[leaf]) {
      std::vector<Sphere> others;
      for (const SphereId id : meeting_[t])
        if (id != leaf && standsAt(id, level)) others.push_back(tree_.sphere(id));
      if (uncoveredPoint(polyhedron_.mesh().corners(t), others, cancelled_)) return false;
    }
  return true;
}

void LevelRedundancy::remove(SphereId leaf) {
  --children_[parentOf_[leaf]];
  leaveOut(leaf);
}

template <class Removal>
bool removeAll(Removal removal, const SphereTree& tree, SphereTree::Data& data,
               BuildProgress* progress) {
  const std::vector<SphereId> leaves = removal.leavesByHausdorff();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (wasCancelled(progress)) return false;
    if (progress) progress->advance(i, leaves.size());
    if (removal.removable(leaves[i])) removal.remove(leaves[i]);
  }
  if (wasCancelled(progress)) return false;
  data = thinned(tree, std::move(removal).result());
  return true;
}

}  // namespace

bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data, BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Redundancy);
  const std::atomic<bool>* cancelled = cancellationOf(progress);
  const SphereTree tree(data);
  return tree.coverage() == Coverage::Guaranteed
             ? removeAll(ChainRedundancy(polyhedron, tree, cancelled), tree, data, progress)
             : removeAll(LevelRedundancy(polyhedron, tree, cancelled), tree, data, progress);
}

}  // namespace nearmiss
