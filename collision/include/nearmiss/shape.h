// SPDX-License-Identifier: MIT
/// One object, ready to collide: its polyhedron and the trees that were built around it.
///
/// Does: make shapes from any triangles, report what was repaired and what could not be, put shapes
/// together for a detector.
/// Does not: hold the poses of bodies, or read files (see files.h).
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/bsp_tree.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss {

/// The builder of a sphere tree: the name of its entry and hashOf() its settings.
/// Empty and 0 for a tree of unknown origin.
struct TreeOrigin {
  std::string builder;
  std::uint64_t settingsHash = 0;
};

/// On which side of its surface a shape is solid.
enum class SolidSide : std::uint8_t {
  None,     ///< inside and outside are not defined: only surfaces collide
  AsWound,  ///< behind its faces, as they were given
  /// Closed pieces were given that face inwards, as the walls of a room do. They were turned: what
  /// they enclose is solid, and not what is around it.
  Turned,
};

/// Immutable and shared: a copy is a few pointers, and may be used by any thread.
class Shape {
 public:
  [[nodiscard]] const Polyhedron& polyhedron() const noexcept { return *polyhedron_; }
  /// Null without a sphere tree.
  [[nodiscard]] const SphereTree* sphereTree() const noexcept { return sphereTree_.get(); }
  [[nodiscard]] const BspTree* bspTree() const noexcept { return bspTree_.get(); }
  [[nodiscard]] const TreeOrigin& treeOrigin() const noexcept { return origin_; }
  /// Metres about the origin of the body frame, rounded up: the body's centre of rotation.
  [[nodiscard]] Real radius() const noexcept { return polyhedron_->radius(); }
  /// Inside and outside are defined, so that contact of one body within another is found. If not,
  /// only surfaces collide; describe(polyhedron().report()) says why.
  [[nodiscard]] bool solid() const noexcept { return polyhedron_->report().solid(); }
  [[nodiscard]] SolidSide solidSide() const noexcept {
    if (!solid()) return SolidSide::None;
    return cleaning_.facedInwards ? SolidSide::Turned : SolidSide::AsWound;
  }
  /// The changes that makeShape() made to the triangles it was given.
  [[nodiscard]] const MeshCleaning& cleaning() const noexcept { return cleaning_; }
  /// True if both use the very same mesh.
  [[nodiscard]] bool sharesMeshWith(const Shape& other) const noexcept {
    return polyhedron_ == other.polyhedron_;
  }

  /// Builds the tree of TreeQuality::Tight for the same mesh, which takes seconds. May run on
  /// another thread while this shape is in use; give the result to bodies when it is done.
  /// Errors: Unsupported (a setting), Cancelled, OutOfMemory.
  [[nodiscard]] Result<Shape> tightened(const SphereTreeSettings& tree = {},
                                        BuildProgress* progress = nullptr) const;
  /// The same mesh with another tree. Errors: those of checkTree().
  [[nodiscard]] Result<Shape> with(SphereTree tree, TreeOrigin origin = {}) const;
  [[nodiscard]] Result<Shape> with(std::shared_ptr<const SphereTree> tree,
                                   TreeOrigin origin = {}) const;
  [[nodiscard]] Result<Shape> with(BspTree tree) const;
  [[nodiscard]] Result<Shape> with(std::shared_ptr<const BspTree> tree) const;
  /// This shape with the other's trees, where it has them. Both have the very same mesh, so that
  /// nothing has to be checked again.
  /// @pre sharesMeshWith(other)
  [[nodiscard]] Shape withTreesOf(const Shape& other) const;
  /// A mesh without trees, for a method that needs none.
  [[nodiscard]] static Shape of(Polyhedron polyhedron);
  /// With the record of its cleaning.
  [[nodiscard]] static Shape of(Polyhedron polyhedron, const MeshCleaning& cleaning);
  /// @pre `polyhedron` is not null.
  [[nodiscard]] static Shape of(std::shared_ptr<const Polyhedron> polyhedron);

 private:
  friend class ShapeMaking;
  friend class ShapeFrame;
  friend class KeptWithShape;
  Shape() = default;
  std::shared_ptr<const Polyhedron> polyhedron_;  ///< never null
  std::shared_ptr<const SphereTree> sphereTree_;
  std::shared_ptr<const BspTree> bspTree_;
  /// Data that methods derive from mesh and sphere tree, shared between copies.
  std::shared_ptr<class KeptWithShape> keptWithMesh_;  ///< never null
  std::shared_ptr<class KeptWithShape> keptWithTree_;  ///< null without a sphere tree
  TreeOrigin origin_;
  MeshCleaning cleaning_;
};

/// How closely the spheres of a shape are fitted. Exact answers are the same with any of them.
enum class TreeQuality : std::uint8_t {
  None,   ///< no sphere tree: for contacts, distances and rays alone
  Fast,   ///< built at once, in 5 to 20 microseconds per triangle
  Tight,  ///< spheres half as far from the surface, in seconds; see Shape::tightened()
};

struct ShapeSettings {
  /// Metres: vertices nearer than this are welded. 0: equal positions only, enough to close a mesh
  /// whose triangles share no vertices.
  Real weldDistance = 0.0;
  TreeQuality quality = TreeQuality::Fast;
  /// For experts: name of a core builder that replaces `quality`. Empty: `quality` decides.
  std::string_view treeBuilder = {};
  /// One that the core does not know, as those of nearmiss/methods/tree_builders.h; instead of
  /// `treeBuilder` if not null.
  const SphereTreeBuilderEntry* otherBuilder = nullptr;
  SphereTreeSettings tree{};
  /// A tree by `quality`, or of "variational", gets the usual boxes and inner spheres where `tree`
  /// has 0: they make answers sooner. False: `tree` is all that is wanted.
  bool usualAdditions = true;
  bool bspTree = false;
  /// What was done to the triangles before: part of Shape::cleaning().
  MeshCleaning cleaned{};
  /// Called once by makeShape() if the shape is not solid(), with the sentence of describe(). Must
  /// not throw. Null: nobody is told.
  std::function<void(std::string_view)> warn = nullptr;
};

/// Makes a shape of any triangles and builds its sphere tree, in 5 to 20 microseconds per triangle
/// unless the settings ask for a tighter tree. Errors: EmptyMesh, TooLarge, BadFormat (an index
/// without a vertex, a coordinate that is not finite or out of range), Unsupported (a setting),
/// Cancelled, OutOfMemory.
Result<Shape> makeShape(TriangleMesh mesh, const ShapeSettings& settings = {},
                        BuildProgress* progress = nullptr);

/// Checks that a tree belongs to a polyhedron: sound in structure and built around its mesh, so
/// that the leaves name every triangle and hold those that they name, and that the spheres above
/// hold their corners where coverage is guaranteed and no sphere has several parents, each within
/// its box; faces lie on the planes that name them, to 1e-10 of the greatest coordinate. What
/// bounds distances outside of a solid belongs to a solid only, and its inner spheres lie inside.
/// That distances are what the spheres' H says is believed, and of a BSP tree how its planes divide
/// space, but for some points inside of a solid. Reads all of both. Errors: Unsupported, Mismatch,
/// in one sentence; OutOfMemory.
Result<Success> checkTree(const SphereTree& tree, const Polyhedron& polyhedron);
Result<Success> checkTree(const BspTree& tree, const Polyhedron& polyhedron);

/// The shapes of one world: detectors are made for them, and bodies refer to them. Cheap to copy; a
/// detector made from it does not see shapes added later.
class Shapes {
 public:
  /// Adds a shape and returns the reference to it for bodies.
  ShapeRef add(Shape shape);

  [[nodiscard]] ShapeRef ref(ShapeId id) const noexcept {
    return ShapeRef::ofRadius((*this)[id].radius(), id);
  }
  /// @pre index(id) < size()
  [[nodiscard]] const Shape& operator[](ShapeId id) const noexcept {
    NEARMISS_ASSERT(static_cast<std::size_t>(id) < size(), id, size());
    return shapes_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] std::size_t size() const noexcept { return shapes_.size(); }
  [[nodiscard]] bool empty() const noexcept { return shapes_.empty(); }
  [[nodiscard]] auto begin() const noexcept { return shapes_.begin(); }
  [[nodiscard]] auto end() const noexcept { return shapes_.end(); }

 private:
  std::vector<Shape> shapes_;
};

}  // namespace nearmiss
