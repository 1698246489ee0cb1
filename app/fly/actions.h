// SPDX-License-Identifier: MIT
/// What keys do.
#pragma once

#include "fly/host/key_bindings.h"

namespace nearmiss::app {

struct FlightContext;

/// Whether a key that goes down for `action` has an effect; one that is held has none by itself.
[[nodiscard]] bool hasEffect(Action action) noexcept;
/// A key of the user's goes down: open questions come first, then modes, then its effect.
void apply(FlightContext& context, Action action);
/// The effect alone, whoever presses the key.
void press(FlightContext& context, Action action);
/// Closes what is open, the uppermost first; then asks whether to leave.
void closeTopmost(FlightContext& context);

}  // namespace nearmiss::app
