// SPDX-License-Identifier: MIT
/// Fills in the player's face from the flight and its modes.
#pragma once

#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

struct FlightContext;

/// @pre context.hasFlight()
[[nodiscard]] PlayerView playerView(const FlightContext& context);

}  // namespace nearmiss::app::fly
