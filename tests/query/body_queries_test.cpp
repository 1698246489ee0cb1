// SPDX-License-Identifier: MIT
/// Rays and points against many bodies beside the same questions to each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "query/queried_shapes.h"
#include "support/allocations.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using testing::HasSubstr;

/// Bodies in a room, some of two links.
struct Crowd {
  std::vector<BodyState> bodies;
  std::vector<std::array<Link, 2>> links;

  Crowd(Random& random, std::uint32_t count, Real room) : bodies(count), links(count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      BodyState& body = bodies[i];
      body.key = 100 + i;
      body.shape = drawn(random);
      body.pose = {random.inCube(room), random.rotation()};
      if (i % 5 != 0) continue;
      links[i] = {Link{drawn(random), {{0.5, 0, 0}, random.rotation()}},
                  Link{drawn(random), {{-2, 0, 0}, random.rotation()}}};
      body.links = links[i];
      body.shape = ShapeRef::ofRadius(10.0, body.shape.id());
    }
  }
  static ShapeRef drawn(Random& random) {
    return queriedShapes().shapes.ref(ShapeId{static_cast<unsigned>(random.whole(0, 6))});
  }
  void forEachLink(const auto& visit) const {
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      for (std::uint32_t k = 0; k < linkCount(bodies[i]); ++k) {
        const Link link = linkOf(bodies[i], k);
        visit(FoundBody{i, bodies[i].key, k}, queriedShapes().shapes[link.shape.id()], link.pose);
      }
  }
};

void expectSame(const FoundBody& found, const FoundBody& truth) {
  ASSERT_EQ(found.index, truth.index);
  ASSERT_EQ(found.key, truth.key);
  ASSERT_EQ(found.link, truth.link);
}

Ray drawThrough(Random& random, Real room) {
  Ray ray{random.inCube(room), random.inCube(1.0)};
  if (random.chance(0.4)) ray.radius = random.between(0.0, 0.5);
  if (random.chance(0.3)) ray.end = random.between(0.0, 2.0 * room);
  return ray;
}

TEST(BodyQueries, FindTheFirstOfAllBodies) {
  Random random(61);
  int hits = 0, misses = 0, spared = 0;
  BodyQueries queries(queriedShapes().shapes);
  EXPECT_FALSE(queries.raycast({}).hit.hit());
  for (int round = 0; round < test::cases(20); ++round) {
    const Real room = round % 4 == 0 ? 1e9 : random.between(3.0, 20.0);
    const Crowd crowd(random, static_cast<std::uint32_t>(random.whole(1, 60)), room);
    queries.take(crowd.bodies);
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(testing::Message() << round << " " << i);
      Ray ray = drawThrough(random, room);
      if (room > 1e8) {
        const auto aim = static_cast<std::size_t>(i) % crowd.bodies.size();
        ray.direction = crowd.bodies[aim].pose.position - ray.origin;
        ray.end = 3.0;
      }
      BodyRayHit truth;
      const std::uint32_t except = i % 3 == 0 ? queries.raycast(ray).body.index : noBody;
      crowd.forEachLink([&](const FoundBody& body, const Shape& shape, const Pose& pose) {
        if (body.index == except) return;
        const RayHit hit = raycast(shape, pose, ray);
        if (hit.t < truth.hit.t) truth = {body, hit};
      });
      spared += except != noBody;
      const BodyRayHit found = queries.raycast(ray, TimeBudget::unlimited(), except);
      ASSERT_FALSE(found.hit.canRefine);
      ASSERT_EQ(found.hit.t, truth.hit.t);
      ASSERT_EQ(found.hit.triangle, truth.hit.triangle);
      ASSERT_NO_FATAL_FAILURE(expectSame(found.body, truth.body));
      ASSERT_LE(found.hit.lower, found.hit.hit() ? found.hit.t : ray.end);
      (found.hit.hit() ? hits : misses) += 1;
      if (found.hit.hit()) {
        ASSERT_EQ(found.hit.point, truth.hit.point);
        ASSERT_GE(found.hit.lower, found.hit.t * (1.0 - 1e-6) - 1e-6);
      }
    }
  }
  EXPECT_GT(hits, 150 * test::campaignFactor());
  EXPECT_GT(misses, 200 * test::campaignFactor());
  EXPECT_GT(spared, 80 * test::campaignFactor());
}

/// Bodies that a segment meets in its end only, which rounding puts before or behind it: the lowest
/// is named, whatever the order in which they are looked at.
TEST(BodyQueries, NameTheLowestOfThoseThatAreMetAtTheEnd) {
  Random random(66);
  int tied = 0;
  for (int round = 0; round < test::cases(1000); ++round) {
    const Ray ray{random.inCube(3.0), random.inCube(1.0), random.between(0.5, 2.0)};
    const Vec3 at = ray.origin + ray.end * ray.direction;
    Shapes shapes;
    std::vector<BodyState> bodies;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const Vec3 p = random.inCube(1.0), q = random.inCube(1.0);
      const Vec3 place(random.whole(-4, 4), random.whole(-4, 4), random.whole(-4, 4));
      const Vec3 middle = at - place;
      auto polyhedron = makePolyhedron({{middle + p, middle + q, middle - p - q}, {{0, 1, 2}}});
      ASSERT_TRUE(polyhedron);
      BodyState body;
      body.key = i;
      body.shape = shapes.add(Shape::of(std::move(*polyhedron)));
      body.pose.position = place;
      bodies.push_back(body);
    }
    BodyQueries queries(shapes);
    queries.take(bodies);
    BodyRayHit truth;
    int atEnd = 0;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      const RayHit hit = raycast(shapes[bodies[i].shape.id()], bodies[i].pose, ray);
      atEnd += hit.t == ray.end;
      if (hit.t < truth.hit.t) truth = {{i, bodies[i].key, 0}, hit};
    }
    const BodyRayHit found = queries.raycast(ray);
    ASSERT_EQ(found.hit.t, truth.hit.t) << round;
    ASSERT_EQ(found.body.index, truth.body.index) << round;
    tied += truth.hit.t == ray.end && atEnd > 1;
  }
  EXPECT_GT(tied, test::cases(8));
}

TEST(BodyQueries, FindTheNearestOfAllBodiesAndThoseThatHoldAPoint) {
  Random random(62);
  int held = 0, beyond = 0;
  BodyQueries queries(queriedShapes().shapes);
  EXPECT_FALSE(queries.nearest(Vec3(0.0)).nearest.found());
  std::vector<FoundBody> holding;
  for (int round = 0; round < test::cases(20); ++round) {
    const Real room = random.between(2.0, 12.0);
    const Crowd crowd(random, static_cast<std::uint32_t>(random.whole(1, 60)), room);
    queries.take(crowd.bodies);
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(testing::Message() << round << " " << i);
      const Vec3 point = i % 9 == 0 ? 1e9 * random.direction() : random.inCube(room);
      const Real reach =
          i % 2 == 0 ? std::numeric_limits<Real>::infinity() : random.between(0.0, 3.0);
      BodyNearestPoint truth;
      std::vector<FoundBody> holders;
      crowd.forEachLink([&](const FoundBody& body, const Shape& shape, const Pose& pose) {
        const NearestPoint near = nearestPoint(shape, pose, point, TimeBudget::unlimited(), reach);
        if (near.upper < truth.nearest.upper) truth = {body, near};
        const PointSide side = sideOf(shape, pose, point).side;
        if (side == PointSide::Inside || side == PointSide::OnSurface) holders.push_back(body);
      });
      const BodyNearestPoint found = queries.nearest(point, TimeBudget::unlimited(), reach);
      ASSERT_EQ(found.nearest.upper, truth.nearest.upper);
      ASSERT_NO_FATAL_FAILURE(expectSame(found.body, truth.body));
      ASSERT_EQ(found.nearest.triangle, truth.nearest.triangle);
      ASSERT_FALSE(found.nearest.canRefine);
      ASSERT_LE(found.nearest.lower, std::min(found.nearest.upper, reach));
      beyond += !found.nearest.found();
      ASSERT_TRUE(queries.holding(point, holding));
      ASSERT_EQ(holding.size(), holders.size());
      for (std::size_t k = 0; k < holders.size(); ++k)
        ASSERT_NO_FATAL_FAILURE(expectSame(holding[k], holders[k]));
      held += static_cast<int>(holders.size());
    }
  }
  EXPECT_GT(held, 40 * test::campaignFactor());
  EXPECT_GT(beyond, 30 * test::campaignFactor());
}

TEST(BodyQueries, AreBoundedWhereverTimeRunsOut) {
  Random random(63);
  BodyQueries queries(queriedShapes().shapes);
  const Crowd crowd(random, 80, 6.0);
  queries.take(crowd.bodies);
  int stops = 0;
  std::vector<FoundBody> holding, some;
  for (int i = 0; i < test::cases(200); ++i) {
    const Ray ray = drawThrough(random, 6.0);
    const BodyRayHit whole = queries.raycast(ray);
    const BodyNearestPoint nearest = queries.nearest(ray.origin);
    ASSERT_TRUE(queries.holding(ray.origin, holding));
    for (int allowed = 0; allowed < 3000; allowed += 100) {
      WorkClock clock;
      const TimeBudget budget(clock, Clock::Duration(allowed));
      const BodyRayHit now = queries.raycast(ray, budget);
      ASSERT_LE(now.hit.lower, whole.hit.hit() ? whole.hit.t : ray.end);
      ASSERT_GE(now.hit.t, whole.hit.t);
      WorkClock second;
      const BodyNearestPoint near =
          queries.nearest(ray.origin, TimeBudget(second, Clock::Duration(allowed)));
      ASSERT_LE(near.nearest.lower, nearest.nearest.upper);
      ASSERT_GE(near.nearest.upper, nearest.nearest.upper);
      WorkClock third;
      const bool all =
          queries.holding(ray.origin, some, TimeBudget(third, Clock::Duration(allowed)));
      ASSERT_LE(some.size(), holding.size());
      if (all) {
        ASSERT_EQ(some.size(), holding.size());
      }
      stops += now.hit.canRefine + near.nearest.canRefine + !all;
      if (!now.hit.canRefine) {
        ASSERT_EQ(now.hit.t, whole.hit.t);
        ASSERT_EQ(now.hit.lower, whole.hit.lower);
        ASSERT_EQ(now.body.index, whole.body.index);
      }
      if (!near.nearest.canRefine) {
        ASSERT_EQ(near.nearest.upper, nearest.nearest.upper);
      }
    }
  }
  EXPECT_GT(stops, 1500 * test::campaignFactor());
}

TEST(BodyQueries, RefuseWhatTheyCannotWorkWith) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  Random random(64);
  BodyQueries queries(queriedShapes().shapes);
  Crowd crowd(random, 3, 2.0);
  const Shapes& shapes = queriedShapes().shapes;
  // Bounds may have expired
  for (BodyState& body : crowd.bodies) body.boundHoldsUntil = -1e9;
  ASSERT_TRUE(checkBodies(crowd.bodies, beforeExpiry, &shapes));
  queries.take(crowd.bodies);
  std::vector<FoundBody> out;
  EXPECT_TRUE(queries.holding(Vec3(0.0), out));
  crowd.bodies[1].pose.position.y = nan;
  const auto refused = checkBodies(crowd.bodies, beforeExpiry, &shapes);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("pose.position.y is nan, but must be finite"));
  EXPECT_DEATH(queries.take(crowd.bodies), "position.y is nan");
  crowd.bodies[1].pose.position.y = 0.0;
  crowd.bodies[2].shape = ShapeRef::ofRadius(5.0, ShapeId{77});
  EXPECT_FALSE(checkBodies(crowd.bodies, beforeExpiry, &shapes));
  EXPECT_DEATH(queries.take(crowd.bodies), "shape.id is 77");
  EXPECT_FALSE(check(Ray{{nan, 0, 0}, {0, 0, 1}}));
  EXPECT_DEATH(static_cast<void>(queries.raycast({{nan, 0, 0}, {0, 0, 1}})), "origin.x is nan");
  EXPECT_DEATH(static_cast<void>(queries.nearest({0, nan, 0})), "point.y is nan");
  EXPECT_DEATH(static_cast<void>(queries.nearest(Vec3(0.0), TimeBudget::unlimited(), -1.0)),
               "reach is -1");
  EXPECT_DEATH(queries.holding({0, 0, nan}, out), "point.z is nan");
}

TEST(BodyQueries, TakeNoMemoryOnceWarm) {
  Random random(65);
  BodyQueries queries(queriedShapes().shapes);
  Crowd crowd(random, 50, 5.0);
  std::vector<FoundBody> out;
  out.reserve(50);
  const auto frame = [&] {
    queries.take(crowd.bodies);
    for (int i = 0; i < 20; ++i) {
      static_cast<void>(queries.raycast({random.inCube(5.0), {1, 0, 0}}));
      static_cast<void>(queries.nearest(random.inCube(5.0)));
      static_cast<void>(queries.holding(random.inCube(5.0), out));
    }
  };
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(test::allocationsIn(frame), 0u);
}

}  // namespace
}  // namespace nearmiss
