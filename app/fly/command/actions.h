// SPDX-License-Identifier: MIT
/// Executes commands from keys or from the control panel.
#pragma once

#include <string_view>
#include <vector>

#include "fly/command/command.h"

namespace nearmiss::app::fly {

struct ControlInput;

/// Returns true if pressing a key for `action` has an effect; held keys have none of their own.
[[nodiscard]] bool hasEffect(Action action) noexcept;
/// Handles a key press: open questions first, then modes, then the command itself.
void apply(FlightContext& context, Action action);
/// Executes only the command itself.
void press(FlightContext& context, Action action);
/// Closes the topmost open page; if none is open, asks whether to quit.
void closeTopmost(FlightContext& context);

/// Returns the rows of the panel with names and words but without state.
[[nodiscard]] std::vector<Control> controlTable();
/// Returns the rows with their current state, in the same order.
[[nodiscard]] std::vector<Control> controls(FlightContext& context);
/// Applies a change from the panel.
void choose(FlightContext& context, const ControlInput& selection);
/// Returns the explanation of a control or number by name.
[[nodiscard]] std::string_view wordsFor(std::string_view name);

}  // namespace nearmiss::app::fly
