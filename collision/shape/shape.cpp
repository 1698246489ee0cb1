// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <string>
#include <utility>

#include "geometry/solid_cells.h"
#include "spheres/build_plan.h"
#include "spheres/one_sphere_tree.h"

namespace nearmiss {

namespace {

/// The tree that settings select.
struct WantedTree {
  const SphereTreeBuilderEntry* builder = nullptr;  ///< null: none
  SphereTreeSettings settings;
};

/// Errors: Unsupported, for an unknown builder.
Result<WantedTree> wantedTree(const ShapeSettings& settings, std::size_t triangles) {
  const SphereTreeBuilderEntry* named = settings.otherBuilder;
  if (!named && !settings.treeBuilder.empty()) {
    named = findCoreSphereTreeBuilder(settings.treeBuilder);
    if (!named)
      return Error{ErrorCode::Unsupported,
                   "there is no sphere-tree builder \"" + std::string(settings.treeBuilder) + "\""};
  }
  if (!named && settings.quality == TreeQuality::None) return WantedTree{};
  if (!named && settings.quality == TreeQuality::Fast)
    return WantedTree{findCoreSphereTreeBuilder(fastSphereTreeBuilder),
                      fastTreeSettings(settings.tree, triangles, settings.usualAdditions)};
  if (!named) named = findCoreSphereTreeBuilder(defaultSphereTreeBuilder);
  WantedTree wanted{named, settings.tree};
  if (settings.usualAdditions && named->name == defaultSphereTreeBuilder)
    addUsual(usualInnerSpheres, wanted.settings);
  return wanted;
}

}  // namespace

/// Assembles shapes from parts that are known to fit.
class ShapeMaking {
 public:
  static Shape of(std::shared_ptr<const Polyhedron> polyhedron) {
    NEARMISS_DEMAND(polyhedron != nullptr);
    if (polyhedron->report().solid()) SolidCells::prepare(*polyhedron);
    Shape shape;
    shape.polyhedron_ = std::move(polyhedron);
    shape.keptWithMesh_ = std::make_shared<KeptWithShape>();
    return shape;
  }
  static Shape of(std::shared_ptr<const Polyhedron> polyhedron, const MeshCleaning& cleaning) {
    Shape shape = of(std::move(polyhedron));
    shape.cleaning_ = cleaning;
    return shape;
  }
  static void put(Shape& shape, std::shared_ptr<const SphereTree> tree) {
    shape.sphereTree_ = std::move(tree);
    shape.keptWithTree_ = std::make_shared<KeptWithShape>();
  }
  static void put(Shape& shape, std::shared_ptr<const BspTree> tree) {
    shape.bspTree_ = std::move(tree);
  }

  /// Cached with the mesh. Not a Shape, which would keep itself alive.
  struct OneSphere {
    std::shared_ptr<const SphereTree> tree;
    std::shared_ptr<KeptWithShape> kept;
  };
  static Shape withOneSphere(const Shape& shape) {
    const OneSphere& one = KeptWithShape::ofMesh(shape).get<OneSphere>([&shape] {
      return OneSphere{std::make_shared<const SphereTree>(oneSphereTree(shape.polyhedron())),
                       std::make_shared<KeptWithShape>()};
    });
    Shape made = shape;
    made.sphereTree_ = one.tree;
    made.keptWithTree_ = one.kept;
    return made;
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

  /// Builds the tree that settings select.
  static Result<Success> buildTree(Shape& shape, const WantedTree& wanted,
                                   BuildProgress* progress) {
    if (!wanted.builder) return Success{};
    auto tree = buildSphereTree(*wanted.builder, shape.polyhedron(), wanted.settings, progress);
    if (!tree) return tree.error();
    put(shape, std::make_shared<const SphereTree>(*std::move(tree)));
    shape.origin_ = {std::string(wanted.builder->name), hashOf(*wanted.builder, wanted.settings)};
    return Success{};
  }

  static Result<Shape> make(TriangleMesh mesh, const ShapeSettings& settings,
                            BuildProgress* progress) {
    // Check the settings before the mesh, which takes time
    if (const auto known = wantedTree(settings, 0); !known) return known.error();
    const Result<MeshCleaning> cleaning =
        cleanMesh(mesh, settings.weldDistance, cancellationOf(progress));
    if (!cleaning) return cleaning.error();
    Result<Polyhedron> polyhedron =
        makePolyhedron(std::move(mesh), cancellationOf(progress), settings.tree.workers);
    if (!polyhedron) return polyhedron.error();
    Shape shape = of(std::make_shared<const Polyhedron>(*std::move(polyhedron)),
                     joined(settings.cleaned, *cleaning));
    if (settings.warn && !shape.solid()) settings.warn(describe(shape.polyhedron().report()));
    const auto wanted = wantedTree(settings, shape.polyhedron().mesh().triangles.size());
    if (auto built = buildTree(shape, *wanted, progress); !built) return built.error();
    if (settings.bspTree) {
      auto tree = buildBspTree(shape.polyhedron(), {}, progress);
      if (!tree) return tree.error();
      put(shape, std::make_shared<const BspTree>(*std::move(tree)));
    }
    prepareSphereTree(shape, settings.tree.workers);
    if (progress) progress->enter(BuildStage::Done);
    return shape;
  }
};

const TriangleMesh& Shape::mesh() const noexcept { return polyhedron_->mesh(); }

const MeshReport& Shape::report() const noexcept { return polyhedron_->report(); }

Real Shape::radius() const noexcept { return polyhedron_->radius(); }

bool Shape::solid() const noexcept { return report().solid(); }

SolidSide Shape::solidSide() const noexcept {
  if (!solid()) return SolidSide::None;
  return cleaning_.facedInwards ? SolidSide::Turned : SolidSide::AsWound;
}

Shape Shape::of(Polyhedron polyhedron) {
  return of(std::make_shared<const Polyhedron>(std::move(polyhedron)));
}

Shape Shape::of(std::shared_ptr<const Polyhedron> polyhedron) {
  return ShapeMaking::of(std::move(polyhedron));
}

Shape Shape::of(Polyhedron polyhedron, const MeshCleaning& cleaning) {
  return ShapeMaking::of(std::make_shared<const Polyhedron>(std::move(polyhedron)), cleaning);
}

Result<Shape> Shape::tightened(const SphereTreeSettings& tree, BuildProgress* progress) const {
  return orOutOfMemory("cannot make the shape", [&]() -> Result<Shape> {
    Shape made = *this;
    const auto wanted = wantedTree({.quality = TreeQuality::Tight, .tree = tree}, 0);
    if (auto built = ShapeMaking::buildTree(made, *wanted, progress); !built) return built.error();
    prepareSphereTree(made, tree.workers);
    if (progress) progress->enter(BuildStage::Done);
    return made;
  });
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
    made.keptWithTree_ = other.keptWithTree_;
    made.origin_ = other.origin_;
  }
  if (other.bspTree_) made.bspTree_ = other.bspTree_;
  return made;
}

Result<Shape> makeShape(TriangleMesh mesh, const ShapeSettings& settings, BuildProgress* progress) {
  return orOutOfMemory("cannot make the shape",
                       [&] { return ShapeMaking::make(std::move(mesh), settings, progress); });
}

Shape withOneSphere(const Shape& shape) {
  return shape.sphereTree() ? shape : ShapeMaking::withOneSphere(shape);
}

ShapeRef Shapes::add(Shape shape) {
  shapes_.push_back(std::move(shape));
  return ref(shapes_.size() - 1);
}

}  // namespace nearmiss
