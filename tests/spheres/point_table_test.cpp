// SPDX-License-Identifier: MIT
/// Points and balls side by side give what one after the other would, to the bit.
#include "spheres/point_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "builders/ball_table.h"
#include "spheres/enclosing_ball.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// On a lattice, where many distances are equal, or anywhere.
Vec3 placeOf(test::Random& random, int round) {
  return round % 2 == 0 ? random.onLattice(3) : random.inCube(1.0);
}

TEST(PointTable, GivesTheFarthestPointAndTheSmallestBallThatListsGive) {
  test::Random random(11);
  PointTable table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.maxSquaredDistance(Vec3(1.0)), -1.0);
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec3> points;
    table.clear();
    for (int i = 0; i <= round % 40; ++i) {
      points.push_back(placeOf(random, round));
      table.add(points.back());
    }
    const Vec3 at = placeOf(random, round);
    EXPECT_EQ(table.farthest(at), farthestPoint(at, points));
    EXPECT_EQ(table.maxSquaredDistance(at), maxSquaredDistance(at, points));
    const Sphere ball = smallestEnclosingBall(table), expected = smallestEnclosingBall(points);
    EXPECT_EQ(ball.centre, expected.centre);
    EXPECT_EQ(ball.radius, expected.radius);
  }
}

TEST(BallTable, FindsTheNearestBallAndThoseThatMayHoldAPoint) {
  test::Random random(12);
  BallTable table;
  for (int round = 0; round < 200; ++round) {
    std::vector<Sphere> balls;
    std::vector<Real> reach;
    table.clear();
    for (int i = 0; i <= round % 20; ++i) {
      balls.push_back({placeOf(random, round), 0.25 * (i % 5) - 0.25});
      reach.push_back(0.25 * (i % 4) - 0.25);
      table.add(balls.back());
    }
    balls.back() = {placeOf(random, round), 0.5};
    table.set(balls.size() - 1, balls.back());
    const Vec3 at = placeOf(random, round);

    std::size_t nearest = 0;
    bool held = false;
    std::vector<std::size_t> within, found;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const auto gap = [&](std::size_t k) { return glm::distance(at, balls[k].centre) - reach[k]; };
      if (gap(i) < gap(nearest)) nearest = i;
      held = held || glm::distance(at, balls[i].centre) <= balls[i].radius;
      if (glm::distance(at, balls[i].centre) <= 1.0 + reach[i]) within.push_back(i);
    }
    EXPECT_EQ(table.nearest(at, reach), nearest);
    EXPECT_TRUE(!held || table.anyMayHold(at));
    table.forEachWithin(at, 1.0, reach, [&](std::size_t i) { found.push_back(i); });
    EXPECT_TRUE(std::ranges::is_sorted(found));
    EXPECT_TRUE(std::ranges::includes(found, within));
  }
  // Nothing is in balls far from it
  EXPECT_FALSE(table.anyMayHold(Vec3(100.0)));
}

}  // namespace
}  // namespace nearmiss
