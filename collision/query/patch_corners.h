// SPDX-License-Identifier: MIT
/// Corners of the patch in which faces of two bodies lie on each other, where an edge of one
/// crosses an edge of the other. If a body leans a little, the shortest way apart there is not
/// across both edges; the body still rests on these corners.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <array>
#include <cstdint>
#include <vector>

#include "query/edge_contact.h"

namespace nearmiss {

/// Collects corners; keeps its memory.
class PatchCorners {
 public:
  void clear() noexcept { corners_.clear(); }

  /// True if a face of each turns against the other. Normals of one frame.
  /// @param turned radians by which either may turn meanwhile
  [[nodiscard]] static bool stand(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b,
                                  Real turned = 0.0) noexcept;

  /// Keeps where both edges cross, seen along the faces that stand on each other, unless the gap is
  /// wider than `margin` metres or the overlap deeper than `limit`. One frame.
  void look(const FacedEdge& a, const FacedEdge& b, std::uint64_t id, Real margin, Real limit);

  [[nodiscard]] const std::vector<ManifoldPoint>& all() const noexcept { return corners_; }

  /// Sorts the points by id, and appends what is no deeper than one that has nearly its normal.
  /// @param slack metres that rounding may add to a depth
  void addTo(std::vector<ManifoldPoint>& points, Real slack) const;

 private:
  std::vector<ManifoldPoint> corners_;
};

}  // namespace nearmiss
