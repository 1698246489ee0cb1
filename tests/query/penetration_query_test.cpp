// SPDX-License-Identifier: MIT
/// Penetration between two bounds: a translation that parts, and one that no direction can
/// undercut.
#include <gtest/gtest.h>
#include <nearmiss/distance.h>

#include "query/queried_shapes.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using test::TwoBodies;

PenetrationBounds penetration(const TwoBodies& bodies, const TimeBudget& budget) {
  PenetrationQuery query;
  query.begin(queriedShapes().of(bodies[0]), bodies[0].pose, queriedShapes().of(bodies[1]),
              bodies[1].pose);
  return query.refine(budget);
}

TEST(Penetration, IsPartedByTheUpperBoundAndByNothingBelowTheLower) {
  Random random(21);
  int touching = 0, known = 0;
  for (int i = 0; i < test::cases(250); ++i) {
    SCOPED_TRACE(i);
    const TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.05);
    const PenetrationBounds found = penetration(bodies, TimeBudget::unlimited());
    ASSERT_FALSE(found.canRefine);
    ASSERT_LE(found.lower, found.upper);
    const auto touchMoved = [&](const Vec3& by) {
      TwoBodies moved = bodies;
      moved[1].pose.position += by;
      return queriedShapes().touch(moved);
    };
    ASSERT_FALSE(touchMoved((found.upper * (1.0 + 1e-6) + 1e-6) * found.direction));
    if (!touchMoved(Vec3(0.0))) {
      ASSERT_EQ(found.lower, 0.0);
      continue;
    }
    ++touching;
    ASSERT_NEAR(glm::length(found.direction), 1.0, 1e-9);
    if (found.lower == 0.0) continue;
    ++known;
    for (int k = 0; k < 12; ++k) ASSERT_TRUE(touchMoved(0.999 * found.lower * random.direction()));
    ASSERT_TRUE(touchMoved(0.999 * found.lower * found.direction));
  }
  EXPECT_GT(touching, test::cases(250) / 3);
  EXPECT_GT(known, touching / 2);
}

TEST(Penetration, OfConvexBodiesIsKnownWithinTheGapsOfTheirSpheres) {
  TwoBodies bodies{test::bodyOf(0, 1, queriedShapes().polyhedra[1], {}),
                   test::bodyOf(1, 1, queriedShapes().polyhedra[1], {})};
  bodies[1].pose.position = {1.2, 0.1, 0.2};
  const PenetrationBounds found = penetration(bodies, TimeBudget::unlimited());
  EXPECT_GT(found.lower, 0.85 * found.upper);
}

TEST(Penetration, HasItsUpperBoundHoweverShortTheTime) {
  Random random(22);
  WorkClock clock;
  int cut = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.05);
    const PenetrationBounds whole = penetration(bodies, TimeBudget::unlimited());
    PenetrationQuery query;
    query.begin(queriedShapes().of(bodies[0]), bodies[0].pose, queriedShapes().of(bodies[1]),
                bodies[1].pose);
    PenetrationBounds part;
    do {
      part = query.refine(TimeBudget(clock, {}));
      ASSERT_EQ(part.upper, whole.upper);
      ASSERT_LE(part.lower, whole.lower);
      cut += part.canRefine;
    } while (part.canRefine);
    ASSERT_EQ(part.lower, whole.lower);
  }
  EXPECT_GT(cut, test::cases(60));
}

}  // namespace
}  // namespace nearmiss
