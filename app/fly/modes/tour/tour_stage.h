// SPDX-License-Identifier: MIT
/// Prepares the tour's flight: the encounter of two ships that all stops show.
#pragma once

#include <cstdint>

#include "fly/flight/flight.h"

namespace nearmiss::app::fly {

/// The level at which detection stops until the ships are nearest.
inline constexpr int tourLevel = 2;

/// Two ships that pass each other: their spheres of a coarse level meet, the ships do not.
struct Encounter {
  PickedShips pair;
  // Positions of Flight::past(): the first one shown, and the one at which spheres of tourLevel
  // meet
  std::uint64_t first = 0, nearest = 0;
  Real time = 0.0;  ///< simulation seconds at `nearest`

  /// Simulation seconds from `time` to the end of a round.
  static constexpr Real afterSeconds = 1.15;

  /// Position at a place from 0 (first) to 1 (nearest).
  [[nodiscard]] std::uint64_t at(double place) const noexcept;
};

/// Starts a flight of the same models at the default pace with a fixed seed. It is recorded in
/// memory only. Errors: as Flight::begin().
[[nodiscard]] Result<Flight> tourFlight(const Flight& of);

/// Restarts the flight and simulates it with unlimited detection time to tourLevel until the
/// encounter occurs, which is deterministic. Errors: as Flight::restart(); NotFound if no two ships
/// came near enough.
[[nodiscard]] Result<Encounter> flyToEncounter(Flight& flight);

/// Restarts the flight and simulates it to a known encounter. Errors: as Flight::restart().
Result<Success> flyTo(Flight& flight, const Encounter& encounter);

/// Repeats the detection at `nearest`, to that level. Errors: as Rewinder::goTo().
Result<Success> detectAgain(Flight& flight, const Encounter& encounter, int level);

/// Continues the flight from a position of its past; later frames are dropped. Errors: as
/// Rewinder::goTo().
Result<Success> flyOnFrom(Flight& flight, std::uint64_t position);

/// True gap of two ships, metres, and the least upper bound from the spheres of a level that meet;
/// infinite if none meet.
struct PairGap {
  Real gap = 0.0, bound = 0.0;
};
[[nodiscard]] PairGap gapOf(const Flight& flight, std::size_t a, std::size_t b, int level);

/// Orbit of the eye, radians, as for CameraRig::face().
struct OrbitAngles {
  double yaw = 0.6, pitch = 0.35;
};

/// Returns angles that show both ships side by side with little in front of them.
[[nodiscard]] OrbitAngles clearView(const Flight& flight, const PickedShips& picked);

}  // namespace nearmiss::app::fly
