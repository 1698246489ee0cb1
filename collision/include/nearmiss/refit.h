// SPDX-License-Identifier: MIT
/// Bodies that deform, and scaled ones: moved vertices of the same triangles keep the hierarchy and
/// the trees that were built once.
///
/// Does: follow moved vertices so that every promise of the hierarchy and of the sphere tree holds
/// for the new surface; measure when building them again pays; scale a shape with all that it has.
/// Does not: change triangles, or keep a BSP tree.
///
/// Any number of threads may refit or scale at once, also the same shape; a DeformableShape belongs
/// to one thread at a time.
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
  /// How much larger bounds are for their surface than those that were built: the larger of two
  /// ratios, that of the squared radii of all leaf spheres and that of the areas of all boxes of
  /// leaves, each per area of the surface. 1 within rounding for a shape that was shifted or scaled
  /// as a whole; also for one that was turned, as far as its spheres go.
  Real growth = 1.0;
  bool rebuildPays = false;  ///< growth is above maxRefitGrowth
};

/// Leaves overlap about twice as much as in the tree that was built.
inline constexpr Real maxRefitGrowth = 2.0;

/// A shape whose vertices move from frame to frame.
///
/// Each refit starts from what was built, so that spheres grow only by what has moved since,
/// however many refits came between. The hierarchy of triangles, the spheres, their boxes and the
/// spheres inside of a solid follow; H and Ho hold, but are less tight. Inside and outside stay
/// what they were: a solid is believed not to intersect itself, which selfContacts() tells, and its
/// pieces to lie in each other as before; one that is turned inside out is no solid. A closed
/// surface that intersected itself when it was built is checked anew by each refit.
///
/// Shapes are immutable: refit() writes into one of its earlier shapes that nobody else holds any
/// more, or else into a copy, which it keeps. So it allocates nothing from the frame on in which
/// there are enough: one, if the last shape is dropped before the next refit, or two, if a world or
/// a query holds the last one until it gets the next. Moved-from objects can only be assigned to or
/// destroyed.
class DeformableShape {
 public:
  /// Takes time linear in the triangles. `built` is kept. Errors: Unsupported (a sphere tree whose
  /// coverage is not Guaranteed); OutOfMemory.
  [[nodiscard]] static Result<DeformableShape> of(Shape built);
  DeformableShape(DeformableShape&&) noexcept;
  DeformableShape& operator=(DeformableShape&&) noexcept;
  ~DeformableShape();

  /// The shape with its vertices at `positions`: metres, body frame, in the order of
  /// built().polyhedron().mesh().positions. Takes about 0.1 microseconds per triangle. Errors,
  /// after which earlier shapes are as before: Mismatch (another number of positions), BadFormat (a
  /// position that is not finite or out of range), Unsupported (spheres out of the range of the
  /// trees' floats); OutOfMemory.
  Result<Refit> refit(std::span<const Vec3> positions);

  [[nodiscard]] const Shape& built() const noexcept;

 private:
  struct Parts;
  explicit DeformableShape(std::unique_ptr<Parts> parts) noexcept;
  std::unique_ptr<Parts> parts_;
};

/// DeformableShape::refit() of a body that deforms once. Errors: those of both of its functions.
Result<Refit> refit(const Shape& shape, std::span<const Vec3> positions);

/// The shape `factor` times as large about the origin of its frame, with all its trees: instances
/// of several sizes need one build. Takes about as long as reading the shape from a file. All
/// promises hold; by a power of two not even rounding changes anything. Errors: Unsupported (a
/// factor that is not above 0 and finite, a size that the trees' floats cannot represent),
/// BadFormat (vertices out of range), Cancelled, OutOfMemory.
/// `cancelled` is as for makePolyhedron().
Result<Shape> scaled(const Shape& shape, Real factor, const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
