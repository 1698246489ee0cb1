// SPDX-License-Identifier: MIT
#include "fly/choices/detection_budget.h"

#include <algorithm>
#include <cmath>

#include "fly/flight_context.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr double minNanoseconds = static_cast<double>(minBudget.count()),
                 maxNanoseconds = static_cast<double>(maxBudget.count());

}  // namespace

engine::BudgetRule budgetRule(const UiState& ui) noexcept {
  engine::BudgetRule rule = ui.detection.budget;
  if (!ui.detection.eraMode) rule.eraScale = 1.0;
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
  ui.detection.budget.kind = BudgetKind::Fixed;
  ui.detection.budget.fixed = std::max(budget, minBudget);
}

void lowerBudget(UiState& ui, Clock::Duration current) noexcept {
  switch (ui.detection.budget.kind) {
    case BudgetKind::Unlimited:
      ui.detection.budget.kind = BudgetKind::Auto;
      break;
    case BudgetKind::Auto:
      fixBudget(ui, current * 4 / 5);
      break;
    case BudgetKind::Fixed:
      fixBudget(ui, ui.detection.budget.fixed * 4 / 5);
      break;
  }
}

void raiseBudget(UiState& ui, Clock::Duration current) noexcept {
  switch (ui.detection.budget.kind) {
    case BudgetKind::Unlimited:
      break;
    case BudgetKind::Auto:
      ui.detection.budget.kind = BudgetKind::Unlimited;
      break;
    case BudgetKind::Fixed:
      ui.detection.budget.fixed = ui.detection.budget.fixed * 5 / 4;
      if (ui.detection.budget.fixed >= current) ui.detection.budget.kind = BudgetKind::Auto;
      break;
  }
}

engine::BudgetRule userBudget(const FlightContext& context) noexcept {
  engine::BudgetRule rule = budgetRule(context.ui);
  rule.minShare = context.flight().scene().budget.minShare;
  return rule;
}

Clock::Duration automaticBudget(const FlightContext& context) noexcept {
  const Flight& flight = context.flight();
  return context.times.account.allowance({}, flight.scene().clock, targetOf(flight));
}

std::string budgetWords(const engine::BudgetRule& rule) {
  switch (rule.kind) {
    case BudgetKind::Unlimited:
      return "no limit";
    case BudgetKind::Auto:
      return "auto";
    case BudgetKind::Fixed:
      break;
  }
  return formatTime(milliseconds(rule.fixed) / std::max(rule.eraScale, 1e-6));
}

std::string capText(int levelCap) {
  return levelCap > engine::exactDepth ? "none" : std::string(engine::nameOfDepth(levelCap));
}

void setEraMode(UiState& ui, bool on) noexcept {
  constexpr double usual = 250.0;
  ui.detection.eraMode = on;
  if (ui.detection.budget.eraScale == 1.0) ui.detection.budget.eraScale = usual;
}

double detectionScale(const UiState& ui) noexcept {
  return ui.detection.eraMode ? ui.detection.budget.eraScale : 1.0;
}

}  // namespace nearmiss::app::fly
