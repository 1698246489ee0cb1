// SPDX-License-Identifier: MIT
/// The first triangle that a moving ball touches, looked for in a hierarchy of boxes.
#pragma once

#include <array>
#include <cstdint>

#include "geometry/surface_boxes.h"
#include "query/local_ray.h"
#include "query/ray_probe.h"
#include "query/slab_bounds.h"

namespace nearmiss {

/// A BoxSearch probe. The ball is taken for larger by more than rounding, so that it is never late.
class BallProbe {
 public:
  using Bound = Real;

  BallProbe() = default;
  /// @param first local t; what is met later is of no interest
  /// @pre ray.radius > 0
  BallProbe(const LocalRay& ray, const SurfaceBoxes& surface, Real first) noexcept;

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return slabs_.lanes(node, limit_, least);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept;

  [[nodiscard]] const RayFinding& found() const noexcept { return found_; }
  /// The local t of a bound, rounded down.
  [[nodiscard]] Real timeOf(Real bound) const noexcept { return slabs_.timeOf(bound); }

 private:
  [[nodiscard]] Real touchOf(const Triangle& triangle) const noexcept;

  const SurfaceBoxes* surface_ = nullptr;
  SlabBounds slabs_;
  Vec3 direction_{0.0};
  Real end_ = 0.0;
  Real radius_ = 0.0;  ///< metres, enlarged
  Real coarse_ = 0.0;  ///< how much more it is enlarged for flat triangles
  RayFinding found_;
  Real limit_ = 0.0;  ///< local t from the approach on
};

}  // namespace nearmiss
