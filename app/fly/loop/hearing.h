// SPDX-License-Identifier: MIT
/// What the pilot hears of a flight.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <array>
#include <span>

#include "fly/gfx/camera.h"
#include "fly/host/sound/mixer.h"

namespace nearmiss::app::fly {

struct FlightContext;

/// Returns the ships that are heard to pass `own`: the nearest ones, louder the nearer and faster.
[[nodiscard]] std::array<PassingShip, Soundscape::maxPassing> passingShips(
    std::span<const BodyState> bodies, std::size_t own, const Camera& camera) noexcept;

/// Sets the continuous sounds of the last frame; silence while nothing moves or sound is off.
void hear(FlightContext& context);

}  // namespace nearmiss::app::fly
