// SPDX-License-Identifier: MIT
/// Finds the first triangle that a ray hits, in a hierarchy of boxes.
#pragma once

#include <nearmiss/time_budget.h>

#include <array>
#include <cstdint>
#include <limits>

#include "geometry/local_ray.h"
#include "geometry/surface_boxes.h"
#include "ray/exact_ray.h"

namespace nearmiss {

/// The first hit found so far, in local t.
struct RayFinding {
  Real t = std::numeric_limits<Real>::infinity();  ///< without a triangle: later hits are ignored
  Real lowest = std::numeric_limits<Real>::infinity();  ///< lower bound over all hits
  std::uint32_t triangle = RayHit::noTriangle;

  /// Takes a hit if it is the first. Ties go to the lower index.
  void take(std::uint32_t of, const RayMeeting& met) noexcept {
    if (met.t - met.error < lowest) lowest = met.t - met.error;
    if (!met.byEnd || met.t > t || (met.t == t && of > triangle)) return;
    t = met.t;
    triangle = of;
  }
};

/// A BoxSearch probe. Boxes and triangles are tested eight at a time in float, with margins for
/// every rounding. The remaining ones are decided exactly.
class RayProbe {
 public:
  using Bound = float;

  RayProbe() = default;
  /// @param first local t; later hits are ignored
  RayProbe(const LocalRay& ray, const SurfaceBoxes& surface, Real first) noexcept;

  [[nodiscard]] float limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<float, WideBoxes::width>& least) const noexcept;
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept;

  [[nodiscard]] const RayFinding& found() const noexcept { return found_; }
  /// Returns the local t of a bound, rounded down.
  [[nodiscard]] Real timeOf(float bound) const noexcept;

 private:
  [[nodiscard]] unsigned mayMeet(const SurfaceBoxes::Facets& facets) const noexcept;
  void setLimit() noexcept;

  const SurfaceBoxes* surface_ = nullptr;
  ExactRay exact_;
  RayApproach approach_;
  Real end_ = 0.0;
  RayFinding found_;
  float limit_ = 0.0f;  ///< in units, relative to the approach
  /// For the slabs of boxes: per axis, which plane comes first, and both computed as if the ray
  /// started as far away as rounding allows.
  std::array<bool, 3> fromHigh_{};
  std::array<float, 3> entered_{}, left_{}, perUnit_{};
  /// For triangles in the sheared frame of the ray; its steepest axis last.
  std::array<int, 3> axes_{0, 1, 2};
  std::array<float, 3> start_{};
  float shearX_ = 0.0f, shearY_ = 0.0f, margin_ = 0.0f;
};

}  // namespace nearmiss
