// SPDX-License-Identifier: MIT
/// The flight that the tour shows, brought to the scene that a stop speaks of.
#pragma once

#include "fly/flight.h"
#include "fly/tour/tour.h"

namespace nearmiss::app::fly {

/// The level at which the near pair was left.
inline constexpr int tourLevel = 2;

/// A flight of the same models at the usual pace, always from the same seed; it is not recorded.
/// Errors: as Flight::begin().
[[nodiscard]] Result<Flight> tourFlight(const Flight& of);

/// Restarts it and flies it with unlimited time for detection until the stage is there: the same
/// every time.
/// Returns the pair to look at; none for a crowd. Errors: as Flight::restart(); NotFound where no
/// two ships came near enough to each other.
[[nodiscard]] Result<PickedShips> setStage(Flight& flight, TourStage stage);

/// Where an eye orbits, radians, as of CameraRig::face().
struct OrbitAngles {
  double yaw = 0.6, pitch = 0.35;
};

/// From where the two are seen side by side, with as little as possible in front of them.
[[nodiscard]] OrbitAngles clearView(const Flight& flight, const PickedShips& picked);

}  // namespace nearmiss::app::fly
