// SPDX-License-Identifier: MIT
/// Deadlines at the ends of what a clock can say.
#include <gtest/gtest.h>
#include <nearmiss/time_budget.h>

#include <array>

#include "support/manual_clock.h"

namespace nearmiss {
namespace {

using Duration = Clock::Duration;

TEST(TimeBudget, NeverEndsBeyondTheEndOfTheClock) {
  for (const Duration start : {Duration{0}, Duration{1}, Duration{1'000'000'000},
                               Duration::max() - Duration{5}, Duration::max() - Duration{1}}) {
    ManualClock clock;
    clock.advance(start);
    const TimeBudget budget(clock, Duration::max());
    EXPECT_FALSE(budget.exhausted()) << start.count();
    EXPECT_FALSE(budget.spend({})) << start.count();
    EXPECT_FALSE(budget.limited());
    EXPECT_FALSE(budget.halved().exhausted());
  }
}

TEST(TimeBudget, EndsAtTheSumWhereThereIsOne) {
  struct Case {
    Duration start, allowance;
  };
  for (const auto& [start, allowance] :
       {Case{Duration{7}, Duration{5}}, Case{Duration::max() - Duration{6}, Duration{5}},
        Case{Duration{0}, Duration::max() - Duration{2}}, Case{Duration{-9}, Duration{3}}}) {
    ManualClock clock;
    clock.advance(start);
    const TimeBudget budget(clock, allowance);
    EXPECT_TRUE(budget.limited());
    clock.advance(allowance - Duration{1});
    EXPECT_FALSE(budget.exhausted());
    clock.advance(Duration{1});
    EXPECT_TRUE(budget.exhausted());
  }
}

TEST(TimeBudget, IsExhaustedFromTheStartWithoutAnAllowance) {
  for (const Duration start :
       {Duration::min(), Duration{-1}, Duration{0}, Duration{9}, Duration::max() - Duration{1}})
    for (const Duration allowance : {Duration{0}, Duration{-1}, Duration::min()}) {
      ManualClock clock;
      clock.advance(start);
      EXPECT_TRUE(TimeBudget(clock, allowance).exhausted());
    }
}

}  // namespace
}  // namespace nearmiss
