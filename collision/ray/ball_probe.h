// SPDX-License-Identifier: MIT
/// Finds the first triangle that a moving ball touches, in a hierarchy of boxes.
#pragma once

#include <array>
#include <cstdint>

#include "geometry/local_ray.h"
#include "geometry/surface_boxes.h"
#include "ray/ray_probe.h"
#include "ray/slab_bounds.h"

namespace nearmiss {

/// A BoxSearch probe. The ball is enlarged by more than rounding, so that a hit is never too late.
class BallProbe {
 public:
  using Bound = Real;

  BallProbe() = default;
  /// @param first local t; later hits are ignored
  /// @pre ray.radius > 0
  BallProbe(const LocalRay& ray, const SurfaceBoxes& surface, Real first) noexcept;

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return slabs_.lanes(node, limit_, least);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept;

  [[nodiscard]] const RayFinding& found() const noexcept { return found_; }
  /// Returns the local t of a bound, rounded down.
  [[nodiscard]] Real timeOf(Real bound) const noexcept { return slabs_.timeOf(bound); }

 private:
  [[nodiscard]] Real touchOf(const Triangle& triangle) const noexcept;

  const SurfaceBoxes* surface_ = nullptr;
  SlabBounds slabs_;
  Vec3 direction_{0.0};
  Real end_ = 0.0;
  Real radius_ = 0.0;  ///< metres, enlarged
  Real coarse_ = 0.0;  ///< additional enlargement for flat triangles
  RayFinding found_;
  Real limit_ = 0.0;  ///< local t, relative to the approach
};

}  // namespace nearmiss
