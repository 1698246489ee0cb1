// SPDX-License-Identifier: MIT
/// The states of one flight, recorded so that several methods can be tested on the same input.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A detector's input at every step. Not copyable, because the bodies refer to `planes`.
struct RecordedFlight {
  RecordedFlight() = default;
  RecordedFlight(RecordedFlight&&) = default;
  RecordedFlight& operator=(RecordedFlight&&) = default;

  std::vector<std::vector<BodyState>> steps;
  std::vector<std::vector<CuttingPlane>> planes;  ///< by step; the bodies refer to them
  std::vector<Real> times;                        ///< simulation seconds
};

struct RecordingSettings {
  int ships = 10;
  Real crowding = 1.0;      ///< ships per cubic metre, relative to the default scene
  std::size_t steps = 100;  ///< states
  Real step = 0.05;         ///< time between two states, simulation seconds
  std::uint64_t positionSeed = 1, pilotSeed = 7;
};

/// Flies drones with these shapes, in turn, without collision response and records them once they
/// have reached speed. All methods then see the same flight.
/// @pre `shapes` is not empty
[[nodiscard]] RecordedFlight recordFlight(std::span<const ShapeRef> shapes,
                                          const RecordingSettings& settings);

}  // namespace nearmiss::engine
