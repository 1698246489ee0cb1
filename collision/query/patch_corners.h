// SPDX-License-Identifier: MIT
/// Corners of the patch in which faces of two bodies lie on each other, where an edge of each
/// crosses. Of a body that leans a little, moving out is not the shortest way there, and yet they
/// hold it.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <array>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Two ends, and the unit outward normals of both faces.
struct FacedEdge {
  std::array<Vec3, 2> ends{Vec3(0.0), Vec3(0.0)};
  std::array<Vec3, 2> normals{Vec3(0.0), Vec3(0.0)};
};

/// Collects corners; keeps its memory.
class PatchCorners {
 public:
  void clear() noexcept { corners_.clear(); }

  /// True if a face of each turns against the other. Normals of one frame.
  [[nodiscard]] static bool stand(const std::array<Vec3, 2>& a,
                                  const std::array<Vec3, 2>& b) noexcept;

  /// Keeps where both edges cross, seen along the faces that stand on each other, unless the gap is
  /// wider than `margin` metres. One frame.
  void look(const FacedEdge& a, const FacedEdge& b, std::uint64_t id, Real margin);

  /// Appends what is no deeper than one of the points that has nearly its normal.
  /// @param slack metres that rounding may add to a depth
  void addTo(std::vector<ManifoldPoint>& points, Real slack) const;

 private:
  std::vector<ManifoldPoint> corners_;
};

}  // namespace nearmiss
