// SPDX-License-Identifier: MIT
/// The distance of convex polytopes by a walk over their features [LC91; M98].
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

/// A corner of the feature.
[[nodiscard]] std::uint32_t cornerOf(const ConvexPolytope& shape,
                                     const ConvexFeature& feature) noexcept;

/// A pair of features, one of each polytope: those that are closest, or where to look for them.
struct ClosestFeatures {
  ConvexFeature a, b;
};

/// The start without coherence: the corners that lie farthest towards the other polytope, by their
/// tables of normals [EL00].
[[nodiscard]] ClosestFeatures featuresTowards(const ConvexPair& pair) noexcept;

/// Walks from a pair of features to a closer one, until each of the closest points lies in the
/// other feature's Voronoi region. The walk starts at `features`, which become those found. A point
/// beneath a face continues from the face it lies farthest outside of; beneath all faces the
/// polytopes meet. Walks that rounding keeps from an end confirmed by planes are left to
/// gjkDistance(), which always ends.
[[nodiscard]] ConvexDistance linCannyDistance(const ConvexPair& pair, ClosestFeatures& features);

}  // namespace nearmiss
