// SPDX-License-Identifier: MIT
#include "pair/inner_balls.h"

#include <gtest/gtest.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <new>

#include "support/allocations.h"
#include "support/manual_clock.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

TEST(InnerBalls, AreAllThereAfterMemoryWasShort) {
  const Polyhedron solid(test::cube());
  const auto make = [&solid](const InnerBallsMaking& making) {
    return making.refine(solid, TimeBudget::unlimited());
  };
  const InnerBallsMaking undisturbed;
  const InnerBalls* wanted = make(undisturbed);
  ASSERT_TRUE(wanted);
  ASSERT_GT(wanted->balls().size(), 100u);
  const std::size_t allocations = test::allocationsIn([&make] {
    const InnerBallsMaking again;
    static_cast<void>(make(again));
  });
  int failed = 0;
  for (std::size_t after = 0; after < allocations; ++after) {
    SCOPED_TRACE(after);
    const InnerBallsMaking disturbed;
    failed += test::shortOfMemory(after, 1, [&] {
      try {
        static_cast<void>(make(disturbed));
        return false;
      } catch (const std::bad_alloc&) {
        return true;
      }
    });
    const InnerBalls* found = make(disturbed);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->nodes().size(), wanted->nodes().size());
    ASSERT_EQ(found->balls().size(), wanted->balls().size());
    for (std::size_t i = 0; i < wanted->balls().size(); ++i)
      ASSERT_EQ(found->balls()[i].centre, wanted->balls()[i].centre);
  }
  EXPECT_GT(failed, 3);
}

/// Between any two of them; none costs a clock that counts work anything.
TEST(InnerBalls, AreMadeWhileTimeLasts) {
  const Polyhedron solid(test::cube());
  const InnerBallsMaking apart;
  const InnerBalls* found = nullptr;
  int calls = 0;
  for (; !found && calls < 10'000; ++calls) {
    ManualClock clock(Clock::Duration(1));
    found = apart.refine(solid, TimeBudget(clock, Clock::Duration(3)));
  }
  ASSERT_TRUE(found);
  EXPECT_GT(calls, 50);
  WorkClock work;
  const InnerBallsMaking late, early;
  EXPECT_FALSE(late.refine(solid, TimeBudget(work, {})));
  const InnerBalls* const same = early.refine(solid, TimeBudget(work, Clock::Duration(1)));
  ASSERT_TRUE(same);
  EXPECT_EQ(work.now(), Clock::Duration{});
  EXPECT_EQ(same->balls().size(), found->balls().size());
}

}  // namespace
}  // namespace nearmiss
