// SPDX-License-Identifier: MIT
/// Closes the gaps between balls that hold points of a surface, until they hold the surface.
#pragma once

#include "flat/flat_search.h"
#include "flat/solid_parts.h"
#include "spheres/surface_pieces.h"

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>

#include <span>

namespace nearmiss {

/// What balls have to cover. All must outlive this.
struct CoveredBody {
  const Polyhedron& polyhedron;
  const SolidParts& parts;
  std::span<const SurfacePiece> pieces;  ///< the surface, cut about as finely as its points lie
};

/// Adds points of gaps to those that the search holds, and lets its balls settle, at most so often.
void closeGaps(const CoveredBody& body, int rounds, FlatSearch& search);

/// Grows balls until they are proven to cover, as checkFlatSet() proves it. False if cancelled.
[[nodiscard]] bool coverSurely(const CoveredBody& body, FlatSearch& search,
                               const BuildProgress* progress);

/// Shrinks balls one by one as long as they are proven to cover. @pre they are
void shrinkBalls(const CoveredBody& body, FlatSearch& search, const BuildProgress* progress);

}  // namespace nearmiss
