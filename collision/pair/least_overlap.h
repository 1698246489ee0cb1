// SPDX-License-Identifier: MIT
/// Finds the direction along which two convex solids overlap least.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <limits>
#include <vector>

#include "pair/convex_solid.h"

namespace nearmiss {

/// A search over the separating axes of two convex solids: the normals of all faces, and the cross
/// products of edges. Reuses its memory.
class LeastOverlap {
 public:
  /// Searches all axes. Returns false as soon as the solids are proven farther apart than `reach`.
  /// @param bToA the pose of b in the frame of a
  /// @param slack metres: an axis replaces a preferred one only if its overlap is smaller by more
  /// than this. Faces are preferred to edges, and those of a to those of b.
  bool search(const ConvexSolid& a, const ConvexSolid& b, const Pose& bToA, Real reach, Real slack);

  /// Returns the axis: unit length, out of a, frame of a.
  [[nodiscard]] const Vec3& normal() const noexcept { return normal_; }
  /// Returns the overlap along the axis, metres; negative if there is a gap.
  [[nodiscard]] Real depth() const noexcept { return depth_; }
  /// Returns the smallest overlap along any axis, at most slightly below depth().
  [[nodiscard]] Real least() const noexcept { return least_; }
  /// Returns the number of bound tests of the last search.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

  /// Return the vertices of each solid in the frame of the other.
  [[nodiscard]] const std::vector<Vec3>& verticesOfA() const noexcept { return verticesA_; }
  [[nodiscard]] const std::vector<Vec3>& verticesOfB() const noexcept { return verticesB_; }
  /// Returns the rotation of b in the frame of a.
  [[nodiscard]] const glm::dmat3& axesOfB() const noexcept { return axesOfB_; }

 private:
  /// An edge that, with an edge of the other solid, may define the direction of least overlap;
  /// frame of a.
  struct NearEdge {
    Vec3 start, along;
    Vec3 left, right;  ///< normals of its faces
  };

  bool searchFaces(const ConvexSolid& own, const ConvexSolid& other,
                   const std::vector<Vec3>& others, const Vec3& centreOfOther,
                   std::vector<Real>& heights, bool ofB);
  bool searchEdges();
  void listEdges(const ConvexSolid& own, const std::vector<Real>& heights, Real otherRadius,
                 std::vector<NearEdge>& edges, bool ofB);
  [[nodiscard]] Real overlapAlong(const Vec3& outOfA) const noexcept;
  void offer(const Vec3& outOfA, Real depth) noexcept;

  const ConvexSolid* a_ = nullptr;
  const ConvexSolid* b_ = nullptr;
  Pose bToA_, aToB_;
  glm::dmat3 axesOfB_{1.0};
  Real reach_ = 0.0, slack_ = 0.0;
  Vec3 normal_{0.0};
  Real depth_ = 0.0, least_ = 0.0;
  std::uint64_t work_ = 0;
  std::vector<Vec3> verticesA_, verticesB_;
  std::vector<Real> heightsA_, heightsB_;  ///< per face: height above the centre of the other solid
  std::vector<NearEdge> edgesA_, edgesB_;
};

}  // namespace nearmiss
