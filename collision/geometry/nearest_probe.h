// SPDX-License-Identifier: MIT
/// Search for the triangle nearest to a point in the hierarchy of boxes.
#pragma once

#include <nearmiss/time_budget.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/surface_boxes.h"

namespace nearmiss {

/// Squared distances of boxes from a point, square metres, rounded down.
class GapBounds {
 public:
  using Lanes = std::array<Real, WideBoxes::width>;

  GapBounds() = default;
  GapBounds(const Vec3& point, const WideBoxes& boxes) noexcept;

  /// Returns a bit for each box that is within the square root of `limit`.
  [[nodiscard]] unsigned lanes(const WideBoxes::Node& node, Real limit,
                               Lanes& least) const noexcept {
    return lanesOf(node.low, node.high, slack_, limit, least);
  }
  /// The same for the boxes of triangles.
  [[nodiscard]] unsigned lanes(const SurfaceBoxes::Facets& facets, Real limit) const noexcept;

 private:
  using Coordinates = float[3][WideBoxes::width];
  [[nodiscard]] unsigned lanesOf(const Coordinates& low, const Coordinates& high, Real slack,
                                 Real limit, Lanes& least) const noexcept;

  Vec3 inUnits_{0.0};
  Real unit_ = 1.0;
  /// metres: upper bound on the rounding error in the position of the point or a box
  Real slack_ = 0.0;
};

/// A BoxSearch probe; bounds are squared distances, square metres.
class NearestProbe {
 public:
  using Bound = Real;

  NearestProbe() = default;
  /// @param point in the frame of the mesh
  /// @param reach metres; ignores triangles farther away
  /// @param enough metres; stops the search once something is this near
  NearestProbe(const Vec3& point, Real reach, const SurfaceBoxes& surface,
               Real enough = 0.0) noexcept;

  /// From now on, ignores triangles that are not nearer than this share of distance(). The nearest
  /// triangle may be nearer than the one found, but not nearer than that share.
  void settleFor(Real share) noexcept { share_ = share; }

  /// Compares a triangle. Ties go to the lowest index.
  void compare(std::uint32_t triangle) noexcept;

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return gaps_.lanes(node, limit_, least);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept;

  [[nodiscard]] bool found() const noexcept { return triangle_ != none; }
  [[nodiscard]] Real distance() const noexcept { return distance_; }
  /// A lower bound on the distances of all triangles compared so far.
  [[nodiscard]] Real lowest() const noexcept { return lowest_; }
  [[nodiscard]] std::uint32_t triangle() const noexcept { return triangle_; }
  [[nodiscard]] const Vec3& nearest() const noexcept { return nearest_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  const SurfaceBoxes* surface_ = nullptr;
  GapBounds gaps_;
  Vec3 point_{0.0};
  Real reach_ = 0.0, enough_ = 0.0, share_ = 1.0;
  Real distance_ = std::numeric_limits<Real>::infinity();
  Real lowest_ = std::numeric_limits<Real>::infinity();
  Real limit_ = 0.0;
  std::uint32_t triangle_ = none;
  Vec3 nearest_{0.0};
};

}  // namespace nearmiss
