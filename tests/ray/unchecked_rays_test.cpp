// SPDX-License-Identifier: MIT
/// No ray and no point that check() lets pass ends the program: queries answer with numbers. What
/// it refuses, it refuses with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "support/hard_meshes.h"
#include "support/queried_shapes.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using testing::HasSubstr;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real infinity = std::numeric_limits<Real>::infinity();

/// Half of them are refused as places.
constexpr std::array hostileNumbers{nan,  infinity, -infinity, 1.7e308, -1e300, 1.1e60,
                                    1e60, -1e60,    1e9,       5e-324,  -1e-70, 0.0};

Real hostileNumber(Random& random) {
  return hostileNumbers[static_cast<std::size_t>(random.whole(0, hostileNumbers.size() - 1))];
}

bool isPlace(const Vec3& v) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(v[axis]) <= 1e60)) return false;
  return true;
}

bool isSound(const Ray& ray) {
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(ray.direction[axis])) return false;
  const Vec3 size = glm::abs(ray.direction);
  const Real largest = std::max({size.x, size.y, size.z});
  return isPlace(ray.origin) && largest >= 1e-200 && largest <= 1e200 && ray.end >= 0.0 &&
         ray.radius >= 0.0 && ray.radius <= 1e60;
}

TEST(UncheckedRays, AreRefusedWithASentenceOrAnswered) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(71);
  int refused = 0, answered = 0, hits = 0;
  RayQuery query;
  for (int i = 0; i < 20000; ++i) {
    SCOPED_TRACE(i);
    const Shape& shape = queriedShapes().shapes[static_cast<unsigned>(i % 7)];
    const Pose pose{random.inCube(1.0), random.rotation()};
    Ray ray{random.inCube(3.0), random.inCube(1.0)};
    ray.direction -= ray.origin;
    if (random.chance(0.3)) ray.radius = 0.1;
    for (int k = random.whole(0, 2); k > 0; --k) {
      const int where = random.whole(0, 8);
      if (where < 3) ray.origin[where] = hostileNumber(random);
      if (where >= 3 && where < 6) ray.direction[where - 3] = hostileNumber(random);
      if (where == 6) ray.end = hostileNumber(random);
      if (where == 7) ray.radius = hostileNumber(random);
      if (where == 8) ray.direction = Vec3(hostileNumber(random));
    }
    const auto sound = check(ray);
    ASSERT_EQ(sound.has_value(), isSound(ray));
    if (!sound) {
      ++refused;
      ASSERT_THAT(sound.error().message, HasSubstr("but must be"));
      continue;
    }
    ++answered;
    const RayHit found = raycast(shape, pose, ray);
    query.begin(shape, pose, ray);
    ASSERT_EQ(query.refine().t, found.t);
    hits += found.hit();
    ASSERT_FALSE(found.canRefine);
    ASSERT_GE(found.lower, 0.0);
    if (!found.hit()) continue;
    ASSERT_LE(found.t, ray.end);
    ASSERT_TRUE(std::isfinite(found.t));
    ASSERT_LE(found.lower, found.t);
    ASSERT_TRUE(isPlace(found.point));
    ASSERT_NEAR(glm::length(found.normal), 1.0, 1e-6);
  }
  EXPECT_GT(refused, 5000);
  EXPECT_GT(answered, 8000);
  EXPECT_GT(hits, 2000);
  const auto still = check(Ray{{}, Vec3(0.0)});
  ASSERT_FALSE(still);
  EXPECT_EQ(still.error().message, "the length of the direction is 0, but must be above 0");
}

TEST(UncheckedRays, AreToldApartFromWhatTheyMustBe) {
  const auto refusalOf = [](const Ray& ray) { return check(ray).error().message; };
  const Vec3 along{1, 0, 0};
  EXPECT_THAT(refusalOf({{0, -1.0000000001e60, 0}, along}), HasSubstr("origin.y is -1.0000000001"));
  EXPECT_THAT(refusalOf({{}, 1.0000000001e200 * along}), HasSubstr("is 1.0000000001"));
  EXPECT_THAT(refusalOf({{}, 0.9999999999e-200 * along}), HasSubstr("is 9.999999999"));
  EXPECT_THAT(refusalOf({{}, along, 1.0, 1.0000000001e60}), HasSubstr("radius is 1.0000000001"));
}

TEST(UncheckedRays, HaveDirectionsWhoseTimesAreNumbers) {
  const nearmiss::test::Untrapped endsOfTheRange;
  const Shape& shape = queriedShapes().shapes[0];
  for (const Real size : {1e-200, 1e200}) {
    const Ray ray{{1e60, 0, 0}, {-size, 0, 0}};
    ASSERT_TRUE(check(ray));
    const RayHit found = raycast(shape, {}, ray);
    ASSERT_TRUE(found.hit());
    EXPECT_NEAR(found.t / (1e60 / size), 1.0, 1e-12);
  }
  for (const Real size : {-1e-201, 1.1e200}) {
    const auto found = check(Ray{{0, 0, 3}, {0, 0, size}});
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("the largest coordinate of the direction is"));
    EXPECT_THAT(found.error().message, HasSubstr("from 1e-200 to 1e200"));
  }
}

TEST(UncheckedPoints, AreRefusedWithASentenceOrAnswered) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(72);
  int refused = 0, answered = 0;
  for (int i = 0; i < 10000; ++i) {
    const Shape& shape = queriedShapes().shapes[static_cast<unsigned>(i % 7)];
    Vec3 point = random.inCube(1.0);
    if (random.chance(0.5)) point[random.whole(0, 2)] = hostileNumber(random);
    const Real reach = random.chance(0.5) ? infinity : hostileNumber(random);
    const auto sound = check(point, reach);
    ASSERT_EQ(sound.has_value(), isPlace(point) && reach >= 0.0);
    ASSERT_EQ(check(point).has_value(), isPlace(point));
    if (isPlace(point)) {
      ASSERT_NE(sideOf(shape, {}, point), PointSide::Undecided);
    }
    if (!sound) {
      ++refused;
      ASSERT_THAT(sound.error().message, HasSubstr("but must be"));
      continue;
    }
    ++answered;
    const NearestPoint near = nearestPoint(shape, {}, point, reach);
    ASSERT_FALSE(near.canRefine);
    ASSERT_LE(near.lower, near.upper);
    ASSERT_GE(near.lower, 0.0);
    ASSERT_EQ(near.found(), std::isfinite(near.upper));
  }
  EXPECT_GT(refused, 2000);
  EXPECT_GT(answered, 3000);
}

TEST(UncheckedRays, OfManyThreadsMeetAFreshShapeAlike) {
  const Shape shape = Shape::of(Polyhedron(test::spikyStar(5, 40, 60)));
  std::vector<std::thread> threads;
  std::array<Real, 4> sums{};
  for (std::size_t k = 0; k < sums.size(); ++k)
    threads.emplace_back([&shape, &sums, k] {
      Random random(73);
      for (int i = 0; i < 300; ++i) {
        const Vec3 from = random.inCube(2.0);
        const RayHit hit = raycast(shape, {}, {from, -from});
        sums[k] += hit.t + nearestPoint(shape, {}, from).upper;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const Real sum : sums) EXPECT_EQ(sum, sums[0]);
  EXPECT_TRUE(std::isfinite(sums[0]));
}

TEST(RaycastDeathTest, EndsTheProgramOnMisuse) {
  const Shape& shape = queriedShapes().shapes[0];
  EXPECT_DEATH(static_cast<void>(raycast(shape, {}, {{nan, 0, 0}, {0, 0, 1}})), "finite");
  EXPECT_DEATH(static_cast<void>(nearestPoint(shape, {}, {nan, 0, 0})), "finite");
  EXPECT_DEATH(static_cast<void>(sideOf(shape, Pose{{0, nan, 0}}, {})), "position.y is nan");
  EXPECT_DEATH(static_cast<void>(raycast(shape, Pose{{0, nan, 0}}, Ray{})), "position.y is nan");
  RayQuery query;
  EXPECT_DEATH(static_cast<void>(query.refine()), "shape");
}

}  // namespace
}  // namespace nearmiss
