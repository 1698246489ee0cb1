// SPDX-License-Identifier: MIT
/// One point against the surface of one shape, resumable.
#pragma once

#include <nearmiss/ray.h>

#include "geometry/box_search.h"
#include "geometry/local_ray.h"
#include "geometry/nearest_probe.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {

class NearestSearch {
 public:
  /// Starts a search. The surface must outlive the last step.
  /// @pre The arguments are valid.
  void begin(const SurfaceBoxes& surface, const Pose& pose, const Vec3& point, Real reach) noexcept;

  /// Searches until it is finished or `budget` is exhausted.
  void run(const TimeBudget& budget) { search_.run(probe_, budget); }

  [[nodiscard]] bool done() const noexcept { return search_.done(); }
  /// Returns the result so far, world frame.
  [[nodiscard]] NearestPoint known() const noexcept;

 private:
  Pose pose_;
  Real reach_ = 0.0;
  Real moved_ = 0.0;  ///< metres by which rounding may have moved the point
  NearestProbe probe_;
  BoxSearch<NearestProbe> search_;
};

}  // namespace nearmiss
