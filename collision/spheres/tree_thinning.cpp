// SPDX-License-Identifier: MIT
#include "spheres/coverage.h"

#include <algorithm>

#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

class Thinning {
 public:
  Thinning(const SphereTree& tree, const ThinnedTree& what)
      : tree_(tree), old_(tree.data()), shared_(!tree.data().identity.empty()) {
    gone_ = what.gone;
    fresh_.assign(gone_.size(), SphereLinks::none);
    data_.coverage = old_.coverage;
    data_.inner = old_.inner;
  }

  SphereTree::Data run(const std::vector<std::vector<std::uint32_t>>& lists);

 private:
  [[nodiscard]] std::vector<SphereId> childrenOf(SphereId id) const;
  void dropChildless();
  void place(const std::vector<SphereId>& siblings, std::vector<SphereId>& nextLevel);
  void linkSlots();
  void listTriangles(const std::vector<std::vector<std::uint32_t>>& lists);

  const SphereTree& tree_;
  const SphereTree::Data& old_;
  std::vector<bool> gone_;            ///< per old identity
  std::vector<SphereId> fresh_;       ///< per old identity: the first of its new slots
  std::vector<SphereId> origin_;      ///< per new slot: the old identity, or none
  std::vector<std::uint32_t> first_;  ///< per old identity: its first new pack of children
  std::vector<std::uint32_t> packs_;  ///< per old identity: number of packs
  bool shared_;                       ///< whether slots have identities and counts of packs
  SphereTree::Data data_;
};

/// Returns the remaining children, without duplicates, in the order of their slots.
std::vector<SphereId> Thinning::childrenOf(SphereId id) const {
  std::vector<SphereId> children;
  const std::uint32_t first = old_.links[id / SpherePack::width].childPack[id % SpherePack::width];
  for (std::uint32_t pack = first; pack < first + tree_.childPackCount(id); ++pack)
    for (SphereId lane = 0; lane < SpherePack::width; ++lane) {
      if (old_.packs[pack].r[lane] < 0.0f) continue;
      const SphereId child = tree_.identity(pack * SpherePack::width + lane);
      if (!gone_[child]) children.push_back(child);
    }
  return children;
}

void Thinning::dropChildless() {
  // Bottom-up, so that a whole branch can be removed
  std::vector<SphereId> ids;
  for (int level = tree_.levelCount() - 2; level > 0; --level) {
    tree_.spheresOf(level, ids);
    for (const SphereId id : ids)
      if (tree_.childPackCount(id) > 0 && childrenOf(id).empty()) gone_[id] = true;
  }
}

/// Appends packs for siblings. A sphere that had no slot before is divided in the next level.
void Thinning::place(const std::vector<SphereId>& siblings, std::vector<SphereId>& nextLevel) {
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    const int lane = static_cast<int>(i % SpherePack::width);
    if (lane == 0) {
      addPack(data_);
      origin_.resize(origin_.size() + SpherePack::width, SphereLinks::none);
    }
    const SphereId id = siblings[i];
    const auto at = static_cast<SphereId>((data_.packs.size() - 1) * SpherePack::width) +
                    static_cast<SphereId>(lane);
    store(data_.packs.back(), lane, tree_.sphere(id));
    data_.links.back().hausdorff[lane] =
        old_.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
    origin_[at] = id;
    if (fresh_[id] != SphereLinks::none) continue;
    fresh_[id] = at;
    nextLevel.push_back(id);
  }
}

/// Links every slot of a sphere to its children; in a DAG, also stores its identity.
void Thinning::linkSlots() {
  if (shared_) {
    data_.identity.resize(origin_.size());
    data_.childPackCount.assign(origin_.size(), 0);
  }
  for (SphereId at = 0; at < origin_.size(); ++at) {
    const SphereId id = origin_[at];
    if (shared_) data_.identity[at] = id == SphereLinks::none ? at : fresh_[id];
    if (id == SphereLinks::none || first_[id] == SphereLinks::none) continue;
    data_.links[at / SpherePack::width].childPack[at % SpherePack::width] = first_[id];
    if (shared_) data_.childPackCount[at] = packs_[id];
  }
}

void Thinning::listTriangles(const std::vector<std::vector<std::uint32_t>>& lists) {
  data_.triangleBegin.assign(origin_.size() + 1, 0);
  for (SphereId at = 0; at < origin_.size(); ++at) {
    const SphereId id = origin_[at];
    if (id != SphereLinks::none && fresh_[id] == at)
      data_.leafTriangles.insert(data_.leafTriangles.end(), lists[id].begin(), lists[id].end());
    data_.triangleBegin[at + 1] = static_cast<std::uint32_t>(data_.leafTriangles.size());
  }
}

SphereTree::Data Thinning::run(const std::vector<std::vector<std::uint32_t>>& lists) {
  dropChildless();
  first_.assign(gone_.size(), SphereLinks::none);
  packs_.assign(gone_.size(), 0);
  std::vector<SphereId> level, next;
  place({0}, level);
  data_.levelBegin = {0, 1};
  while (!level.empty()) {
    next.clear();
    for (const SphereId id : level) {
      const std::vector<SphereId> children = childrenOf(id);
      const auto before = static_cast<std::uint32_t>(data_.packs.size());
      if (!children.empty()) first_[id] = before;
      place(children, next);
      packs_[id] = static_cast<std::uint32_t>(data_.packs.size()) - before;
    }
    if (!next.empty()) data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
    std::swap(level, next);
  }
  linkSlots();
  settleSharing(data_);
  listTriangles(lists);
  return std::move(data_);
}

}  // namespace

SphereTree::Data thinned(const SphereTree& tree, const ThinnedTree& what) {
  return Thinning(tree, what).run(what.lists);
}

}  // namespace nearmiss
