// SPDX-License-Identifier: MIT
#include "fly/detection_budget.h"

#include <algorithm>
#include <cmath>

#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

constexpr double minNanoseconds = static_cast<double>(minBudget.count()),
                 maxNanoseconds = static_cast<double>(maxBudget.count());

}  // namespace

engine::BudgetRule budgetRule(const UiState& ui) noexcept {
  using Kind = engine::BudgetRule::Kind;
  engine::BudgetRule rule;
  rule.kind = ui.budgetMode == BudgetMode::Unlimited ? Kind::Unlimited
              : ui.budgetMode == BudgetMode::Fixed   ? Kind::Fixed
                                                     : Kind::Auto;
  rule.fixed = ui.fixedBudget;
  rule.eraScale = ui.eraMode ? ui.eraScale : 1.0;
  return rule;
}

double placeOfBudget(Clock::Duration budget) noexcept {
  const Clock::Duration shown = std::clamp(budget, minBudget, maxBudget);
  return std::log(static_cast<double>(shown.count()) / minNanoseconds) /
         std::log(maxNanoseconds / minNanoseconds);
}

Clock::Duration budgetAt(double place) noexcept {
  return Clock::Duration(
      std::llround(minNanoseconds * std::pow(maxNanoseconds / minNanoseconds, place)));
}

void fixBudget(UiState& ui, Clock::Duration budget) noexcept {
  ui.budgetMode = BudgetMode::Fixed;
  ui.fixedBudget = std::max(budget, minBudget);
}

void lowerBudget(UiState& ui, Clock::Duration current) noexcept {
  switch (ui.budgetMode) {
    case BudgetMode::Unlimited:
      ui.budgetMode = BudgetMode::Auto;
      break;
    case BudgetMode::Auto:
      fixBudget(ui, current * 4 / 5);
      break;
    case BudgetMode::Fixed:
      fixBudget(ui, ui.fixedBudget * 4 / 5);
      break;
  }
}

void raiseBudget(UiState& ui, Clock::Duration current) noexcept {
  switch (ui.budgetMode) {
    case BudgetMode::Unlimited:
      break;
    case BudgetMode::Auto:
      ui.budgetMode = BudgetMode::Unlimited;
      break;
    case BudgetMode::Fixed:
      ui.fixedBudget = ui.fixedBudget * 5 / 4;
      if (ui.fixedBudget >= current) ui.budgetMode = BudgetMode::Auto;
      break;
  }
}

engine::BudgetRule userBudget(const FlightContext& context) noexcept {
  engine::BudgetRule rule = budgetRule(context.ui);
  rule.leastShare = context.flight().scene().budget.leastShare;
  return rule;
}

Clock::Duration automaticBudget(const FlightContext& context) noexcept {
  const Flight& flight = context.flight();
  return context.times.account.allowance({}, flight.scene().clock, targetOf(flight));
}

double detectionScale(const UiState& ui) noexcept { return ui.eraMode ? ui.eraScale : 1.0; }

}  // namespace nearmiss::app::fly
