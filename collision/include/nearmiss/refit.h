// SPDX-License-Identifier: MIT
/// Deformed and scaled bodies: moved vertices of the same triangles keep trees that were built
/// once.
///
/// Does: move and grow spheres by as much as their surface certainly moved, bottom up, so that
/// every promise of the tree holds for the new surface; measure when building it again pays; scale
/// a shape with all that it has.
/// Does not: change triangles, or keep what only fits the old surface: refit() leaves out node
/// boxes, inner spheres and BSP trees.
///
/// Any number of threads may refit or scale at once, also the same shape.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <span>

namespace nearmiss {

struct Refit {
  Shape shape;
  /// How much larger the leaves are for their surface than those that were built: the sum of the
  /// squares of their radii per area, as a ratio. 1 within rounding for a shape that was shifted or
  /// scaled as a whole.
  Real growth = 1.0;
  bool rebuildPays = false;  ///< growth is above maxRefitGrowth
};

/// Leaves overlap about twice as much as in the tree that was built.
inline constexpr Real maxRefitGrowth = 2.0;

/// The shape with its vertices at `positions`: metres, body frame, in the order of
/// shape.polyhedron().mesh().positions. Its tree covers the new surface as that of `shape` covers
/// the old, by the same chains; H and Ho hold, but are less tight. Refit what was built, not what
/// was refitted: spheres then grow only by what moved since. It calls makePolyhedron() and
/// checkTree() on the whole mesh, which take most of its time. `cancelled` is as for
/// makePolyhedron(). Errors: Unsupported (no sphere tree, one whose coverage is not Guaranteed, or
/// spheres out of the range of the trees' floats), Mismatch (another number of positions),
/// BadFormat (a position that is not finite or out of range), Cancelled, OutOfMemory.
Result<Refit> refit(const Shape& shape, std::span<const Vec3> positions,
                    const std::atomic<bool>* cancelled = nullptr);

/// The shape `factor` times as large about the origin of its frame, with all its trees: instances
/// of several sizes need one build. Takes about as long as reading the shape from a file. All
/// promises hold; by a power of two not even rounding changes anything. Errors: Unsupported (a
/// factor that is not above 0 and finite, a size that the trees' floats cannot represent),
/// BadFormat (vertices out of range), Cancelled, OutOfMemory.
/// `cancelled` is as for makePolyhedron().
Result<Shape> scaled(const Shape& shape, Real factor, const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
