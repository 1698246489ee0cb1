// SPDX-License-Identifier: MIT
#include <engine/model/shape_set.h>

#include <algorithm>
#include <utility>

namespace nearmiss::engine {

std::shared_ptr<const ShapeSet> ShapeSet::of(std::vector<LoadedShape> about, Shapes shapes) {
  auto set = std::make_shared<ShapeSet>();
  set->shapes_ = std::move(about);
  set->collision_ = std::move(shapes);
  return set;
}

bool ShapeSet::hasBspTrees() const noexcept {
  return std::ranges::all_of(collision_, [](const Shape& shape) { return shape.bspTree(); });
}

const Polyhedron& ShapeSet::polyhedron(std::uint32_t id) const noexcept {
  return collision_[id].polyhedron();
}

const DrawMesh& ShapeSet::drawMesh(std::uint32_t id) const noexcept {
  return (*draw_)[static_cast<std::size_t>(id)];
}

const SphereTree& ShapeSet::sphereTree(std::uint32_t id) const noexcept {
  return *collision_[id].sphereTree();
}

bool ShapeSet::allBuiltBy(std::string_view builder) const noexcept {
  return std::all_of(shapes_.begin(), shapes_.end(),
                     [&](const LoadedShape& shape) { return shape.treeBuilder == builder; });
}

bool ShapeSet::allHave(std::uint64_t treeHash) const noexcept {
  return std::all_of(shapes_.begin(), shapes_.end(),
                     [&](const LoadedShape& shape) { return shape.treeHash == treeHash; });
}

}  // namespace nearmiss::engine
