// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "builders/piece_owners.h"
#include "spheres/build_plan.h"
#include "spheres/hausdorff.h"
#include "spheres/sphere_packing.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// A leaf with its slot.
struct Leaf {
  SphereId id;
  std::vector<std::uint32_t> triangles;
};

void addCountedPack(SphereTree::Data& data) {
  addPack(data);
  data.childPackCount.resize(data.childPackCount.size() + SpherePack::width, 0);
}

/// Gives the owners of one level their slots. Children of one parent lie in packs of their own.
std::vector<SphereId> storeLevel(std::span<const PieceOwner> owners,
                                 std::span<const SphereId> parentIds, SphereTree::Data& data) {
  std::vector<SphereId> ids;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const SphereId parent = parentIds[owners[i].parent];
    const bool first = i == 0 || owners[i].parent != owners[i - 1].parent;
    if (first)
      data.links[parent / SpherePack::width].childPack[parent % SpherePack::width] =
          static_cast<std::uint32_t>(data.packs.size());
    if (first || (ids.back() + 1) % SpherePack::width == 0) {
      addCountedPack(data);
      ++data.childPackCount[parent];
      ids.push_back(static_cast<SphereId>((data.packs.size() - 1) * SpherePack::width));
    } else {
      ids.push_back(ids.back() + 1);
    }
    store(data.packs.back(), static_cast<int>(ids.back() % SpherePack::width),
          storedBall(owners[i].ball));
  }
  data.levelBegin.push_back(static_cast<std::uint32_t>(data.packs.size()));
  return ids;
}

void takeLeaves(std::vector<PieceOwner>& owners, std::span<const SphereId> ids,
                std::vector<Leaf>& leaves) {
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (!owners[i].pieces.empty()) leaves.push_back({ids[i], trianglesOf(owners[i].pieces)});
}

Result<SphereTree> built(const Polyhedron& polyhedron,
                         const BuildPlan<VariationalSettings>& settings, BuildProgress* progress) {
  const Error cancelled{ErrorCode::Cancelled, "building the variational tree was cancelled"};
  PieceOwners partition(polyhedron, settings, progress);
  std::vector<PieceOwner> level, next;
  level.push_back(partition.whole());
  SphereTree::Data data;
  addCountedPack(data);
  store(data.packs[0], 0, rootBall(polyhedron, level[0].ball));
  data.levelBegin = {0, 1};
  std::vector<SphereId> ids{0};
  std::vector<Leaf> leaves;

  // Divide the owners of each level; those that stay whole are leaves
  for (int l = 1; l <= settings.levels; ++l) {
    if (!partition.divide(level, l, leaves.size(), next)) return cancelled;
    takeLeaves(level, ids, leaves);
    level.clear();
    if (next.empty()) break;
    ids = storeLevel(next, ids, data);
    std::swap(level, next);
  }
  takeLeaves(level, ids, leaves);
  data.identity.resize(data.childPackCount.size());
  std::iota(data.identity.begin(), data.identity.end(), SphereId{0});
  settleSharing(data);
  if (progress) progress->enter(BuildStage::Triangles);
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.id < b.id; });
  std::vector<SphereId> leafIds;
  std::vector<std::vector<std::uint32_t>> lists;
  for (Leaf& leaf : leaves) {
    leafIds.push_back(leaf.id);
    lists.push_back(std::move(leaf.triangles));
  }
  listTriangles(leafIds, lists, data);
  if (!measureHausdorff(polyhedron, partition.field(), settings, data, progress)) return cancelled;
  return SphereTree(std::move(data));
}

}  // namespace

Result<SphereTree> buildVariationalSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings,
                                              BuildProgress* progress) {
  const auto plan = planOf("variational", settings, settings.variational);
  if (!plan) return plan.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildVariationalSphereTree);
  return orOutOfMemory("cannot build the variational tree",
                       [&] { return built(polyhedron, *plan, progress); });
}

}  // namespace nearmiss
