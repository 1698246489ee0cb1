// SPDX-License-Identifier: MIT
#include <nearmiss/mesh_input.h>
#include <nearmiss/shape.h>

#include <string>
#include <utility>

#include "geometry/convex_polytope.h"
#include "on_demand.h"
#include "out_of_memory.h"
#include "spheres/inner_spheres.h"
#include "volumes/distance_tree.h"
#include "witness/search_tree.h"

namespace nearmiss {

/// Puts shapes together from parts that are known to fit.
class ShapeMaking {
 public:
  static Shape of(std::shared_ptr<const Polyhedron> polyhedron) {
    NEARMISS_DEMAND(polyhedron != nullptr);
    Shape shape;
    shape.hull_ = std::make_shared<OnDemand<ConvexPolytope>>(
        [polyhedron] { return ConvexPolytope(convexHull(polyhedron->mesh().positions)); });
    shape.distanceTree_ = std::make_shared<OnDemand<DistanceTree>>(
        [polyhedron] { return DistanceTree(polyhedron->mesh()); });
    shape.polyhedron_ = std::move(polyhedron);
    return shape;
  }
  static Shape of(std::shared_ptr<const Polyhedron> polyhedron, const MeshCleaning& cleaning) {
    Shape shape = of(std::move(polyhedron));
    shape.cleaning_ = cleaning;
    return shape;
  }
  static void put(Shape& shape, std::shared_ptr<const SphereTree> tree) {
    const auto polyhedron = shape.polyhedron_;
    shape.searchTree_ = std::make_shared<OnDemand<SearchTree>>(
        [polyhedron, tree] { return SearchTree(*polyhedron, *tree); });
    shape.innerComponents_ = std::make_shared<OnDemand<InnerComponents>>(
        [polyhedron, tree] { return InnerComponents(*polyhedron, tree->data().inner); });
    shape.sphereTree_ = std::move(tree);
  }
  static void put(Shape& shape, std::shared_ptr<const BspTree> tree) {
    shape.bspTree_ = std::move(tree);
  }

  template <class Tree>
  static Result<Shape> with(const Shape& shape, std::shared_ptr<const Tree> tree) {
    if (!tree) return Error{ErrorCode::Unsupported, "cannot use the tree: there is none"};
    return orOutOfMemory("cannot use the tree", [&]() -> Result<Shape> {
      if (auto sound = checkTree(*tree, shape.polyhedron()); !sound) return sound.error();
      Shape made = shape;
      put(made, std::move(tree));
      return made;
    });
  }

  static Result<Shape> make(TriangleMesh mesh, const ShapeSettings& settings,
                            const SphereTreeBuilderEntry* builder, BuildProgress* progress) {
    const Result<MeshCleaning> cleaning = cleanMeshChecked(mesh, settings.weldDistance);
    if (!cleaning) return cleaning.error();
    Result<Polyhedron> polyhedron = makePolyhedron(std::move(mesh));
    if (!polyhedron) return polyhedron.error();
    Shape shape = of(std::make_shared<const Polyhedron>(*std::move(polyhedron)), *cleaning);
    if (builder) {
      auto tree = buildSphereTree(*builder, shape.polyhedron(), settings.tree, progress);
      if (!tree) return tree.error();
      put(shape, std::make_shared<const SphereTree>(*std::move(tree)));
      shape.origin_ = {std::string(builder->name), hashOf(builder->name, settings.tree)};
    }
    if (settings.bspTree) {
      auto tree = buildBspTree(shape.polyhedron(), {}, progress);
      if (!tree) return tree.error();
      put(shape, std::make_shared<const BspTree>(*std::move(tree)));
    }
    if (progress) progress->enter(BuildStage::Done);
    return shape;
  }
};

const SearchTree& Shape::searchTree() const {
  NEARMISS_DEMAND(searchTree_ != nullptr);
  return searchTree_->get();
}

const InnerComponents& Shape::innerComponents() const {
  NEARMISS_DEMAND(innerComponents_ != nullptr);
  return innerComponents_->get();
}

const ConvexPolytope& Shape::hull() const { return hull_->get(); }

const DistanceTree& Shape::distanceTree() const { return distanceTree_->get(); }

Shape Shape::of(Polyhedron polyhedron) {
  return of(std::make_shared<const Polyhedron>(std::move(polyhedron)));
}

Shape Shape::of(std::shared_ptr<const Polyhedron> polyhedron) {
  return ShapeMaking::of(std::move(polyhedron));
}

Shape Shape::of(Polyhedron polyhedron, const MeshCleaning& cleaning) {
  return ShapeMaking::of(std::make_shared<const Polyhedron>(std::move(polyhedron)), cleaning);
}

Result<Shape> Shape::with(SphereTree tree, TreeOrigin origin) const {
  return orOutOfMemory("cannot use the tree", [&] {
    return with(std::make_shared<const SphereTree>(std::move(tree)), std::move(origin));
  });
}

Result<Shape> Shape::with(std::shared_ptr<const SphereTree> tree, TreeOrigin origin) const {
  auto made = ShapeMaking::with(*this, std::move(tree));
  if (made) made->origin_ = std::move(origin);
  return made;
}

Result<Shape> Shape::with(BspTree tree) const {
  return orOutOfMemory("cannot use the tree",
                       [&] { return with(std::make_shared<const BspTree>(std::move(tree))); });
}

Result<Shape> Shape::with(std::shared_ptr<const BspTree> tree) const {
  return ShapeMaking::with(*this, std::move(tree));
}

Shape Shape::withTreesOf(const Shape& other) const {
  NEARMISS_DEMAND(sharesMeshWith(other));
  Shape made = *this;
  if (other.sphereTree_) {
    made.sphereTree_ = other.sphereTree_;
    made.searchTree_ = other.searchTree_;
    made.innerComponents_ = other.innerComponents_;
    made.origin_ = other.origin_;
  }
  if (other.bspTree_) made.bspTree_ = other.bspTree_;
  return made;
}

Result<Shape> makeShape(TriangleMesh mesh, const ShapeSettings& settings, BuildProgress* progress) {
  const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(settings.treeBuilder);
  if (!builder && !settings.treeBuilder.empty())
    return Error{ErrorCode::Unsupported,
                 "there is no sphere-tree builder \"" + std::string(settings.treeBuilder) + "\""};
  return orOutOfMemory("cannot make the shape", [&] {
    return ShapeMaking::make(std::move(mesh), settings, builder, progress);
  });
}

ShapeRef Shapes::add(Shape shape) {
  shapes_.push_back(std::move(shape));
  return ref(ShapeId{static_cast<std::uint32_t>(shapes_.size() - 1)});
}

}  // namespace nearmiss
