// SPDX-License-Identifier: MIT
/// The states of one flight, recorded so that every method sees the same.
#pragma once

#include <nearmiss/body_state.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::app {

struct RecordedStates {
  std::vector<std::vector<BodyState>> steps;
  std::vector<std::vector<CuttingPlane>> planes;  ///< by step; the bodies refer to them
  std::vector<Real> times;
};

/// Flies drones of these shapes, in turn, through each other without collisions, and records them
/// after they have gathered speed. `crowding`: how many times as many ships a cubic metre as in the
/// default scene.
[[nodiscard]] RecordedStates recordStates(int ships, Real crowding,
                                          std::span<const ShapeRef> shapes, std::size_t steps,
                                          std::uint64_t seed);

}  // namespace nearmiss::app
