// SPDX-License-Identifier: MIT
/// Where bodies of balls first meet.
#include "builders/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

const Sphere bound{{3.0, -2.0, 1.0}, 2.0};

Sphere moved(Sphere ball) {
  ball.centre += bound.centre;
  return ball;
}

TEST(MeetingMeasure, IsTheSumOfTheRadiiForABallInTheMiddle) {
  const MeetingMeasure measure(bound, 50);
  for (const Real radius : {0.0, 0.25, 2.0}) {
    const std::vector<Sphere> balls{{bound.centre, radius}};
    EXPECT_NEAR(measure.meanDistance(balls), 2.0 * radius / bound.radius, 1e-12);
  }
}

/// By steps inwards along ways of its own: as far as chance allows, the same.
TEST(MeetingMeasure, AgreesWithBodiesThatAreMovedStepByStep) {
  test::Random random(3);
  for (int i = 0; i < 3; ++i) {
    std::vector<Sphere> balls;
    for (int k = 0; k < 6; ++k)
      balls.push_back({1.2 * random.direction() * random.unit(), random.between(0.2, 0.7)});
    const int ways = 2000;
    Real sum = 0.0;
    for (int way = 0; way < ways; ++way) {
      const Quat turn = random.rotation();
      const Vec3 from = random.direction();
      const auto meet = [&](Real apart) {
        for (const Sphere& a : balls)
          for (const Sphere& b : balls)
            if (overlap(a, {turn * b.centre + apart * from, b.radius}) >= 0.0) return true;
        return false;
      };
      Real apart = 4.0;
      while (apart > 0.0 && !meet(apart)) apart -= 0.02;
      sum += std::max(0.0, apart);
    }
    std::vector<Sphere> placed;
    for (const Sphere& ball : balls) placed.push_back(moved(ball));
    const Real expected = sum / ways / bound.radius;
    EXPECT_NEAR(MeetingMeasure(bound, 2000).meanDistance(placed), expected, 0.03);
  }
}

TEST(MeetingMeasure, GrowsWithEveryBall) {
  test::Random random(4);
  const MeetingMeasure measure(bound, 100);
  int grew = 0;
  const int count = test::cases(100);
  for (int i = 0; i < count; ++i) {
    std::vector<Sphere> balls{moved({0.5 * random.direction(), 0.5})};
    const Real before = measure.meanDistance(balls);
    balls.push_back(moved({1.5 * random.direction(), random.between(0.1, 0.5)}));
    EXPECT_GE(measure.meanDistance(balls), before);
    grew += measure.meanDistance(balls) > before;
  }
  EXPECT_GT(grew, count / 2);
}

}  // namespace
}  // namespace nearmiss
