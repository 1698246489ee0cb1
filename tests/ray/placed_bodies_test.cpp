// SPDX-License-Identifier: MIT
/// Rays and points against many bodies beside the same questions to each of them.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "support/allocations.h"
#include "support/campaign.h"
#include "support/queried_shapes.h"
#include "world/placed_bodies.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;

const Shapes& shapes() { return queriedShapes().shapes; }

/// Bodies in a room.
struct Crowd {
  std::vector<BodyState> states;
  PlacedBodies bodies;

  Crowd(Random& random, std::uint32_t count, Real room) : states(count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      states[i].key = 100 + i;
      states[i].shape = shapes().ref(static_cast<unsigned>(random.whole(0, 6)));
      states[i].pose = {random.inCube(room), random.rotation()};
    }
    bodies.place(shapes(), states);
  }
  void forEach(const auto& visit) const {
    for (const BodyState& state : states)
      visit(BodyHandle{state.key}, shapes()[state.shape.index()], state.pose);
  }
};

Ray drawThrough(Random& random, Real room) {
  Ray ray{random.inCube(room), random.inCube(1.0)};
  if (random.chance(0.4)) ray.radius = random.between(0.0, 0.5);
  if (random.chance(0.3)) ray.end = random.between(0.0, 2.0 * room);
  return ray;
}

TEST(PlacedBodies, FindTheFirstOfAllBodies) {
  Random random(61);
  int hits = 0, misses = 0, spared = 0;
  EXPECT_FALSE(Crowd(random, 0, 1.0).bodies.raycast({}).hit());
  for (int round = 0; round < test::cases(20); ++round) {
    const Real room = round % 4 == 0 ? 1e9 : random.between(3.0, 20.0);
    const Crowd crowd(random, static_cast<std::uint32_t>(random.whole(1, 60)), room);
    const PlacedBodies& bodies = crowd.bodies;
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(testing::Message() << round << " " << i);
      Ray ray = drawThrough(random, room);
      if (room > 1e8) {
        const auto aim = static_cast<std::size_t>(i) % crowd.states.size();
        ray.direction = crowd.states[aim].pose.position - ray.origin;
        ray.end = 3.0;
      }
      RayHit truth;
      const BodyHandle ignored = i % 3 == 0 ? bodies.raycast(ray).body : BodyHandle{};
      crowd.forEach([&](BodyHandle body, const Shape& shape, const Pose& pose) {
        if (body == ignored) return;
        const RayHit hit = raycast(shape, pose, ray);
        if (!(hit.t < truth.t)) return;
        truth = hit;
        truth.body = body;
      });
      spared += ignored != BodyHandle{};
      const RayHit found = bodies.raycast(ray, ignored);
      ASSERT_FALSE(found.canRefine);
      ASSERT_EQ(found.t, truth.t);
      ASSERT_EQ(found.triangle, truth.triangle);
      ASSERT_EQ(found.body, truth.body);
      ASSERT_LE(found.lower, found.hit() ? found.t : ray.end);
      (found.hit() ? hits : misses) += 1;
      if (found.hit()) {
        ASSERT_EQ(found.point, truth.point);
        ASSERT_GE(found.lower, found.t * (1.0 - 1e-6) - 1e-6);
      }
    }
  }
  EXPECT_GT(hits, 150 * test::campaignFactor());
  EXPECT_GT(misses, 200 * test::campaignFactor());
  EXPECT_GT(spared, 80 * test::campaignFactor());
}

/// Bodies that a segment meets in its end only, which rounding puts before or behind it: the lowest
/// is named, whatever the order in which they are looked at.
TEST(PlacedBodies, NameTheLowestOfThoseThatAreMetAtTheEnd) {
  Random random(66);
  int tied = 0;
  for (int round = 0; round < test::cases(1000); ++round) {
    const Ray ray{random.inCube(3.0), random.inCube(1.0), random.between(0.5, 2.0)};
    const Vec3 at = ray.origin + ray.end * ray.direction;
    Shapes shapes;
    std::vector<BodyState> states;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const Vec3 p = random.inCube(1.0), q = random.inCube(1.0);
      const Vec3 place(random.whole(-4, 4), random.whole(-4, 4), random.whole(-4, 4));
      const Vec3 middle = at - place;
      auto polyhedron = makePolyhedron({{middle + p, middle + q, middle - p - q}, {{0, 1, 2}}});
      ASSERT_TRUE(polyhedron);
      BodyState body;
      body.key = i + 1;
      body.shape = shapes.add(Shape::of(std::move(*polyhedron)));
      body.pose.position = place;
      states.push_back(body);
    }
    PlacedBodies bodies;
    bodies.place(shapes, states);
    RayHit truth;
    int atEnd = 0;
    for (const BodyState& state : states) {
      const RayHit hit = raycast(shapes[state.shape.index()], state.pose, ray);
      atEnd += hit.t == ray.end;
      if (!(hit.t < truth.t)) continue;
      truth = hit;
      truth.body = BodyHandle{state.key};
    }
    const RayHit found = bodies.raycast(ray);
    ASSERT_EQ(found.t, truth.t) << round;
    ASSERT_EQ(found.body, truth.body) << round;
    tied += truth.t == ray.end && atEnd > 1;
  }
  EXPECT_GT(tied, test::cases(8));
}

TEST(PlacedBodies, FindTheNearestOfAllBodiesAndThoseThatHoldAPoint) {
  Random random(62);
  int held = 0, beyond = 0;
  EXPECT_FALSE(Crowd(random, 0, 1.0).bodies.nearest(Vec3(0.0)).found());
  std::vector<BodyHandle> containing;
  for (int round = 0; round < test::cases(20); ++round) {
    const Real room = random.between(2.0, 12.0);
    const Crowd crowd(random, static_cast<std::uint32_t>(random.whole(1, 60)), room);
    const PlacedBodies& bodies = crowd.bodies;
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(testing::Message() << round << " " << i);
      const Vec3 point = i % 9 == 0 ? 1e9 * random.direction() : random.inCube(room);
      const Real reach =
          i % 2 == 0 ? std::numeric_limits<Real>::infinity() : random.between(0.0, 3.0);
      NearestPoint truth;
      std::vector<BodyHandle> holders;
      crowd.forEach([&](BodyHandle body, const Shape& shape, const Pose& pose) {
        const NearestPoint near = nearestPoint(shape, pose, point, reach);
        if (near.upper < truth.upper) {
          truth = near;
          truth.body = body;
        }
        const PointSide side = sideOf(shape, pose, point);
        if (side == PointSide::Inside || side == PointSide::OnSurface) holders.push_back(body);
      });
      const NearestPoint found = bodies.nearest(point, reach);
      ASSERT_EQ(found.upper, truth.upper);
      ASSERT_EQ(found.body, truth.body);
      ASSERT_EQ(found.triangle, truth.triangle);
      ASSERT_FALSE(found.canRefine);
      ASSERT_LE(found.lower, std::min(found.upper, reach));
      beyond += !found.found();
      ASSERT_TRUE(bodies.containing(point, containing));
      ASSERT_EQ(containing, holders);
      held += static_cast<int>(holders.size());
    }
  }
  EXPECT_GT(held, 40 * test::campaignFactor());
  EXPECT_GT(beyond, 30 * test::campaignFactor());
}

TEST(PlacedBodies, AreBoundedWhereverTimeRunsOut) {
  Random random(63);
  const Crowd crowd(random, 80, 6.0);
  const PlacedBodies& bodies = crowd.bodies;
  int stops = 0;
  std::vector<BodyHandle> containing, some;
  for (int i = 0; i < test::cases(200); ++i) {
    const Ray ray = drawThrough(random, 6.0);
    const RayHit whole = bodies.raycast(ray);
    const NearestPoint nearest = bodies.nearest(ray.origin);
    ASSERT_TRUE(bodies.containing(ray.origin, containing));
    for (int allowed = 0; allowed < 3000; allowed += 100) {
      WorkClock clock;
      const TimeBudget budget(clock, Clock::Duration(allowed));
      const RayHit now = bodies.raycast(ray, {}, budget);
      ASSERT_LE(now.lower, whole.hit() ? whole.t : ray.end);
      ASSERT_GE(now.t, whole.t);
      WorkClock second;
      const NearestPoint near = bodies.nearest(ray.origin, std::numeric_limits<Real>::infinity(),
                                               {}, TimeBudget(second, Clock::Duration(allowed)));
      ASSERT_LE(near.lower, nearest.upper);
      ASSERT_GE(near.upper, nearest.upper);
      WorkClock third;
      const bool all =
          bodies.containing(ray.origin, some, TimeBudget(third, Clock::Duration(allowed)));
      ASSERT_LE(some.size(), containing.size());
      if (all) {
        ASSERT_EQ(some.size(), containing.size());
      }
      stops += now.canRefine + near.canRefine + !all;
      if (!now.canRefine) {
        ASSERT_EQ(now.t, whole.t);
        ASSERT_EQ(now.lower, whole.lower);
        ASSERT_EQ(now.body, whole.body);
      }
      if (!near.canRefine) {
        ASSERT_EQ(near.upper, nearest.upper);
      }
    }
  }
  EXPECT_GT(stops, 1500 * test::campaignFactor());
}

TEST(PlacedBodies, TakeNoMemoryOnceWarm) {
  Random random(65);
  Crowd crowd(random, 50, 5.0);
  std::vector<BodyHandle> out;
  out.reserve(50);
  const auto frame = [&] {
    crowd.bodies.place(shapes(), crowd.states);
    for (int i = 0; i < 20; ++i) {
      static_cast<void>(crowd.bodies.raycast({random.inCube(5.0), {1, 0, 0}}));
      static_cast<void>(crowd.bodies.nearest(random.inCube(5.0)));
      static_cast<void>(crowd.bodies.containing(random.inCube(5.0), out));
    }
  };
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(test::allocationsIn(frame), 0u);
}

}  // namespace
}  // namespace nearmiss
