// SPDX-License-Identifier: MIT
/// Corners of the patch in which faces of two bodies lie on each other, where an edge of one
/// crosses an edge of the other. If a body leans a little, the shortest way apart is not along the
/// cross product of both edges, but the body still rests on these corners.
#pragma once

#include <nearmiss/pair.h>

#include <array>
#include <cstdint>
#include <vector>

#include "contact/edge_contact.h"

namespace nearmiss {

/// Collects corners; reuses its memory.
class PatchCorners {
 public:
  void clear() noexcept { corners_.clear(); }

  /// Returns true if a face of one edge is turned against a face of the other. Normals in one
  /// frame.
  /// @param turned radians by which either may rotate meanwhile
  [[nodiscard]] static bool stand(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b,
                                  Real turned = 0.0) noexcept;

  /// Keeps the crossing of both edges, seen along the faces that rest on each other, unless the gap
  /// is wider than `margin` metres or the overlap deeper than `limit`. One frame.
  void look(const FacedEdge& a, const FacedEdge& b, std::uint64_t id, Real margin, Real limit);

  [[nodiscard]] const std::vector<ManifoldPoint>& all() const noexcept { return corners_; }

  /// Sorts the points by id, and appends corners that are no deeper than a point with nearly the
  /// same normal.
  /// @param slack metres that rounding may add to a depth
  void addTo(std::vector<ManifoldPoint>& points, Real slack) const;

 private:
  std::vector<ManifoldPoint> corners_;
};

}  // namespace nearmiss
