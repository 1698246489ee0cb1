// SPDX-License-Identifier: MIT
/// The scale from no limit over auto down to 10 microseconds, and what it means for a frame.
#include <gtest/gtest.h>

#include "fly/choices/detection_budget.h"

namespace nearmiss::app::fly {
namespace {

using namespace std::chrono_literals;

TEST(BudgetScale, GoesDownToTenMicrosecondsAndNoFurther) {
  UiState ui;
  ui.detection.budget.kind = BudgetKind::Unlimited;
  lowerBudget(ui, 8ms);
  EXPECT_EQ(ui.detection.budget.kind, BudgetKind::Auto);
  lowerBudget(ui, 8ms);
  EXPECT_EQ(ui.detection.budget.kind, BudgetKind::Fixed);
  EXPECT_EQ(ui.detection.budget.fixed, 6400us);
  int steps = 0;
  for (; ui.detection.budget.fixed > 10us && steps < 100; ++steps) {
    const auto before = ui.detection.budget.fixed;
    lowerBudget(ui, 8ms);
    EXPECT_LT(ui.detection.budget.fixed, before);
  }
  EXPECT_LT(steps, 40);
  lowerBudget(ui, 8ms);
  EXPECT_EQ(ui.detection.budget.fixed, 10us);
}

TEST(BudgetScale, IsLogarithmicForTheMouse) {
  EXPECT_EQ(budgetAt(0.0), minBudget);
  EXPECT_EQ(budgetAt(1.0), maxBudget);
  EXPECT_EQ(budgetAt(0.5), 1ms);
  for (const double place : {0.0, 0.25, 0.7, 1.0})
    EXPECT_NEAR(placeOfBudget(budgetAt(place)), place, 1e-3);
  // What lies beyond its ends stands at them
  EXPECT_EQ(placeOfBudget(1us), 0.0);
  EXPECT_EQ(placeOfBudget(10s), 1.0);
}

TEST(BudgetScale, ComesBackUpTheSameWay) {
  UiState ui;
  ui.detection.budget.kind = BudgetKind::Fixed;
  ui.detection.budget.fixed = 10us;
  for (int i = 0; i < 60 && ui.detection.budget.kind == BudgetKind::Fixed; ++i)
    raiseBudget(ui, 8ms);
  EXPECT_EQ(ui.detection.budget.kind, BudgetKind::Auto);
  raiseBudget(ui, 8ms);
  EXPECT_EQ(ui.detection.budget.kind, BudgetKind::Unlimited);
  raiseBudget(ui, 8ms);
  EXPECT_EQ(ui.detection.budget.kind, BudgetKind::Unlimited);
}

TEST(BudgetRule, IsAsTheUserHasIt) {
  using RuleKind = engine::BudgetRule::Kind;
  UiState ui;
  EXPECT_EQ(budgetRule(ui).kind, RuleKind::Auto);
  EXPECT_EQ(budgetRule(ui).eraScale, 1.0);
  ui.detection.eraMode = true;
  ui.detection.budget.eraScale = 1000.0;
  ui.detection.budget.kind = BudgetKind::Fixed;
  ui.detection.budget.fixed = 2ms;
  EXPECT_EQ(budgetRule(ui).kind, RuleKind::Fixed);
  EXPECT_EQ(budgetRule(ui).fixed, 2ms);
  EXPECT_EQ(budgetRule(ui).eraScale, 1000.0);
  ui.detection.budget.kind = BudgetKind::Unlimited;
  EXPECT_EQ(budgetRule(ui).kind, RuleKind::Unlimited);
}

}  // namespace
}  // namespace nearmiss::app::fly
