// SPDX-License-Identifier: MIT
/// One object, ready for collision detection: its polyhedron and the trees built around it.
///
/// Does: make shapes from any triangles, report repairs and faults, collect shapes for a detector.
/// Does not: store the poses of bodies, or read files (see files.h).
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

/// The builder of a sphere tree: its name in the catalogue, and hashOf() its settings. Empty and 0
/// if the origin is unknown.
struct TreeOrigin {
  std::string builder;
  std::uint64_t settingsHash = 0;
};

/// On which side of its surface a shape is solid.
enum class SolidSide : std::uint8_t {
  None,     ///< not a solid: only surfaces collide
  AsWound,  ///< behind its faces, with the given winding
  /// Closed pieces were given with faces that point inwards, like the walls of a room, and were
  /// turned. The space that they enclose is solid, the space around them is not.
  Turned,
};

/// An immutable shape. A copy shares all data and costs a few pointers. Thread-safe.
class Shape {
 public:
  [[nodiscard]] const Polyhedron& polyhedron() const noexcept { return *polyhedron_; }
  /// Null without a sphere tree.
  [[nodiscard]] const SphereTree* sphereTree() const noexcept { return sphereTree_.get(); }
  [[nodiscard]] const BspTree* bspTree() const noexcept { return bspTree_.get(); }
  [[nodiscard]] const TreeOrigin& treeOrigin() const noexcept { return origin_; }
  /// Radius about the origin of the body frame, the centre of rotation; metres, rounded up.
  [[nodiscard]] Real radius() const noexcept { return polyhedron_->radius(); }
  /// Returns true if inside and outside are defined, so that containment of another body counts as
  /// contact. Otherwise only surfaces collide; describe(polyhedron().report()) gives the reason.
  [[nodiscard]] bool solid() const noexcept { return polyhedron_->report().solid(); }
  [[nodiscard]] SolidSide solidSide() const noexcept {
    if (!solid()) return SolidSide::None;
    return cleaning_.facedInwards ? SolidSide::Turned : SolidSide::AsWound;
  }
  /// The changes that makeShape() made to the input triangles.
  [[nodiscard]] const MeshCleaning& cleaning() const noexcept { return cleaning_; }
  /// Returns true if both share one mesh object.
  [[nodiscard]] bool sharesMeshWith(const Shape& other) const noexcept {
    return polyhedron_ == other.polyhedron_;
  }

  /// Builds the tree of TreeQuality::Tight for the same mesh, which takes seconds. May run on
  /// another thread while this shape is in use; give the result to bodies when it is done.
  /// Errors: Unsupported (a setting), Cancelled, OutOfMemory.
  [[nodiscard]] Result<Shape> tightened(const SphereTreeSettings& tree = {},
                                        BuildProgress* progress = nullptr) const;
  /// Returns a shape of the same mesh with another tree. Errors: those of checkTree().
  [[nodiscard]] Result<Shape> with(SphereTree tree, TreeOrigin origin = {}) const;
  [[nodiscard]] Result<Shape> with(std::shared_ptr<const SphereTree> tree,
                                   TreeOrigin origin = {}) const;
  [[nodiscard]] Result<Shape> with(BspTree tree) const;
  [[nodiscard]] Result<Shape> with(std::shared_ptr<const BspTree> tree) const;
  /// Returns this shape with the trees of `other`, as far as it has any. Both share one mesh, so
  /// nothing is checked again.
  /// @pre sharesMeshWith(other)
  [[nodiscard]] Shape withTreesOf(const Shape& other) const;
  /// Makes a shape without trees, for methods that need none.
  [[nodiscard]] static Shape of(Polyhedron polyhedron);
  /// As above, and records the cleaning of the mesh.
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

/// How closely the spheres of a shape fit. Exact results do not depend on it.
enum class TreeQuality : std::uint8_t {
  None,   ///< no sphere tree: sufficient for contacts, distances and rays
  Fast,   ///< built immediately, in 5 to 20 microseconds per triangle
  Tight,  ///< spheres at half the distance from the surface, in seconds; see Shape::tightened()
};

struct ShapeSettings {
  /// Vertices nearer than this are welded, metres. 0 welds equal positions only, which closes a
  /// mesh whose triangles share no vertices.
  Real weldDistance = 0.0;
  TreeQuality quality = TreeQuality::Fast;
  /// For experts: name of a core builder that replaces `quality`. If empty, `quality` decides.
  std::string_view treeBuilder = {};
  /// A builder that is not in the core, such as those of nearmiss/methods/tree_builders.h. If not
  /// null, it replaces `treeBuilder`.
  const SphereTreeBuilderEntry* otherBuilder = nullptr;
  SphereTreeSettings tree{};
  /// Adds the default boxes and inner spheres where `tree` has 0, to trees chosen by `quality` and
  /// to those of "variational". They make queries faster. If false, `tree` is used unchanged.
  bool usualAdditions = true;
  bool bspTree = false;
  /// Earlier changes to the triangles; included in Shape::cleaning().
  MeshCleaning cleaned{};
  /// If not null, makeShape() calls it once with the sentence of describe() if the shape is not
  /// solid(). Must not throw.
  std::function<void(std::string_view)> warn = nullptr;
};

/// Makes a shape from any triangles and builds its sphere tree, in 5 to 20 microseconds per
/// triangle unless the settings ask for a tighter tree. Errors: EmptyMesh, TooLarge, BadFormat (an
/// index without a vertex, a coordinate that is not finite or out of range), Unsupported (a
/// setting), Cancelled, OutOfMemory.
Result<Shape> makeShape(TriangleMesh mesh, const ShapeSettings& settings = {},
                        BuildProgress* progress = nullptr);

/// Checks that a tree is structurally valid and was built around the mesh of `polyhedron`. Reads
/// the whole tree and the whole mesh.
///
/// Sphere trees:
/// - Leaves list every triangle and lie near the triangles that they list.
/// - Every triangle corner lies in a leaf that lists its triangle. If coverage is guaranteed and no
///   sphere has several parents, it also lies in all spheres above that leaf and in their boxes.
///   (Coverage::Samples is exempt.)
/// - Distances outside a solid (Ho) are stored for solids only.
/// - Inner spheres of a solid lie inside it.
/// - H and Ho are not verified; see checkSphereTree().
///
/// BSP trees:
/// - Faces lie on the planes that list them, to 1e-10 of the largest coordinate.
/// - For a solid, points behind some of its faces are classified as inside. The partition is not
///   verified beyond these points.
///
/// Errors: Unsupported (invalid structure), Mismatch (not this mesh), in one sentence; OutOfMemory.
Result<Success> checkTree(const SphereTree& tree, const Polyhedron& polyhedron);
Result<Success> checkTree(const BspTree& tree, const Polyhedron& polyhedron);

/// The shapes of one world. Detectors are constructed for them, and bodies refer to them. Cheap to
/// copy. A detector does not see shapes added after its construction.
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
