// SPDX-License-Identifier: MIT
#include "builders/dag_storage.h"

#include <algorithm>
#include <utility>

#include "builders/piece_owners.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// Returns the ids of the level's spheres.
std::vector<SphereId> storeDagLevel(const DagSpheres& parents, std::span<const SphereId> parentIds,
                                    const DagSpheres& level, SphereTree::Data& data) {
  std::vector<SphereId> ids(level.balls.size(), SphereLinks::none);
  // Parents in breadth-first order, which is the order of their slots
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parentIds.size(); ++i)
    if (parentIds[i] != SphereLinks::none) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return parentIds[a] < parentIds[b]; });
  for (const std::size_t parent : order) {
    const SphereId id = parentIds[parent];
    const std::vector<std::uint32_t>& children = parents.children[parent];
    if (children.empty()) continue;
    data.links[id / SpherePack::width].childPack[id % SpherePack::width] =
        static_cast<std::uint32_t>(data.packs.size());
    data.childPackCount[id] = static_cast<std::uint32_t>((children.size() + 7) / SpherePack::width);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const int lane = static_cast<int>(i % SpherePack::width);
      if (lane == 0) {
        addPack(data);
        for (int k = 0; k < SpherePack::width; ++k) {
          data.identity.push_back(static_cast<SphereId>(data.identity.size()));
          data.childPackCount.push_back(0);
        }
      }
      store(data.packs.back(), lane, level.balls[children[i]]);
      const auto slot = static_cast<SphereId>((data.packs.size() - 1) * SpherePack::width) +
                        static_cast<SphereId>(lane);
      SphereId& own = ids[children[i]];
      if (own == SphereLinks::none) own = slot;
      data.identity[slot] = own;
    }
  }
  data.levelBegin.push_back(static_cast<std::uint32_t>(data.packs.size()));
  return ids;
}

}  // namespace

std::vector<SphereId> storeDag(std::span<const DagSpheres* const> levels, SphereTree::Data& data) {
  addPack(data);
  store(data.packs[0], 0, levels[0]->balls[0]);
  data.levelBegin = {0, 1};
  for (SphereId id = 0; id < SpherePack::width; ++id) data.identity.push_back(id);
  data.childPackCount.assign(SpherePack::width, 0);
  std::vector<SphereId> ids{0};
  for (std::size_t l = 1; l < levels.size(); ++l)
    ids = storeDagLevel(*levels[l - 1], ids, *levels[l], data);
  // The links of a sphere are known only now: copy them to all of its slots
  for (SphereId id = 0; id < data.identity.size(); ++id) {
    const SphereId own = data.identity[id];
    data.links[id / SpherePack::width].childPack[id % SpherePack::width] =
        data.links[own / SpherePack::width].childPack[own % SpherePack::width];
    data.childPackCount[id] = data.childPackCount[own];
  }
  return ids;
}

void listDagLeaves(std::span<const SphereId> ids, std::span<const std::vector<std::uint32_t>> lists,
                   SphereTree::Data& data) {
  std::vector<std::pair<SphereId, std::size_t>> order;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != SphereLinks::none) order.emplace_back(ids[i], i);
  std::sort(order.begin(), order.end());
  std::vector<SphereId> sorted;
  std::vector<std::vector<std::uint32_t>> sortedLists;
  for (const auto& [id, i] : order) {
    sorted.push_back(id);
    sortedLists.push_back(lists[i]);
  }
  listTriangles(sorted, sortedLists, data);
}

}  // namespace nearmiss
