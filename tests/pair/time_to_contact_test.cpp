// SPDX-License-Identifier: MIT
/// Nothing touches before the time that is promised, and what is reached is near.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <chrono>
#include <limits>
#include <utility>

#include "support/campaign.h"
#include "support/checked_values.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using test::TwoBodies;

struct Flight {
  TwoBodies bodies;
  std::array<SteadyMotion, 2> motions;

  [[nodiscard]] TwoBodies at(Real seconds) const {
    TwoBodies moved = bodies;
    for (std::size_t k = 0; k < 2; ++k) moved[k].pose = poseAfter(motions[k], seconds);
    return moved;
  }
  [[nodiscard]] ContactTime contact(Real horizon, Real tolerance, const TimeBudget& budget) const {
    DistanceQuery query;
    return timeToContact(query, queriedShapes().of(bodies[0]), motions[0],
                         queriedShapes().of(bodies[1]), motions[1], horizon, tolerance, budget);
  }
};

/// Most fly towards each other.
Flight draw(Random& random) {
  Flight flight;
  flight.bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.9);
  const Vec3 between = flight.bodies[1].pose.position - flight.bodies[0].pose.position;
  flight.bodies[1].pose.position += between;
  for (std::size_t k = 0; k < 2; ++k) {
    flight.motions[k].pose = flight.bodies[k].pose;
    flight.motions[k].velocity = (k == 0 ? 0.4 : -0.4) * between + random.inCube(0.4);
    flight.motions[k].angularVelocity = random.inCube(2.0);
  }
  return flight;
}

TEST(TimeToContact, IsSafeAndReachesWhatItSays) {
  Random random(11);
  constexpr Real horizon = 5.0, tolerance = 1e-4;
  int reached = 0, passed = 0;
  for (int i = 0; i < test::cases(120); ++i) {
    SCOPED_TRACE(i);
    const Flight flight = draw(random);
    const ContactTime found = flight.contact(horizon, tolerance, TimeBudget::unlimited());
    ASSERT_FALSE(found.canRefine);
    for (int k = 0; k < 60; ++k) {
      const Real time =
          found.noContactBefore * (k < 30 ? random.unit() : 1.0 - 1e-3 * random.unit());
      ASSERT_FALSE(queriedShapes().touch(flight.at(time))) << time;
    }
    if (found.reached) {
      const TwoBodies end = flight.at(found.noContactBefore);
      const Real apart = distanceBetween(queriedShapes().of(end[0]).polyhedron(),
                                         queriedShapes().of(end[1]).polyhedron(),
                                         relativePose(end[0].pose, end[1].pose));
      ASSERT_LE(apart, tolerance * (1.0 + 1e-6));
      ++reached;
    } else {
      ASSERT_EQ(found.noContactBefore, horizon);
      ++passed;
    }
  }
  EXPECT_GT(reached, test::cases(120) / 4);
  EXPECT_GT(passed, test::cases(120) / 20);
}

/// Cut short anywhere, the time reached is safe, and no later than the whole answer.
TEST(TimeToContact, IsSafeWhereverTimeRunsOut) {
  Random random(12);
  WorkClock clock;
  int cut = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    SCOPED_TRACE(i);
    const Flight flight = draw(random);
    const ContactTime whole = flight.contact(5.0, 1e-4, TimeBudget::unlimited());
    for (const int microseconds : {0, 20, 100, 400}) {
      const ContactTime part =
          flight.contact(5.0, 1e-4, TimeBudget(clock, std::chrono::microseconds(microseconds)));
      ASSERT_LE(part.noContactBefore, whole.noContactBefore * (1.0 + 1e-6) + 1e-6);
      for (int k = 0; k < 10; ++k) {
        const Real time = part.noContactBefore * random.unit();
        ASSERT_TRUE(time == 0.0 || !queriedShapes().touch(flight.at(time)));
      }
      cut += part.canRefine;
    }
  }
  EXPECT_GT(cut, test::cases(60));
}

TEST(TimeToContact, IsAsSimpleAsItCanBe) {
  const Shape& cube = queriedShapes().shapes[0];
  DistanceQuery query;
  SteadyMotion still, coming;
  coming.pose.position = {5.2, 0, 0};
  coming.velocity = {-2, 0, 0};
  const ContactTime found = timeToContact(query, cube, still, cube, coming, 10.0, 1e-6);
  EXPECT_TRUE(found.reached);
  EXPECT_NEAR(found.noContactBefore, 2.0, 1e-6);
  // Nothing moves
  const ContactTime never = timeToContact(query, cube, still, cube, {coming.pose}, 10.0, 1e-6);
  EXPECT_FALSE(never.reached || never.canRefine);
  EXPECT_EQ(never.noContactBefore, 10.0);
  // They touch already
  const ContactTime now = timeToContact(query, cube, still, cube, still, 10.0, 1e-6);
  EXPECT_TRUE(now.reached);
  EXPECT_EQ(now.noContactBefore, 0.0);
  EXPECT_EQ(now.bounds.upper, 0.0);
}

/// Where coordinates and times have few digits, the time is too early, never too late.
TEST(TimeToContact, IsSafeAfterALongWay) {
  const Shape cube = test::treelessShape(test::cube(0.5));
  DistanceQuery query;
  for (int i = 0; i < 40; ++i) {
    SteadyMotion coming;
    coming.pose.position.x = 1e9 + 0.37 * i;
    coming.velocity.x = -0.7 - 0.001 * i;
    const ContactTime found = timeToContact(query, cube, {}, cube, coming, 1e12, 1e-10);
    const long double gap = coming.pose.position.x +
                            static_cast<long double>(coming.velocity.x) * found.noContactBefore - 1;
    ASSERT_GE(gap, 0.0L) << i;
    ASSERT_LE(gap, 1e-4L) << i;
    ASSERT_FALSE(found.canRefine);
  }
}

TEST(TimeToContact, SeesTheSlowest) {
  const Shape cube = test::treelessShape(test::cube(0.5));
  DistanceQuery query;
  SteadyMotion coming, turning;
  coming.pose.position.x = 3.0;
  coming.velocity.x = -1e-170;
  const ContactTime found = timeToContact(query, cube, {}, cube, coming, 1e200, 1e-3);
  EXPECT_TRUE(found.reached);
  EXPECT_LE(found.noContactBefore, 2e170);
  turning.pose.position.x = 1.1;
  turning.angularVelocity.z = 1e-170;
  EXPECT_LT(timeToContact(query, cube, {}, cube, turning, 1e200, 1e-3).noContactBefore, 1e171);
}

TEST(TimeToContact, EndsWhereNobodyComesNearer) {
  const Shape cube = test::treelessShape(test::cube(0.5));
  DistanceQuery query;
  SteadyMotion turning;
  turning.pose.position.x = 2.0;
  turning.angularVelocity = {1.0, 2.0, 3.0};
  constexpr Real endless = std::numeric_limits<Real>::infinity();
  const auto find = [&] {
    WorkClock clock;
    return timeToContact(query, cube, {}, cube, turning, endless, 1e-3,
                         TimeBudget(clock, std::chrono::milliseconds(1)));
  };
  const ContactTime apart = find();
  EXPECT_FALSE(apart.reached || apart.canRefine);
  EXPECT_EQ(apart.noContactBefore, endless);
  EXPECT_LE(apart.bounds.lower, 1.0);
  // Bounding spheres that come as near as the tolerance: only the motion tells
  turning.pose.position.x = 2.0 * cube.radius() + 1e-3;
  EXPECT_LT(find().noContactBefore, endless);
}

/// Without motion only the distance tells that they are apart, and there was no time for it.
TEST(TimeToContact, PromisesNothingOfBodiesAtRestWithoutTime) {
  const Shape ball = test::treelessShape(test::sphere(24, 32));
  DistanceQuery query;
  SteadyMotion first, second;
  first.velocity = second.velocity = {1.0, 0.0, 0.0};
  second.pose.position = {0.7, 0.3, 0.2};
  WorkClock clock;
  const auto find = [&](Real horizon) {
    return timeToContact(query, ball, first, ball, second, horizon, 1e-3,
                         TimeBudget(clock, std::chrono::microseconds(0)));
  };
  for (const Real horizon : {10.0, 0.0}) {
    const ContactTime rest = find(horizon);
    ASSERT_TRUE(rest.bounds.canRefine);
    EXPECT_TRUE(rest.canRefine);
    EXPECT_EQ(rest.noContactBefore, 0.0);
  }
  second.velocity.x = 0.0;
  EXPECT_TRUE(find(0.0).canRefine);
}

/// Both turn within reach of each other and never touch: to follow all their turns has no end.
TEST(TimeToContact, NeedsABudgetWhereBodiesTurnOnAndOn) {
  const Shape cube = test::treelessShape(test::cube(0.5));
  DistanceQuery query;
  SteadyMotion first, second;
  first.angularVelocity = second.angularVelocity = {1.0, 0.0, 0.0};
  second.pose.position.x = 1.5;
  WorkClock clock;
  const auto find = [&](Real horizon, const TimeBudget& budget = TimeBudget::unlimited()) {
    return test::ifSound({checkHorizon(cube, first, cube, second, horizon, 1e-3, budget)}, [&] {
      return timeToContact(query, cube, first, cube, second, horizon, 1e-3, budget);
    });
  };
  constexpr Real endless = std::numeric_limits<Real>::infinity();
  const std::pair<Real, const char*> refusals[] = {
      {endless, "an infinite horizon needs a budget"},
      {1e300, "a horizon before which bodies turn too often to be followed needs a budget"}};
  for (const auto& [horizon, message] : refusals) {
    const auto refused = find(horizon);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, message);
    EXPECT_TRUE(find(horizon, TimeBudget(clock, std::chrono::milliseconds(1))));
  }
  EXPECT_TRUE(find(10.0));
  second.pose.position.x = 2.5;
  const auto apart = find(1e300);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->noContactBefore, 1e300);
}

/// More time would not help.
TEST(TimeToContact, EndsWhereRoundingHidesTheGap) {
  const Shape cube = test::treelessShape(test::cube(0.5));
  DistanceQuery query;
  SteadyMotion coming;
  coming.pose.position.x = 1.0 + 0x1p-51;
  coming.velocity.x = -1.0;
  const ContactTime found = timeToContact(query, cube, {}, cube, coming, 10.0, 1e-18);
  EXPECT_FALSE(found.reached);
  EXPECT_FALSE(found.canRefine);
}

}  // namespace
}  // namespace nearmiss
