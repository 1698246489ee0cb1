// SPDX-License-Identifier: MIT
#include "coverage/redundancy.h"

#include "coverage/chain_redundancy.h"
#include "coverage/level_redundancy.h"

#include <utility>

namespace nearmiss {
namespace {

template <class Removal>
bool removeAll(Removal removal, const SphereTree& tree, SphereTree::Data& data,
               BuildProgress* progress) {
  const std::vector<SphereId> leaves = removal.leavesByHausdorff();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (progress && progress->cancelled) return false;
    if (progress) progress->fraction = static_cast<float>(i) / static_cast<float>(leaves.size());
    if (removal.removable(leaves[i])) removal.remove(leaves[i]);
  }
  data = thinned(tree, std::move(removal).result());
  return true;
}

}  // namespace

bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data, BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Redundancy);
  const SphereTree tree(data);
  return tree.coverage() == Coverage::Guaranteed
             ? removeAll(ChainRedundancy(polyhedron, tree), tree, data, progress)
             : removeAll(LevelRedundancy(polyhedron, tree), tree, data, progress);
}

}  // namespace nearmiss
