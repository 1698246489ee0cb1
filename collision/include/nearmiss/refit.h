// SPDX-License-Identifier: MIT
/// Deforming and scaled bodies: if only the vertices move, the hierarchy and the trees built once
/// are kept and refitted.
///
/// Does: refit the hierarchy and the sphere tree to moved vertices, so that all their guarantees
/// hold for the new surface; measure when a rebuild pays; scale a shape with all its data.
/// Does not: change triangles, or keep a BSP tree.
///
/// Thread-safe: refits and scalings may run concurrently, also of the same shape. A DeformableShape
/// belongs to one thread at a time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <memory>
#include <span>

namespace nearmiss {

struct Refit {
  Shape shape;
  /// How much looser the bounds are than those built. The larger of two ratios: the squared radii
  /// of all leaf spheres, and the areas of all leaf boxes, both per area of the surface. 1 within
  /// rounding for a shape that was translated or scaled as a whole. For a rotated shape the
  /// spheres' ratio is 1 as well, but not that of the boxes.
  Real growth = 1.0;
  bool rebuildPays = false;  ///< growth is above maxRefitGrowth
};

/// At this growth, leaves overlap about twice as much as in the tree that was built.
inline constexpr Real maxRefitGrowth = 2.0;

/// A shape whose vertices move from frame to frame.
///
/// Each refit starts from the shape as built. Spheres therefore grow only by the motion since then,
/// regardless of the refits in between. The hierarchy of triangles, the spheres, their boxes and
/// the inner spheres are refitted. H and Ho stay valid, but are less tight.
///
/// Inside and outside are assumed to stay as built: a solid must not intersect itself, which
/// selfContacts() can check, and its pieces must stay nested as before. A solid turned inside out
/// is no longer a solid. A closed surface that intersected itself when it was built is checked
/// again by each refit.
///
/// Shapes are immutable. refit() writes into one of its earlier shapes that nobody else holds any
/// more, or else into a copy, which it keeps. It allocates nothing once there are enough shapes:
/// one, if the last shape is dropped before the next refit; two, if a world or a query holds the
/// last one until it gets the next. Moved-from objects can only be assigned to or destroyed.
class DeformableShape {
 public:
  /// Takes time linear in the triangles. Keeps `built`. Errors: Unsupported (a sphere tree whose
  /// coverage is not Guaranteed); OutOfMemory.
  [[nodiscard]] static Result<DeformableShape> of(Shape built);
  DeformableShape(DeformableShape&&) noexcept;
  DeformableShape& operator=(DeformableShape&&) noexcept;
  ~DeformableShape();

  /// Returns the shape with its vertices at `positions`: metres, body frame, in the order of
  /// built().polyhedron().mesh().positions. Takes about 0.1 microseconds per triangle. Errors leave
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
/// All guarantees hold; for a power of two the result is free of rounding. `cancelled` is as for
/// makePolyhedron(). Errors: Unsupported (a factor that is not above 0 and finite, a size that the
/// trees' floats cannot represent), BadFormat (vertices out of range), Cancelled, OutOfMemory.
Result<Shape> scaled(const Shape& shape, Real factor, const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
