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

/// Checks that a sphere tree is valid and was built around the mesh of `polyhedron`. Reads the
/// whole tree and the whole mesh. It checks that
/// - the structure is valid: counts, order, indices, finite radii
/// - leaves list every triangle, and lie near the triangles that they list
/// - every triangle corner lies in a leaf that lists its triangle (not for Coverage::Samples)
/// - that corner also lies in all spheres above the leaf and in their boxes, if coverage is
///   guaranteed and no sphere has several parents
/// - distances outside the solid (Ho) are stored for solids only
/// - inner spheres of a solid lie inside it
///
/// H and Ho are not verified; checkSphereTree() in tree_quality.h does that.
///
/// Errors, in one sentence: Unsupported (invalid structure), Mismatch (another mesh), OutOfMemory.
Result<Success> checkTree(const SphereTree& tree, const Polyhedron& polyhedron);

/// Checks that a BSP tree is valid and was built around the mesh of `polyhedron`. It checks that
/// - the structure is valid
/// - faces lie on the planes that list them, within 1e-10 of the largest coordinate
/// - for a solid, points just behind some of its faces are classified as inside
///
/// Errors: as above.
Result<Success> checkTree(const BspTree& tree, const Polyhedron& polyhedron);

/// The shapes that the bodies of a detector refer to. Cheap to copy. A detector does not see shapes
/// added after its construction.
class Shapes {
 public:
  /// Adds a shape and returns its handle, for BodyState::shape.
  ShapeRef add(Shape shape);

  /// Returns the handle of the shape at `index`.
  /// @pre index < size()
  [[nodiscard]] ShapeRef ref(std::size_t index) const noexcept {
    return ShapeRef::ofRadius((*this)[index].radius(), static_cast<std::uint32_t>(index));
  }
  /// @pre index < size()
  [[nodiscard]] const Shape& operator[](std::size_t index) const noexcept {
    NEARMISS_ASSERT(index < size(), index, size());
    return shapes_[index];
  }
  [[nodiscard]] std::size_t size() const noexcept { return shapes_.size(); }
  [[nodiscard]] bool empty() const noexcept { return shapes_.empty(); }
  [[nodiscard]] auto begin() const noexcept { return shapes_.begin(); }
  [[nodiscard]] auto end() const noexcept { return shapes_.end(); }

 private:
  std::vector<Shape> shapes_;
};

}  // namespace nearmiss
