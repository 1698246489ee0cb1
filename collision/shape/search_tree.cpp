// SPDX-License-Identifier: MIT
#include "shape/search_tree.h"

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "shape/box_hierarchy.h"

namespace nearmiss {

void SearchTree::take(const Polyhedron& polyhedron, const SphereTree& tree) {
  const SphereTree::Data& data = tree.data();
  packs_.resize(data.packs.size());
  for (std::size_t i = 0; i < data.packs.size(); ++i) {
    SearchPack& pack = packs_[i];
    std::ranges::copy(data.packs[i].x, pack.x);
    std::ranges::copy(data.packs[i].y, pack.y);
    std::ranges::copy(data.packs[i].z, pack.z);
    std::ranges::copy(data.packs[i].r, pack.r);
    std::ranges::copy(data.links[i].childPack, pack.child);
    for (std::size_t lane = 0; lane < SpherePack::width; ++lane) {
      if (tree.childPackCount(static_cast<SphereId>(i * SpherePack::width + lane)) == 0)
        pack.child[lane] = SphereLinks::none;
      if (pack.r[lane] >= 0.0f) continue;
      pack.x[lane] = std::numeric_limits<float>::infinity();
      pack.r[lane] = 0.0f;
    }
  }
  boxes_.clear();
  for (const NodeBox& box : data.boxes.boxes) boxes_.emplace_back(box);
  reach_ = std::max(tree.reach(), polyhedron.radius());
}

const SearchTree& searchTreeOf(const Shape& shape) {
  return KeptWithShape::ofTree(shape).get<SearchTree>(
      [&shape] { return SearchTree(shape.polyhedron(), *shape.sphereTree()); });
}

void prepareSphereTree(const Shape& shape, int workers) {
  static_cast<void>(boxHierarchyOf(shape, workers));
  if (shape.sphereTree()) static_cast<void>(searchTreeOf(shape));
}

}  // namespace nearmiss
