// SPDX-License-Identifier: MIT
/// Lifetimes of bounds: a bound fits into the cells that it was planned for, and no number breaks
/// the plan.
#include "broad/cell_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/campaign.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

BodyState bodyOf(Real radius, Real acceleration) {
  BodyState body;
  body.shape = ShapeRef::ofRadius(radius);
  body.accelerationBound = acceleration;
  return body;
}

TEST(CellPlan, GivesLivesWhoseBoxesFitIntoACell) {
  test::Random random(7);
  int whole = 0, shortened = 0, wider = 0;
  for (int i = 0; i < test::cases(2000); ++i) {
    const CellPlan plan{random.between(0.1, 10.0), random.between(0.05, 2.0)};
    const BodyState body = bodyOf(random.between(0.01, 4.0), random.between(0.0, 20.0));
    const Real speed = random.between(0.0, 30.0);
    const Real life = plan.lifeOf(body, speed, 1e-9);
    ASSERT_GT(life, 0.0);
    ASSERT_LE(life, plan.longest);
    const auto halfAfter = [&](Real seconds) {
      return body.shape.radius() + 1e-9 + 0.5 * speed * seconds +
             0.5 * body.accelerationBound * seconds * seconds;
    };
    // Cells are twice as wide from level to level; a bound needs those for a fifth of the longest
    Real cell = plan.cell;
    while (2.0 * halfAfter(0.2 * plan.longest) >= cell) cell *= 2.0;
    EXPECT_LE(2.0 * halfAfter(life), cell);
    wider += cell > plan.cell;
    whole += life == plan.longest;
    shortened += life < plan.longest;
    if (life < plan.longest) {
      EXPECT_GT(2.0 * halfAfter(1.001 * life), cell * (1.0 - 1e-5));
    }
  }
  EXPECT_GT(wider, 100);
  EXPECT_GT(whole, 100);
  EXPECT_GT(shortened, 100);
}

/// Bodies that no cell can hold stay outside of the grid, and their bounds last as long as any.
TEST(CellPlan, GivesTheLongestLifeToWhatFitsNoCell) {
  const test::Untrapped endsOfTheRange;
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  const CellPlan plan{1.0, 0.5};
  for (const Real speed : {nan, infinity, 1e300, 1e30})
    EXPECT_EQ(plan.lifeOf(bodyOf(1.0, 1.0), speed, 0.0), plan.longest) << speed;
  EXPECT_EQ(plan.lifeOf(bodyOf(1.0, 1.0), 1.0, nan), plan.longest);
  EXPECT_EQ(plan.lifeOf(bodyOf(1.0, nan), 1.0, 0.0), plan.longest);
  EXPECT_EQ(plan.lifeOf(bodyOf(1.0, infinity), 1.0, 0.0), plan.longest);
  // Infinite acceleration times no time is NaN
  const CellPlan none{1.0, 0.0};
  EXPECT_EQ(none.lifeOf(bodyOf(1.0, infinity), 1.0, 0.0), 0.0);
}

}  // namespace
}  // namespace nearmiss
