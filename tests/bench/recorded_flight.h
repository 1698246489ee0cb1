// SPDX-License-Identifier: MIT
/// One flight for all methods.
#pragma once

#include <nearmiss/body_state.h>

#include <cstddef>
#include <vector>

namespace nearmiss::bench {

/// What a detector saw at every step.
struct RecordedFlight {
  std::vector<std::vector<BodyState>> steps;
  std::vector<std::vector<CuttingPlane>> planes;  ///< by step; the bodies refer to them
  std::vector<Real> times;
};

/// Flies drones of one shape through each other, without collisions, so that all methods see one
/// flight. `crowding`: how many times as many ships a cubic metre as in the default scene.
[[nodiscard]] RecordedFlight recordFlight(int ships, const ShapeRef& shape, Real crowding,
                                          std::size_t steps);

}  // namespace nearmiss::bench
