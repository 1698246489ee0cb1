// SPDX-License-Identifier: MIT
/// The effect of commands, given by key or in the panel of controls.
#pragma once

#include <string_view>
#include <vector>

#include "fly/command/command.h"

namespace nearmiss::app::fly {

struct ControlWish;

/// True if a key that goes down for `action` has an effect; one that is held has none by itself.
[[nodiscard]] bool hasEffect(Action action) noexcept;
/// A key of the user's goes down: open questions come first, then modes, then its effect.
void apply(FlightContext& context, Action action);
/// The effect alone, whoever presses the key.
void press(FlightContext& context, Action action);
/// Closes what is open, the uppermost first; then asks whether to quit.
void closeTopmost(FlightContext& context);

/// The rows of the panel, not as they stand but by name and words.
[[nodiscard]] std::vector<Control> controlTable();
/// Their present state, in that order.
[[nodiscard]] std::vector<Control> controls(FlightContext& context);
/// Does what the panel is asked for.
void choose(FlightContext& context, const ControlWish& wish);
/// Explains a control of that name, or a number.
[[nodiscard]] std::string_view wordsFor(std::string_view name);

}  // namespace nearmiss::app::fly
