// SPDX-License-Identifier: MIT
#include <engine/flight/budget.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace nearmiss::engine {

std::optional<BudgetRule> parseBudget(std::string_view text, BudgetRule budget) noexcept {
  if (text == "auto" || text == "inf") {
    budget.kind = text == "auto" ? BudgetRule::Kind::Auto : BudgetRule::Kind::Unlimited;
    return budget;
  }
  if (text.ends_with("us")) text.remove_suffix(2);
  if (text.ends_with(' ')) text.remove_suffix(1);
  double us = 0.0;
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, us);
  if (fault != std::errc() || end != last || !(us >= 0.0 && us <= 1e9)) return std::nullopt;
  budget.kind = BudgetRule::Kind::Fixed;
  budget.fixed = std::chrono::nanoseconds(std::llround(us * 1e3));
  return budget;
}

std::string budgetText(const BudgetRule& budget) {
  if (budget.kind == BudgetRule::Kind::Unlimited) return "inf";
  std::string text = "auto";
  if (budget.kind == BudgetRule::Kind::Fixed)
    text = fmt::format("{} us", static_cast<double>(budget.fixed.count()) * 1e-3);
  return budget.eraScale == 1.0 ? text : fmt::format("{} divided by {}", text, budget.eraScale);
}

}  // namespace nearmiss::engine
