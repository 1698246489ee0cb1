// SPDX-License-Identifier: MIT
/// Deformed bodies: moved vertices of the same triangles keep a sphere tree that was built once.
///
/// Does: move and grow spheres by as much as their surface certainly moved, bottom up, so that
/// every promise of the tree holds for the new surface; measure when building it again pays.
/// Does not: change triangles, or keep what only fits the old surface: node boxes, inner spheres
/// and BSP trees.
///
/// Any number of threads may refit at once, also the same shape.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

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
/// was refitted: spheres then grow only by what moved since. Costs one search for a nearest point
/// per sphere. Errors: Unsupported (no sphere tree, or one whose coverage is not Guaranteed),
/// Mismatch (another number of positions), BadFormat (a position that is not finite or out of
/// range), OutOfMemory.
Result<Refit> refit(const Shape& shape, std::span<const Vec3> positions);

}  // namespace nearmiss
