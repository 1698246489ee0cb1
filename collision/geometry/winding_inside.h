// SPDX-License-Identifier: MIT
/// Inside and outside of a closed surface that intersects itself, by winding numbers.
///
/// Does: classify points, find triangles that lie within the body, and find the boundary of the
/// body.
/// Does not: handle open surfaces. For solids, Polyhedron::contains() is faster.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "geometry/surface_boxes.h"

namespace nearmiss {

/// The body is the set of points with a positive winding number: the union of overlapping parts.
/// Immutable, body frame, metres. Thread-safe.
class WindingInside {
 public:
  /// The surface must outlive this. Takes about 10 ms for 20,000 triangles.
  /// @pre surface.report().closed()
  explicit WindingInside(const Polyhedron& surface);

  /// Returns true if the winding number of the point is positive or the point lies on the surface.
  /// Decided exactly.
  [[nodiscard]] bool contains(const Vec3& point) const;

  /// Returns true only if the whole triangle lies within the body, so that none of it is part of
  /// the outer boundary. A triangle that is partly outside is not buried.
  [[nodiscard]] bool buried(std::uint32_t triangle) const noexcept {
    return buried_[triangle] != 0;
  }

  /// Returns the nearest point of the outer boundary. The distance is never too large, except for
  /// rounding. If more than a dozen triangles cross each other in one place, it may be too small by
  /// resolution().
  [[nodiscard]] SurfacePoint nearestBoundary(const Vec3& point) const noexcept;

  /// Metres: triangles are divided down to this length if many others cross them.
  [[nodiscard]] Real resolution() const noexcept { return resolution_; }

 private:
  struct Crossed;
  [[nodiscard]] int windingInFrontOf(std::uint32_t triangle, const Vec3& at) const;
  [[nodiscard]] int certainlyInFrontOf(std::uint32_t triangle, const Vec3& at) const;
  bool keepCells(const Crossed& part, const Triangle& corners,
                 std::vector<std::vector<Vec3>>& kept) const;
  void findBuried(const std::vector<char>& crossed);
  void keep(std::uint32_t triangle, const Triangle& part);
  void divide(const Crossed& whole);

  const Polyhedron* surface_;
  const WideBoxes* boxes_;    ///< over all triangles
  std::vector<char> buried_;  ///< by triangle
  Real clearance_ = 0.0;      ///< metres; far more than rounding moves a point of the surface
  Real resolution_ = 0.0;
  /// Triangles and parts of triangles that may be part of the outer boundary.
  std::unique_ptr<TriangleMesh> boundary_ = std::make_unique<TriangleMesh>();
  std::vector<std::uint32_t> triangleOf_;  ///< by triangle of `boundary_`
  std::optional<SurfaceBoxes> boundaryBoxes_;
};

/// Returns the inside of a closed shape that intersects itself, or null for any other shape.
/// Computed at the first call and cached with the shape.
[[nodiscard]] const WindingInside* windingInsideOf(const Shape& shape);

}  // namespace nearmiss
