// SPDX-License-Identifier: MIT
/// The detection budget per frame, as the user sets it.
#pragma once

#include <engine/flight/frame_budget.h>
#include <nearmiss/time_budget.h>

#include <string>
#include <string_view>

#include "fly/choices/ui_state.h"

namespace nearmiss::app::fly {

struct FlightContext;

[[nodiscard]] engine::BudgetRule budgetRule(const UiState& ui) noexcept;

/// Range of a fixed budget in the control panel, on a logarithmic scale.
inline constexpr Clock::Duration minBudget = std::chrono::microseconds(10),
                                 maxBudget = std::chrono::milliseconds(100);
/// Conversion to and from a position on that scale, in [0, 1].
[[nodiscard]] double placeOfBudget(Clock::Duration budget) noexcept;
[[nodiscard]] Clock::Duration budgetAt(double place) noexcept;
/// Sets a fixed budget of at least `minBudget`.
void fixBudget(UiState& ui, Clock::Duration budget) noexcept;

/// Moves one step on the scale: unlimited, auto, then fixed values down to 10 microseconds, each
/// 0.8 times the previous one. `current` is the current budget under auto.
void lowerBudget(UiState& ui, Clock::Duration current) noexcept;
void raiseBudget(UiState& ui, Clock::Duration current) noexcept;

/// The budget rule of the user's flight.
[[nodiscard]] engine::BudgetRule userBudget(const FlightContext& context) noexcept;
/// The budget of the frame, without a rule of the user.
[[nodiscard]] Clock::Duration automaticBudget(const FlightContext& context) noexcept;
/// Name of the budget of a replay, which repeats the recorded work.
inline constexpr std::string_view asRecorded = "as recorded";
/// Describes a rule, with the effective value of a fixed time: "no limit", "auto", "57 µs".
[[nodiscard]] std::string budgetWords(const engine::BudgetRule& rule);
/// Describes a level cap: "none", "L1" to "L4", "exact".
[[nodiscard]] std::string capText(int levelCap);
/// Switches 1995 mode, by the usual factor if none was chosen.
void setEraMode(UiState& ui, bool on) noexcept;
/// Factor by which detection is slower in 1995 mode.
[[nodiscard]] double detectionScale(const UiState& ui) noexcept;

}  // namespace nearmiss::app::fly
