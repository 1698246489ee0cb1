// SPDX-License-Identifier: MIT
/// One ray or moved ball against one shape, resumable.
#pragma once

#include <nearmiss/ray.h>

#include <algorithm>
#include <limits>

#include "geometry/box_search.h"
#include "geometry/surface_boxes.h"
#include "query/ball_probe.h"
#include "query/local_ray.h"
#include "query/ray_probe.h"

namespace nearmiss {

class RaySearch {
 public:
  /// The surface must outlive the last step. @pre Values are sound.
  /// @param first as the ray was given: what is met later is of no interest
  void begin(const SurfaceBoxes& surface, const Pose& pose, const Ray& ray,
             Real first = std::numeric_limits<Real>::infinity()) noexcept;

  /// Until it is done or `budget` is exhausted.
  void run(const TimeBudget& budget);

  [[nodiscard]] bool done() const noexcept {
    return thick() ? ballSearch_.done() : lineSearch_.done();
  }
  [[nodiscard]] bool hit() const noexcept { return found().triangle != RayHit::noTriangle; }
  /// Of the first meeting found so far; as the ray was given. @pre hit()
  [[nodiscard]] Real t() const noexcept { return ray_.given(std::min(found().t, ray_.end)); }
  [[nodiscard]] Real lower() const noexcept;

  /// All that is known, world frame.
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
