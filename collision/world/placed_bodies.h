// SPDX-License-Identifier: MIT
/// Rays and points among bodies in fixed poses, with bounds that are valid whenever a search stops.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/ray.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// A body in its pose.
struct PlacedBody {
  BodyHandle body{};
  std::uint32_t shape = 0;  ///< index in Shapes
  Pose pose;
};

/// A hierarchy over the bounding spheres of bodies. Each query ignores the body `ignore`; 0: none.
/// Equally near bodies: the lowest handle is found.
class PlacedBodies {
 public:
  /// Replaces the bodies; the keys of their states are their handles. `shapes` must outlive the
  /// queries.
  void place(const Shapes& shapes, std::span<const BodyState> bodies);

  [[nodiscard]] RayHit raycast(const Ray& ray, BodyHandle ignore = {},
                               const TimeBudget& budget = TimeBudget::unlimited()) const;
  [[nodiscard]] NearestPoint nearest(const Vec3& point,
                                     Real reach = std::numeric_limits<Real>::infinity(),
                                     BodyHandle ignore = {},
                                     const TimeBudget& budget = TimeBudget::unlimited()) const;
  /// Writes the bodies that contain a point, ascending. Returns false if time ran out.
  bool containing(const Vec3& point, std::vector<BodyHandle>& out,
                  const TimeBudget& budget = TimeBudget::unlimited()) const;

  [[nodiscard]] const Shapes& shapes() const noexcept { return *shapes_; }
  [[nodiscard]] const WideBoxes& boxes() const noexcept { return boxes_; }
  [[nodiscard]] std::span<const PlacedBody> bodies() const noexcept { return placed_; }

 private:
  const Shapes* shapes_ = nullptr;
  std::vector<PlacedBody> placed_;
  std::vector<Box> around_;
  WideBoxes boxes_;
};

}  // namespace nearmiss
