// SPDX-License-Identifier: MIT
/// Nothing touches before the time that is promised, and what is reached is near.
#include <gtest/gtest.h>
#include <nearmiss/distance.h>

#include "query/queried_shapes.h"
#include "support/campaign.h"

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
  const Shape& cube = queriedShapes().shapes[ShapeId{0}];
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

}  // namespace
}  // namespace nearmiss
