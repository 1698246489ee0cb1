// SPDX-License-Identifier: MIT
/// Closes the gaps between balls that hold points of a surface, until they hold the surface.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <span>
#include <vector>

#include "builders/flat_search.h"
#include "builders/solid_volume.h"
#include "spheres/surface_pieces.h"

namespace nearmiss {

/// The balls that come near a triangle, nearly all of them those that meet it.
[[nodiscard]] std::vector<Sphere> ballsNear(const Triangle& triangle,
                                            std::span<const Sphere> balls);

/// Points where three spheres meet that are in no other ball, inside of the solid. Where the
/// surface is covered there is a hole inside only with such a corner: a hole is bounded by
/// spheres alone, and three of them meet at each of its corners.
[[nodiscard]] std::vector<Vec3> holeCorners(const SolidParts& parts, std::span<const Sphere> balls);

/// The body that balls have to cover. All must outlive this.
struct CoveredBody {
  const Polyhedron& polyhedron;
  const SolidParts& parts;
  std::span<const SurfacePiece> pieces;  ///< the surface, cut about as finely as its points lie
};

/// Adds points of gaps to those that the search holds, and lets its balls settle, at most `rounds`
/// times.
void closeGaps(const CoveredBody& body, int rounds, FlatSearch& search);

/// Grows balls until they are proven to cover, as checkFlatSet() proves it. False if cancelled.
[[nodiscard]] bool coverSurely(const CoveredBody& body, FlatSearch& search,
                               const BuildProgress* progress);

/// Shrinks balls one by one as long as they are proven to cover. @pre they are
void shrinkBalls(const CoveredBody& body, FlatSearch& search, const BuildProgress* progress);

}  // namespace nearmiss
