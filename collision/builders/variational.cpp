// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/out_of_memory.h>

#include <utility>

#include "builders/piece_owners.h"
#include "builders/tree_levels.h"
#include "spheres/build_plan.h"
#include "spheres/hausdorff.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// Makes leaves of the owners that were not divided. Returns their number.
std::size_t addLeaves(std::span<const PieceOwner> owners, std::span<const SphereId> ids,
                      TreeLevels& levels) {
  std::size_t added = 0;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i].pieces.empty()) continue;
    levels.addLeaf(ids[i], trianglesOf(owners[i].pieces));
    ++added;
  }
  return added;
}

Result<SphereTree> built(const Polyhedron& polyhedron,
                         const BuildPlan<VariationalSettings>& settings, BuildProgress* progress) {
  const Error cancelled{ErrorCode::Cancelled, "building the variational tree was cancelled"};
  PieceOwners partition(polyhedron, settings, progress);
  std::vector<PieceOwner> level, next;
  level.push_back(partition.whole());
  TreeLevels levels(rootBall(polyhedron, level[0].ball));
  std::vector<SphereId> ids{0};
  std::size_t leaves = 0;

  // Divide the owners of each level; those that stay whole are leaves
  for (int l = 1; l <= settings.levels; ++l) {
    if (!partition.divide(level, l, leaves, next)) return cancelled;
    leaves += addLeaves(level, ids, levels);
    level.clear();
    if (next.empty()) break;
    std::vector<TreeLevels::Place> places;
    for (const PieceOwner& owner : next) places.push_back({owner.ball, owner.parent});
    ids = levels.add(places, ids);
    std::swap(level, next);
  }
  addLeaves(level, ids, levels);
  SphereTree::Data data = std::move(levels).take(progress);
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
