// SPDX-License-Identifier: MIT
/// Shapes with trees of your own, and the list of shapes of a detector.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <vector>

namespace nearmiss {

class BspTree;
class Polyhedron;
class SphereTree;

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
