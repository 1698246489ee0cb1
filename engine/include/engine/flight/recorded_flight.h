// SPDX-License-Identifier: MIT
/// The states of one flight, recorded so that every method can be shown the same.
#pragma once

#include <nearmiss/body_state.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// A detector's input at every step. Can be moved; in a copy the bodies' planes would be another's.
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
  Real step = 0.05;         ///< between two of them, simulation seconds
  std::uint64_t positionSeed = 1, pilotSeed = 7;
};

/// Flies drones of these shapes, in turn, through each other without collisions, so that all
/// methods see one flight, and records them after they have gathered speed.
/// @pre `shapes` is not empty.
[[nodiscard]] RecordedFlight recordFlight(std::span<const ShapeRef> shapes,
                                          const RecordingSettings& settings);

}  // namespace nearmiss::engine
