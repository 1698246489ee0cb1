// SPDX-License-Identifier: MIT
/// Two detection methods that fly side by side, as typed: "bsp:inf,sphere-tree/octree:50us".
#pragma once

#include <engine/flight/frame_budget.h>
#include <nearmiss/result.h>

#include <string>
#include <string_view>

namespace nearmiss::app {

/// The method of one half of a split view.
struct HalfChoice {
  std::string narrow;  ///< one of `nearmiss list narrow`
  std::string tree;    ///< one of `nearmiss list trees`; empty: that of the scene
  engine::BudgetRule budget;
};

struct SplitChoice {
  HalfChoice left, right;
};

/// The default budget: unlimited for a method with a single step, which cannot be interrupted;
/// otherwise automatic.
[[nodiscard]] engine::BudgetRule defaultBudget(std::string_view narrow) noexcept;

/// Parses NARROW[/TREE][:BUDGET],NARROW[/TREE][:BUDGET]. Errors: Unsupported, with the nearest
/// valid name.
Result<SplitChoice> parseSplit(std::string_view text);

}  // namespace nearmiss::app
