// SPDX-License-Identifier: MIT
/// Turns the user's ship away from the wall of the arena before it gets there.
#pragma once

#include <engine/flight/ship.h>
#include <nearmiss/advanced/body_state.h>

namespace nearmiss::app::fly {

/// Distance from the wall within which the ship is turned, metres.
inline constexpr Real bendingRoom = 10.0;

/// Returns the user's controls, with a turn away from the wall added if the ship thrusts towards it
/// nearby. The turn grows as the wall comes near, and outweighs the user's in the end; the ship
/// flies on along the wall. `radius`: of the wall, metres. The result is part of the frame's input,
/// so it is recorded and replayed.
[[nodiscard]] engine::ShipControl steerAwayFromWall(engine::ShipControl control,
                                                    const BodyState& ship, Real radius) noexcept;

}  // namespace nearmiss::app::fly
