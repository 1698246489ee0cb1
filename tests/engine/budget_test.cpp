// SPDX-License-Identifier: MIT
#include <engine/flight/budget.h>
#include <gtest/gtest.h>

namespace nearmiss::engine {
namespace {

using Kind = BudgetRule::Kind;
using std::chrono::nanoseconds;

TEST(Budget, IsTypedAsAWordOrInMicroseconds) {
  EXPECT_EQ(parseBudget("auto")->kind, Kind::Auto);
  EXPECT_EQ(parseBudget("inf")->kind, Kind::Unlimited);
  for (const char* text : {"1.5", "1.5us", "1.5 us"}) {
    const auto fixed = parseBudget(text);
    ASSERT_TRUE(fixed) << text;
    EXPECT_EQ(fixed->kind, Kind::Fixed);
    EXPECT_EQ(fixed->fixed, nanoseconds(1'500));
  }
  EXPECT_EQ(parseBudget("0")->fixed, nanoseconds(0));
  for (const char* text : {"", "us", " ", "soon", "-1", "nan", "1e10", "5ms", "5 us us", "autos"})
    EXPECT_FALSE(parseBudget(text)) << text;
}

TEST(Budget, KeepsWhatIsNotTyped) {
  const auto budget = parseBudget("50", {Kind::Auto, {}, 1000.0, 0.25});
  EXPECT_EQ(budget->eraScale, 1000.0);
  EXPECT_EQ(budget->minShare, 0.25);
}

TEST(Budget, ReadsBackFromItsText) {
  const BudgetRule rules[] = {
      {Kind::Auto, {}}, {Kind::Unlimited, {}}, {Kind::Fixed, nanoseconds(1)}};
  for (const BudgetRule& rule : rules) {
    const auto read = parseBudget(budgetText(rule));
    ASSERT_TRUE(read) << budgetText(rule);
    EXPECT_EQ(read->kind, rule.kind);
    EXPECT_EQ(read->fixed, rule.fixed);
  }
  EXPECT_EQ(budgetText({Kind::Fixed, nanoseconds(50'000)}), "50 us");
  EXPECT_EQ(budgetText({Kind::Auto, {}, 1000.0}), "auto divided by 1000");
}

}  // namespace
}  // namespace nearmiss::engine
