// SPDX-License-Identifier: MIT
/// One ray or moved ball against one shape, resumable.
#pragma once

#include <nearmiss/ray.h>

#include <algorithm>
#include <limits>

#include "geometry/box_search.h"
#include "geometry/local_ray.h"
#include "geometry/surface_boxes.h"
#include "ray/ball_probe.h"
#include "ray/ray_probe.h"

namespace nearmiss {

class RaySearch {
 public:
  /// Starts a search. The surface must outlive the last step.
  /// @param first in units of the given ray; later hits are ignored
  /// @pre The arguments are valid.
  void begin(const SurfaceBoxes& surface, const Pose& pose, const Ray& ray,
             Real first = std::numeric_limits<Real>::infinity()) noexcept;

  /// Searches until it is finished or `budget` is exhausted.
  void run(const TimeBudget& budget);

  [[nodiscard]] bool done() const noexcept {
    return thick() ? ballSearch_.done() : lineSearch_.done();
  }
  [[nodiscard]] bool hit() const noexcept { return found().triangle != RayHit::noTriangle; }
  /// Returns t of the first hit found so far, in units of the given ray.
  /// @pre hit()
  [[nodiscard]] Real t() const noexcept { return ray_.given(std::min(found().t, ray_.end)); }
  [[nodiscard]] Real lower() const noexcept;

  /// Returns the result so far, world frame.
  [[nodiscard]] RayHit known() const noexcept;

 private:
  [[nodiscard]] bool thick() const noexcept { return ray_.radius > 0.0; }
  [[nodiscard]] const RayFinding& found() const noexcept {
    return thick() ? ball_.found() : line_.found();
  }

  const SurfaceBoxes* surface_ = nullptr;
  Pose pose_;
  LocalRay ray_;
  RayProbe line_;
  BallProbe ball_;
  BoxSearch<RayProbe> lineSearch_;
  BoxSearch<BallProbe> ballSearch_;
};

}  // namespace nearmiss
