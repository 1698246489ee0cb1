// SPDX-License-Identifier: MIT
/// Two hostile numbers at once: for every query of a pair of shapes, of a ray and of a point, the
/// check of its arguments names one of them, or the query answers with numbers.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>

#include <chrono>
#include <optional>

#include "support/checked_values.h"
#include "support/hostile_pairs.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::HostileNumbers;
using test::ifSound;
using test::put;
using test::queriedShapes;
using test::Random;
using test::Told;
using test::toldOf;

/// What the doors of a round are asked about: at first plain numbers, later any.
struct AskedPair {
  Shape a, b;
  Pose poseA, poseB;
};

AskedPair askedPair(int round) {
  Random random(static_cast<std::uint64_t>(round) + 91);
  const auto any = [&] {
    return queriedShapes().shapes[static_cast<unsigned>(random.whole(0, 6))];
  };
  AskedPair asked{any(), any(), {}, {{0.5, 0.0, 0.25}, Quat(0.6, 0.0, 0.8, 0.0)}};
  if (round == 0) return asked;
  asked.poseA = {random.inCube(1.0), random.rotation()};
  asked.poseB = {random.inCube(1.0), random.rotation()};
  return asked;
}

/// As many in a campaign as it has.
int rounds() { return static_cast<int>(test::campaignFactor()); }

/// Enough for a near pair of simple shapes.
TimeBudget someWork(WorkClock& clock) { return {clock, std::chrono::microseconds(20)}; }

void addTwoPoses(HostileNumbers& numbers, AskedPair& asked) {
  numbers.pose(asked.poseA).pose(asked.poseB);
}

void tellAnswer(Told& told, const Refinement& known) {
  put(told.numbers, known.separationBound, known.separationEstimate);
  if (known.verdict == Verdict::Separate) return;
  for (const Sphere& ball : {known.deepest.a, known.deepest.b})
    put(told.numbers, ball.centre, ball.radius);
}

void tellAnswer(Told& told, const DistanceBounds& bounds) {
  put(told.numbers, bounds.lower, bounds.upper, bounds.pointA, bounds.pointB);
  if (!(bounds.lower <= bounds.upper)) told.fault = "the bounds have changed places";
}

void tellAnswer(Told& told, const PenetrationBounds& bounds) {
  put(told.numbers, bounds.lower, bounds.upper, bounds.direction);
  if (!(bounds.lower <= bounds.upper)) told.fault = "the bounds have changed places";
}

void tellAnswer(Told& told, const Protrusion& found) {
  put(told.numbers, found.depth, found.from, found.to);
}

void tellAnswer(Told& told, const ContactManifold& found) {
  for (const ManifoldPoint& point : found.points)
    put(told.numbers, point.onA, point.onB, point.normal, point.depth);
}

void tellAnswer(Told& told, const RayHit& found) {
  put(told.numbers, found.lower, found.t, found.point, found.normal);
  if (!(found.lower <= found.t)) told.fault = "the bounds have changed places";
}

void tellAnswer(Told& told, const NearestPoint& found) {
  put(told.numbers, found.lower, found.upper, found.point);
  if (!(found.lower <= found.upper)) told.fault = "the bounds have changed places";
}

Told toldAnswer(const auto& found) {
  return toldOf(found, [](Told& told, const auto& value) { tellAnswer(told, value); });
}

/// Asks `once(asked, budget)` about all pairs of numbers of two poses, and a query that is used
/// again and again, which must answer the same in the end.
template <class Query>
void tryQuery(const auto& once) {
  for (int round = 0; round < rounds(); ++round) {
    AskedPair asked = askedPair(round);
    HostileNumbers numbers;
    addTwoPoses(numbers, asked);
    Query query;
    WorkClock clock;
    numbers.tryAll([&] {
      const Told told = toldAnswer(ifSound({check(asked.poseA), check(asked.poseB)},
                                           [&] { return once(asked, someWork(clock)); }));
      if (!told.refused) query.begin(asked.a, asked.poseA, asked.b, asked.poseB);
      return told;
    });
    query.begin(asked.a, asked.poseA, asked.b, asked.poseB);
    Told fresh, used;
    tellAnswer(fresh, once(asked, TimeBudget::unlimited()));
    tellAnswer(used, query.refine(TimeBudget::unlimited()));
    EXPECT_EQ(used.numbers, fresh.numbers);
  }
}

TEST(HostilePairs, OfCollide) {
  tryQuery<CollisionQuery>([](const AskedPair& asked, const TimeBudget& budget) {
    return collide(asked.a, asked.poseA, asked.b, asked.poseB, budget);
  });
}

TEST(HostilePairs, OfDistance) {
  tryQuery<DistanceQuery>([](const AskedPair& asked, const TimeBudget& budget) {
    return distance(asked.a, asked.poseA, asked.b, asked.poseB, budget);
  });
}

TEST(HostilePairs, OfPenetration) {
  tryQuery<PenetrationQuery>([](const AskedPair& asked, const TimeBudget& budget) {
    return penetration(asked.a, asked.poseA, asked.b, asked.poseB, budget);
  });
}

TEST(HostilePairs, OfProtrusion) {
  tryQuery<ProtrusionQuery>([](const AskedPair& asked, const TimeBudget& budget) {
    return protrusion(asked.a, asked.poseA, asked.b, asked.poseB, budget);
  });
}

TEST(HostilePairs, OfContactManifolds) {
  for (int round = 0; round < rounds(); ++round) {
    AskedPair asked = askedPair(round);
    ManifoldSettings settings{.margin = 0.01};
    HostileNumbers numbers;
    addTwoPoses(numbers, asked);
    numbers.number("margin", settings.margin);
    WorkClock clock;
    numbers.tryAll([&] {
      return toldAnswer(ifSound({check(asked.poseA), check(asked.poseB), check(settings)}, [&] {
        return contactManifold(asked.a, asked.poseA, asked.b, asked.poseB, settings,
                               someWork(clock));
      }));
    });
  }
}

TEST(HostilePairs, OfDistancesUpToATolerance) {
  for (int round = 0; round < rounds(); ++round) {
    AskedPair asked = askedPair(round);
    Real tolerance = 0.1;
    HostileNumbers numbers;
    addTwoPoses(numbers, asked);
    numbers.number("tolerance", tolerance);
    DistanceQuery query;
    WorkClock clock;
    numbers.tryAll([&] {
      return toldAnswer(ifSound({check(asked.poseA), check(asked.poseB)}, [&] {
        query.begin(asked.a, asked.poseA, asked.b, asked.poseB);
        return query.refineUntil(tolerance, someWork(clock));
      }));
    });
  }
}

TEST(HostilePairs, OfTimesToContact) {
  for (int round = 0; round < rounds(); ++round) {
    const AskedPair asked = askedPair(round);
    std::array<SteadyMotion, 2> motions{SteadyMotion{asked.poseA}, SteadyMotion{asked.poseB}};
    motions[1].pose.position.z += 4.0;
    motions[1].velocity.z = -1.0;
    Real horizon = 10.0, tolerance = 1e-3;
    HostileNumbers numbers;
    for (SteadyMotion& motion : motions)
      numbers.pose(motion.pose)
          .vector("velocity", motion.velocity)
          .vector("angularVelocity", motion.angularVelocity);
    numbers.number("horizon", horizon).number("tolerance", tolerance);
    DistanceQuery query;
    WorkClock clock;
    numbers.tryAll([&] {
      const TimeBudget budget = someWork(clock);
      const auto ends = [&]() -> Result<Success> {
        for (const SteadyMotion& motion : motions)
          if (auto sound = check(motion); !sound) return sound;
        return checkHorizon(asked.a, motions[0], asked.b, motions[1], horizon, tolerance, budget);
      };
      return toldOf(ifSound({ends()},
                            [&] {
                              return timeToContact(query, asked.a, motions[0], asked.b, motions[1],
                                                   horizon, tolerance, budget);
                            }),
                    [&](Told& told, const ContactTime& found) {
                      put(told.numbers, found.noContactBefore);
                      tellAnswer(told, found.bounds);
                      if (!(found.noContactBefore >= 0.0 && found.noContactBefore <= horizon))
                        told.fault = "a time outside of the horizon";
                    });
    });
  }
}

TEST(HostilePairs, OfRays) {
  for (int round = 0; round < rounds(); ++round) {
    AskedPair asked = askedPair(round);
    Ray ray{{0.25, 0.5, 3.0}, {0.0, 0.125, -1.0}, 100.0, round % 2 ? 0.1 : 0.0};
    HostileNumbers numbers;
    numbers.pose(asked.poseA)
        .vector("origin", ray.origin)
        .vector("direction", ray.direction)
        .number("end", ray.end)
        .number("radius", ray.radius);
    RayQuery query;
    numbers.tryAll([&] {
      return toldAnswer(ifSound({check(asked.poseA), check(ray)}, [&] {
        query.begin(asked.a, asked.poseA, ray);
        const RayHit found = raycast(asked.a, asked.poseA, ray);
        EXPECT_EQ(query.refine().t, found.t);
        return found;
      }));
    });
  }
}

TEST(HostilePairs, OfPoints) {
  for (int round = 0; round < rounds(); ++round) {
    AskedPair asked = askedPair(round);
    Vec3 point(0.25, 0.5, 1.0);
    Real reach = 10.0;
    HostileNumbers numbers;
    numbers.pose(asked.poseA).vector("point", point).number("reach", reach);
    NearestPointQuery query;
    numbers.tryAll([&] {
      return toldAnswer(ifSound({check(asked.poseA), check(point, reach)}, [&] {
        EXPECT_TRUE(check(point));
        EXPECT_NE(sideOf(asked.a, asked.poseA, point), PointSide::Undecided);
        query.begin(asked.a, asked.poseA, point, reach);
        const NearestPoint found = nearestPoint(asked.a, asked.poseA, point, reach);
        EXPECT_EQ(query.refine().upper, found.upper);
        return found;
      }));
    });
  }
}

}  // namespace
}  // namespace nearmiss
