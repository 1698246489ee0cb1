// SPDX-License-Identifier: MIT
/// The triangle nearest to a point, and the side of the surface that a point is on, looked for in a
/// hierarchy of boxes.
#pragma once

#include <nearmiss/time_budget.h>

#include <array>
#include <cstdint>
#include <limits>

#include "geometry/mesh_check.h"
#include "query/box_bounds.h"
#include "query/surface_boxes.h"

namespace nearmiss {

/// A BoxSearch probe; bounds are squares of distances, metres.
class NearestProbe {
 public:
  using Bound = Real;

  NearestProbe() = default;
  /// @param point frame of the mesh
  /// @param reach metres; what is farther is not looked for
  NearestProbe(const Vec3& point, Real reach, const SurfaceBoxes& surface) noexcept;

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, 4>& least) const noexcept {
    return gaps_.lanes(node, limit_, least);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept;

  [[nodiscard]] bool found() const noexcept { return triangle_ != none; }
  [[nodiscard]] Real distance() const noexcept { return distance_; }
  /// A bound on the distances of all triangles that were compared.
  [[nodiscard]] Real lowest() const noexcept { return lowest_; }
  [[nodiscard]] std::uint32_t triangle() const noexcept { return triangle_; }
  [[nodiscard]] const Vec3& nearest() const noexcept { return nearest_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  const SurfaceBoxes* surface_ = nullptr;
  GapBounds gaps_;
  Vec3 point_{0.0};
  Real reach_ = 0.0;
  Real distance_ = std::numeric_limits<Real>::infinity();
  Real lowest_ = std::numeric_limits<Real>::infinity();
  Real limit_ = 0.0;
  std::uint32_t triangle_ = none;
  Vec3 nearest_{0.0};
};

/// A BoxSearch probe: all triangles that a ray from the point towards +x may cross.
class SideProbe {
 public:
  using Bound = float;

  SideProbe(const Vec3& point, const SurfaceBoxes& surface) noexcept;

  /// Nothing is of interest once the surface is known to hold the point.
  [[nodiscard]] float limit() const noexcept { return count_.onSurface() ? -1.0f : 0.0f; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<float, 4>& least) const noexcept;
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept;

  [[nodiscard]] const WindingCount& count() const noexcept { return count_; }

 private:
  const SurfaceBoxes* surface_;
  WindingCount count_;
  Vec3 low_, high_;  ///< of the point in units, with rounding
};

}  // namespace nearmiss
