// SPDX-License-Identifier: MIT
/// Detection's allowance as it is typed: "auto", "inf" or microseconds, "50" or "50us".
#pragma once

#include <engine/flight/frame_budget.h>

#include <string>
#include <string_view>

namespace nearmiss::app {

/// Sets what `text` says and leaves the rest of `budget`; false if it says nothing of the kind.
bool parseBudget(std::string_view text, engine::BudgetRule& budget) noexcept;

/// As a person reads it: "without limit", "automatic budget", "budget 50 us".
[[nodiscard]] std::string budgetWords(const engine::BudgetRule& budget);

}  // namespace nearmiss::app
