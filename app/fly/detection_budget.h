// SPDX-License-Identifier: MIT
/// The detection budget per frame, as the user sets it.
#pragma once

#include <engine/flight/frame_budget.h>
#include <nearmiss/time_budget.h>

#include <string>
#include <string_view>

#include "fly/ui_state.h"

namespace nearmiss::app::fly {

struct FlightContext;

[[nodiscard]] engine::BudgetRule budgetRule(const UiState& ui) noexcept;

/// The range of a fixed budget in the panel of controls, on a logarithmic scale.
inline constexpr Clock::Duration minBudget = std::chrono::microseconds(10),
                                 maxBudget = std::chrono::milliseconds(100);
/// On that scale, in [0, 1].
[[nodiscard]] double placeOfBudget(Clock::Duration budget) noexcept;
[[nodiscard]] Clock::Duration budgetAt(double place) noexcept;
/// From now on always the same, `minBudget` at least.
void fixBudget(UiState& ui, Clock::Duration budget) noexcept;

/// One step on the scale unlimited, auto, then fixed values down to 10 microseconds, each 0.8 of
/// the one before. `current` is the allowance that auto has now.
void lowerBudget(UiState& ui, Clock::Duration current) noexcept;
void raiseBudget(UiState& ui, Clock::Duration current) noexcept;

/// The rule of the user's flight.
[[nodiscard]] engine::BudgetRule userBudget(const FlightContext& context) noexcept;
/// The detection budget of the frame without a rule of the user's.
[[nodiscard]] Clock::Duration automaticBudget(const FlightContext& context) noexcept;
/// The budget of a replay: what detection had then is granted again.
inline constexpr std::string_view asRecorded = "as recorded";
/// The rule in words, a fixed time as it is allowed in effect: "no limit", "auto", "57 µs".
[[nodiscard]] std::string budgetWords(const engine::BudgetRule& rule);
/// A level cap in words: "none", "L1" to "L4", "exact".
[[nodiscard]] std::string capText(int levelCap);
/// How much longer detection takes in 1995 mode.
[[nodiscard]] double detectionScale(const UiState& ui) noexcept;

}  // namespace nearmiss::app::fly
