// SPDX-License-Identifier: MIT
#include "budget_text.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <system_error>

namespace nearmiss::app {

bool parseBudget(std::string_view text, engine::BudgetRule& budget) noexcept {
  using Kind = engine::BudgetRule::Kind;
  if (text == "auto" || text == "inf") {
    budget.kind = text == "auto" ? Kind::Auto : Kind::Unlimited;
    return true;
  }
  if (text.ends_with("us")) text.remove_suffix(2);
  double us = 0.0;
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, us);
  if (fault != std::errc() || end != last || !(us >= 0.0 && us <= 1e9)) return false;
  budget.kind = Kind::Fixed;
  budget.fixed = std::chrono::nanoseconds(std::llround(us * 1e3));
  return true;
}

std::string budgetWords(const engine::BudgetRule& budget) {
  switch (budget.kind) {
    case engine::BudgetRule::Kind::Unlimited:
      return "without limit";
    case engine::BudgetRule::Kind::Fixed:
      return fmt::format("budget {:.4g} us",
                         std::chrono::duration<double, std::micro>(budget.fixed).count());
    case engine::BudgetRule::Kind::Auto:
      break;
  }
  return "automatic budget";
}

}  // namespace nearmiss::app
