// SPDX-License-Identifier: MIT
/// Shapes: objects that are ready for collision detection. Made from a mesh or read from a file;
/// refitted if they deform, scaled, written.
///
/// A shape is immutable, and its copies share all data. All functions are thread-safe. A
/// DeformableShape belongs to one thread at a time. `cancelled` is explained in mesh.h.
#pragma once

#include <nearmiss/advanced/tree_settings.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss {

class BspTree;
class Polyhedron;
class SphereTree;
struct BuildProgress;
struct SphereTreeBuilderEntry;

/// On which side of its surface a shape is solid.
enum class SolidSide : std::uint8_t {
  None,     ///< not a solid: only surfaces collide
  AsWound,  ///< behind its faces, with the given winding
  /// Closed pieces were given with faces that point inwards, like the walls of a room, and were
  /// turned. The space that they enclose is solid, the space around them is not.
  Turned,
};

/// A mesh and the trees built around it. Copies are cheap.
class Shape {
 public:
  /// Returns the cleaned mesh. Indices of triangles in results refer to it.
  [[nodiscard]] const TriangleMesh& mesh() const noexcept;
  /// Returns the properties of the mesh as a surface.
  [[nodiscard]] const MeshReport& report() const noexcept;
  [[nodiscard]] const Polyhedron& polyhedron() const noexcept { return *polyhedron_; }
  /// Null without a sphere tree.
  [[nodiscard]] const SphereTree* sphereTree() const noexcept { return sphereTree_.get(); }
  [[nodiscard]] const BspTree* bspTree() const noexcept { return bspTree_.get(); }
  [[nodiscard]] const TreeOrigin& treeOrigin() const noexcept { return origin_; }
  /// Radius about the origin of the body frame, the centre of rotation; metres, rounded up.
  [[nodiscard]] Real radius() const noexcept;
  /// Returns true if inside and outside are defined, so that containment of another body counts as
  /// contact. Otherwise only surfaces collide; describe(report()) gives the reason.
  [[nodiscard]] bool solid() const noexcept;
  [[nodiscard]] SolidSide solidSide() const noexcept;
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

/// Settings of makeShape(). The defaults suit most programs.
struct ShapeSettings {
  /// Vertices nearer than this are welded, metres. 0 welds equal positions only, which closes a
  /// mesh whose triangles share no vertices.
  Real weldDistance = 0.0;
  TreeQuality quality = TreeQuality::Fast;
  /// For experts: name of a core builder that replaces `quality`. If empty, `quality` decides.
  std::string_view treeBuilder = {};
  /// A builder that is not in the core, such as those of nearmiss/rivals/tree_builders.h. If not
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
  void (*warn)(std::string_view sentence) = nullptr;
};

/// Makes a shape from any triangles and builds its sphere tree, in 5 to 20 microseconds per
/// triangle unless the settings ask for a tighter tree. Errors: EmptyMesh, TooLarge, BadFormat (an
/// index without a vertex, a coordinate that is not finite or out of range), Unsupported (a
/// setting), Cancelled, OutOfMemory.
Result<Shape> makeShape(TriangleMesh mesh, const ShapeSettings& settings = {},
                        BuildProgress* progress = nullptr);

/// Computes the mass properties of a shape, as massProperties(shape.mesh()).
[[nodiscard]] Result<MassProperties> massProperties(const Shape& shape);

// Deforming and scaled bodies

/// The result of a refit.
struct Refit {
  Shape shape;
  /// How much looser the bounds are than those built: the larger growth of two sums, the squared
  /// radii of all leaf spheres and the areas of all leaf boxes, both per area of the surface. At
  /// most 1.001 after a scaling and a translation of up to 1,000 radii; farther away the rounding
  /// of the spheres counts. A rotation makes it grow, so rotate poses instead of vertices.
  Real growth = 1.0;
  bool rebuildPays = false;  ///< growth is above maxRefitGrowth
};

/// At this growth, leaves overlap about twice as much as in the tree that was built.
inline constexpr Real maxRefitGrowth = 2.0;

/// A shape whose vertices move from frame to frame.
///
/// Each refit starts from the shape as built, so bounds grow only by the motion since then. The
/// hierarchy of triangles, the spheres, their boxes and the inner spheres are refitted. H and Ho
/// stay valid, but are less tight.
///
/// Inside and outside are assumed to stay as built:
/// - A solid must not intersect itself, which selfContacts() can check. Its pieces must stay nested
///   as before.
/// - A solid turned inside out is no longer a solid.
/// - A closed surface that intersected itself when it was built is checked again by each refit.
///
/// refit() reuses the memory of an earlier result that nobody holds any more. It allocates nothing
/// once there are enough shapes: one, if each result is dropped before the next refit; two, if a
/// world or a query holds a result until it gets the next. Moved-from objects can only be assigned
/// to or destroyed.
class DeformableShape {
 public:
  /// Takes time linear in the triangles. Keeps `built`. Errors: Unsupported (a sphere tree whose
  /// coverage is not Guaranteed); OutOfMemory.
  [[nodiscard]] static Result<DeformableShape> of(Shape built);
  DeformableShape(DeformableShape&&) noexcept;
  DeformableShape& operator=(DeformableShape&&) noexcept;
  ~DeformableShape();

  /// Returns the shape with its vertices at `positions`: metres, body frame, in the order of
  /// built().mesh().positions. Takes about 0.1 microseconds per triangle. Errors leave
  /// earlier shapes unchanged: Mismatch (another number of positions), BadFormat (a position that
  /// is not finite or out of range), Unsupported (spheres out of the range of the trees' floats);
  /// OutOfMemory.
  Result<Refit> refit(std::span<const Vec3> positions);

  [[nodiscard]] const Shape& built() const noexcept;

 private:
  struct Parts;
  explicit DeformableShape(std::unique_ptr<Parts> parts) noexcept;
  std::unique_ptr<Parts> parts_;
};

/// Refits a body that deforms once. Errors: those of DeformableShape::of() and
/// DeformableShape::refit().
Result<Refit> refit(const Shape& shape, std::span<const Vec3> positions);

/// Returns the shape scaled by `factor` about the origin of its frame, with all its trees, so that
/// instances of several sizes need one build. Takes about as long as reading the shape from a file.
/// All guarantees hold; for a power of two the result is free of rounding. Errors:
/// Unsupported (a factor that is not above 0 and finite, a size that the trees' floats cannot
/// represent), BadFormat (vertices out of range), Cancelled, OutOfMemory.
Result<Shape> scaled(const Shape& shape, Real factor, const std::atomic<bool>* cancelled = nullptr);

// Files

/// Reads a shape. Little endian; layout in docs/file-formats.md. Accepts arbitrary input: checksum,
/// counts and indices are verified, and each tree against the mesh. Errors: NotFound, Unreadable,
/// BadFormat, WrongVersion, Mismatch (a tree of another mesh), TooLarge, Cancelled, OutOfMemory.
Result<Shape> readShape(const std::string& file, const std::atomic<bool>* cancelled = nullptr);

/// Writes a shape: to a temporary file in the same folder, syncs it and renames it. A reader never
/// sees a partial shape, and an old file survives every failure. Errors: Unreadable, TooLarge,
/// OutOfMemory.
Result<Success> writeShape(const std::string& file, const Shape& shape);

/// Reads a shape from the bytes of a file of writeShape(), with the same checks as readShape().
/// Errors: BadFormat, WrongVersion, Mismatch, TooLarge, Cancelled, OutOfMemory.
Result<Shape> shapeFromBytes(std::span<const std::byte> bytes,
                             const std::atomic<bool>* cancelled = nullptr);

/// Returns the bytes that writeShape() writes. Errors: BadFormat (the name of the builder is too
/// long), TooLarge, OutOfMemory.
Result<std::vector<std::byte>> bytesOf(const Shape& shape);

}  // namespace nearmiss
