// SPDX-License-Identifier: MIT
/// Prepares the tour's flight for the situation of a stop.
#pragma once

#include "fly/flight/flight.h"
#include "fly/modes/tour/tour.h"

namespace nearmiss::app::fly {

/// The level at which detection of the near pair stopped.
inline constexpr int tourLevel = 2;

/// Starts a flight of the same models at the default pace with a fixed seed; it is not recorded.
/// Errors: as Flight::begin().
[[nodiscard]] Result<Flight> tourFlight(const Flight& of);

/// Restarts the flight and simulates it with unlimited detection time until the situation occurs,
/// which is deterministic. Returns the pair to look at; none for a crowd. Errors: as
/// Flight::restart(); NotFound if no two ships came near enough.
[[nodiscard]] Result<PickedShips> setStage(Flight& flight, TourStage stage);

/// Orbit of the eye, radians, as for CameraRig::face().
struct OrbitAngles {
  double yaw = 0.6, pitch = 0.35;
};

/// Returns angles that show both ships side by side with little in front of them.
[[nodiscard]] OrbitAngles clearView(const Flight& flight, const PickedShips& picked);

}  // namespace nearmiss::app::fly
