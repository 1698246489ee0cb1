// SPDX-License-Identifier: MIT
/// Two ways to detect that fly side by side, as they are typed: "bsp:inf,sphere-tree/octree:50us".
#pragma once

#include <engine/flight/frame_budget.h>
#include <nearmiss/result.h>

#include <string>
#include <string_view>

namespace nearmiss::app {

/// How one half of a split view detects.
struct HalfChoice {
  std::string narrow;  ///< one of `nearmiss list narrow`
  std::string tree;    ///< one of `nearmiss list trees`; empty: as the scene has it
  engine::BudgetRule budget;
};

struct SplitChoice {
  HalfChoice left, right;
};

/// What is allowed where nobody says it: all the time it needs for a method that answers in one
/// step, as it cannot be cut short; else automatic.
[[nodiscard]] engine::BudgetRule usualBudget(std::string_view narrow) noexcept;

/// NARROW[/TREE][:BUDGET],NARROW[/TREE][:BUDGET]. Errors: Unsupported, with the nearest valid name.
Result<SplitChoice> parseSplit(std::string_view text);

}  // namespace nearmiss::app
