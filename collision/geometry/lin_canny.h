// SPDX-License-Identifier: MIT
/// The distance of convex polytopes by the Lin-Canny walk over their features [LC91; M98].
#pragma once

#include <cstdint>

#include "geometry/gjk.h"

namespace nearmiss {

/// A corner, an edge or a face of a polytope.
struct ConvexFeature {
  enum class Kind : std::uint8_t { Vertex, Edge, Face };
  Kind kind = Kind::Vertex;
  std::uint32_t index = 0;
  friend bool operator==(const ConvexFeature&, const ConvexFeature&) = default;
};

/// Returns a corner of the feature.
[[nodiscard]] std::uint32_t cornerOf(const ConvexPolytope& shape,
                                     const ConvexFeature& feature) noexcept;

/// A pair of features, one of each polytope: the closest ones, or a start for the search.
struct ClosestFeatures {
  ConvexFeature a, b;
};

/// Returns start features if there is no coherence: from the tables of normals, the corners that
/// lie farthest towards the other polytope [EL00].
[[nodiscard]] ClosestFeatures featuresTowards(const ConvexPair& pair) noexcept;

/// Walks from a pair of features to closer ones, until each closest point lies in the other
/// feature's Voronoi region. Starts at `features` and replaces them by those found. For a point
/// beneath a face, continues from the face it lies farthest outside of; if it is beneath all faces,
/// the polytopes meet. If rounding prevents an end that is confirmed by planes, falls back to
/// gjkDistance(), which always ends.
[[nodiscard]] ConvexDistance linCannyDistance(const ConvexPair& pair, ClosestFeatures& features);

}  // namespace nearmiss
