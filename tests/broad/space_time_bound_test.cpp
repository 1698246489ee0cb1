// SPDX-License-Identifier: MIT
/// Bounds in space and time: they hold every admissible motion.
#include <gtest/gtest.h>
#include <nearmiss/advanced/space_time_bound.h>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "broad/admissible_motion.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

/// A bound of any size and speed, near the origin or far away; `planes` must outlive it.
SpaceTimeBound randomBound(Random& random, std::vector<CuttingPlane>& planes, int maxPlanes) {
  const std::array<Real, 4> offsets{0.0, 1.0, 1e3, 1e7};
  const std::array<Real, 4> speeds{0.0, 0.5, 10.0, 1e3};
  SpaceTimeBound bound;
  bound.start = random.chance(0.3) ? 0.0 : random.between(0.0, 1e4);
  bound.end = bound.start + random.between(0.01, 5.0);
  const Real offset = offsets[static_cast<std::size_t>(random.whole(0, 3))];
  bound.position = random.inCube(5.0) + offset * random.direction();
  bound.velocity = random.inCube(speeds[static_cast<std::size_t>(random.whole(0, 3))]);
  bound.radius = random.chance(0.2) ? 0.0 : random.between(0.0, 2.0);
  bound.acceleration = random.chance(0.1) ? 0.0 : random.between(0.0, 20.0);
  planes.clear();
  const int count = random.whole(0, maxPlanes);
  for (int i = 0; i < count; ++i)
    planes.push_back(
        {random.direction(), random.chance(0.5) ? 0.0 : random.between(0.0, bound.acceleration)});
  bound.planes = planes;
  return bound;
}

TEST(SpaceTimeBound, HoldsEveryPointOfEveryAdmissibleMotion) {
  Random random(1);
  std::vector<CuttingPlane> planes;
  int nearFace = 0, nearPlane = 0;
  const int motions = cases(2500);
  for (int i = 0; i < motions; ++i) {
    const SpaceTimeBound bound = randomBound(random, planes, 3);
    ASSERT_EQ(faultOf(bound), nullptr);
    const test::AdmissibleMotion motion(random, bound);
    for (int sample = 0; sample < 40; ++sample) {
      const Real time = sample == 0 ? bound.end : random.between(bound.start, bound.end);
      const Vec3 centre = motion.at(time);
      // However it spins: a point of its hull in any direction, often straight at a face or plane
      Vec3 out = random.direction();
      if (random.chance(0.4)) {
        out = Vec3(0.0);
        out[random.whole(0, 2)] = random.chance(0.5) ? 1.0 : -1.0;
      } else if (!planes.empty() && random.chance(0.5)) {
        out = -planes.front().direction;
      }
      const Vec3 point = centre + bound.radius * out;
      ASSERT_TRUE(contains(bound, point, time)) << "motion " << i << " at " << time;
      ASSERT_TRUE(crossSection(bound, time).contains(point));

      // How close does it come?
      const Real far = 1e-6 * (1.0 + glm::length(bound.position) + glm::length(bound.velocity) +
                               bound.radius + bound.acceleration);
      nearFace += !crossSection(bound, time).contains(point + far * out);
      nearPlane += !planes.empty() &&
                   crossSection(bound, time).contains(point - far * planes.front().direction) &&
                   !contains(bound, point - far * planes.front().direction, time);
    }
  }
  EXPECT_GT(nearFace, motions) << "samples reach the faces";
  EXPECT_GT(nearPlane, motions / 4) << "and the planes";
}

TEST(SpaceTimeBound, IsLeftByMotionsThatBreakTheirPromise) {
  Random random(2);
  std::vector<CuttingPlane> planes;
  int left = 0;
  for (int i = 0; i < 1000; ++i) {
    SpaceTimeBound bound = randomBound(random, planes, 0);
    bound.position = Vec3(0.0);
    bound.acceleration += 1.0;
    // As hard as twice the bound, along an axis to the end
    const Real life = bound.end - bound.start;
    const Vec3 point = bound.position + bound.velocity * life +
                       Vec3(bound.acceleration * life * life, 0.0, 0.0) +
                       Vec3(bound.radius, 0.0, 0.0);
    left += !contains(bound, point, bound.end);
  }
  EXPECT_EQ(left, 1000);
}

TEST(SpaceTimeBound, TakesItsPromiseFromTheBody) {
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(1.0, 0.0, 0.0), 0.5}};
  BodyState body;
  body.pose.position = Vec3(1.0, 2.0, 3.0);
  body.velocity = Vec3(4.0, 5.0, 6.0);
  body.shape = ShapeRef::ofRadius(7.0);
  body.accelerationBound = 8.0;
  body.boundHoldsUntil = 12.0;
  body.planes = planes;
  const SpaceTimeBound bound = spaceTimeBound(body, 10.0, 20.0);
  EXPECT_EQ(bound.start, 10.0);
  EXPECT_EQ(bound.end, 12.0) << "no longer than the promise";
  EXPECT_EQ(bound.position, body.pose.position);
  EXPECT_EQ(bound.velocity, body.velocity);
  EXPECT_EQ(bound.radius, 7.0);
  EXPECT_EQ(bound.acceleration, 8.0);
  EXPECT_EQ(bound.planes.data(), planes.data());
  EXPECT_EQ(spaceTimeBound(body, 10.0, 11.0).end, 11.0);
  EXPECT_STREQ(faultOf(spaceTimeBound(body, 12.0, 20.0)), "end") << "the promise has expired";
}

TEST(SpaceTimeBound, FaultsAreNamed) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const auto faultAfter = [](auto change) -> std::string {
    std::array<CuttingPlane, 2> planes{CuttingPlane{Vec3(0.0, 1.0, 0.0), 0.0},
                                       CuttingPlane{Vec3(0.0, 0.6, 0.8), 0.1}};
    SpaceTimeBound bound;
    bound.end = 1.0;
    bound.planes = planes;
    change(bound, planes);
    const char* fault = faultOf(bound);
    return fault ? fault : "";
  };
  using Planes = std::array<CuttingPlane, 2>;
  EXPECT_EQ(faultAfter([](SpaceTimeBound&, Planes&) {}), "");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.start = nan; }), "start");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.end = 0.0; }), "end");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.end = -1.0; }), "end");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.end = infinity; }), "end");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.position.y = nan; }), "position");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.velocity.z = infinity; }), "velocity");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.radius = -1.0; }), "radius");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.radius = nan; }), "radius");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.acceleration = -1e-9; }), "acceleration");
  EXPECT_EQ(faultAfter([](SpaceTimeBound& b, Planes&) { b.acceleration = nan; }), "acceleration");
  EXPECT_EQ(faultAfter([](SpaceTimeBound&, Planes& p) { p[1].direction = Vec3(0.0, 0.9, 0.0); }),
            "plane direction");
  EXPECT_EQ(faultAfter([](SpaceTimeBound&, Planes& p) { p[0].direction.x = nan; }),
            "plane direction");
  EXPECT_EQ(faultAfter([](SpaceTimeBound&, Planes& p) { p[1].reverse = -0.1; }), "plane reverse");
  EXPECT_EQ(faultAfter([](SpaceTimeBound&, Planes& p) { p[1].reverse = infinity; }),
            "plane reverse");
}

}  // namespace
}  // namespace nearmiss
