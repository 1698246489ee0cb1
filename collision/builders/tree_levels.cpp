// SPDX-License-Identifier: MIT
#include "builders/tree_levels.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "builders/piece_owners.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {

TreeLevels::TreeLevels(const Sphere& root) {
  addCountedPack();
  store(data_.packs[0], 0, root);
  data_.levelBegin = {0, 1};
}

void TreeLevels::addCountedPack() {
  addPack(data_);
  data_.childPackCount.resize(data_.childPackCount.size() + SpherePack::width, 0);
}

std::vector<SphereId> TreeLevels::add(std::span<const Place> places,
                                      std::span<const SphereId> parents) {
  std::vector<SphereId> ids;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const SphereId parent = parents[places[i].parent];
    const bool first = i == 0 || places[i].parent != places[i - 1].parent;
    if (first)
      data_.links[parent / SpherePack::width].childPack[parent % SpherePack::width] =
          static_cast<std::uint32_t>(data_.packs.size());
    if (first || (ids.back() + 1) % SpherePack::width == 0) {
      addCountedPack();
      ++data_.childPackCount[parent];
      ids.push_back(static_cast<SphereId>((data_.packs.size() - 1) * SpherePack::width));
    } else {
      ids.push_back(ids.back() + 1);
    }
    store(data_.packs.back(), static_cast<int>(ids.back() % SpherePack::width),
          storedBall(places[i].ball));
  }
  data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
  return ids;
}

SphereTree::Data TreeLevels::take(BuildProgress* progress) && {
  data_.identity.resize(data_.childPackCount.size());
  std::iota(data_.identity.begin(), data_.identity.end(), SphereId{0});
  settleSharing(data_);
  if (progress) progress->enter(BuildStage::Triangles);
  std::sort(leaves_.begin(), leaves_.end(),
            [](const Leaf& a, const Leaf& b) { return a.id < b.id; });
  std::vector<SphereId> ids;
  std::vector<std::vector<std::uint32_t>> lists;
  for (Leaf& leaf : leaves_) {
    ids.push_back(leaf.id);
    lists.push_back(std::move(leaf.triangles));
  }
  listTriangles(ids, lists, data_);
  return std::move(data_);
}

}  // namespace nearmiss
