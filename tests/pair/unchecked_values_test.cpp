// SPDX-License-Identifier: MIT
/// No value that check() lets pass ends the program: queries and detectors answer with numbers.
/// What it refuses, it refuses with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/pair.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/bounded_penetration.h"
#include "support/checked_values.h"
#include "support/queried_shapes.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::ifSound;
using test::queriedShapes;
using test::Random;
using testing::HasSubstr;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real infinity = std::numeric_limits<Real>::infinity();

/// Most are refused.
constexpr std::array hostile{nan,   infinity, -infinity, 1.7e308, -1e300,
                             1e160, 1.1e60,   1e60,      -1e60,   5e-324};

struct Asked {
  Pose pose;
  bool sound = true;
};

/// One coordinate or the rotation replaced by something hostile.
Asked drawAsked(Random& random) {
  Asked asked;
  asked.pose.position = random.inCube(3.0);
  asked.pose.rotation = random.rotation();
  const Real value = hostile[static_cast<std::size_t>(random.whole(0, hostile.size() - 1))];
  const int where = random.whole(0, 14);
  if (where < 3) {
    asked.pose.position[where] = value;
    asked.sound = std::abs(value) <= maxPoseMagnitude;
  } else if (where < 7) {
    asked.pose.rotation[where - 3] = value;
    const Real squared = glm::dot(asked.pose.rotation, asked.pose.rotation);
    asked.sound = std::abs(squared - 1.0) <= 1e-9;
  } else if (where == 7) {
    asked.pose.rotation *= 1.001;
    asked.sound = false;
  }
  return asked;
}

const Shape& shapeAt(int i) { return queriedShapes().shapes[static_cast<unsigned>(i)]; }

TEST(UncheckedValues, AreRefusedWithASentenceOrAnswered) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(31);
  int refused = 0, answered = 0, far = 0;
  CollisionQuery pair;
  DistanceQuery apart;
  PenetrationQuery deep;
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(i);
    const Shape &a = shapeAt(random.whole(0, 6)), &b = shapeAt(random.whole(0, 6));
    const Asked here = drawAsked(random), there = drawAsked(random);
    for (const Asked& asked : {here, there}) {
      const auto sound = check(asked.pose);
      ASSERT_EQ(sound.has_value(), asked.sound);
      if (sound) continue;
      ++refused;
      EXPECT_EQ(sound.error().code, ErrorCode::Unsupported);
      EXPECT_THAT(sound.error().message,
                  testing::MatchesRegex("(position|rotation).* is .*, but must be .*"));
    }
    if (!here.sound || !there.sound) continue;
    ++answered;
    const Refinement met = collide(a, here.pose, b, there.pose);
    const DistanceBounds distant = distance(a, here.pose, b, there.pose);
    const PenetrationBounds parted = test::boundedPenetration(a, here.pose, b, there.pose);
    pair.begin(a, here.pose, b, there.pose);
    apart.begin(a, here.pose, b, there.pose);
    deep.begin(a, here.pose, b, there.pose);
    ASSERT_TRUE(std::isfinite(distant.upper) && distant.lower >= 0.0);
    ASSERT_LE(distant.lower, distant.upper);
    ASSERT_TRUE(std::isfinite(parted.upper) && parted.lower >= 0.0);
    EXPECT_EQ(met.verdict == Verdict::Contact, distant.upper == 0.0);
    const Real between = glm::distance(here.pose.position, there.pose.position);
    if (!(between > 1e50)) continue;
    ++far;
    EXPECT_EQ(met.verdict, Verdict::Separate);
    EXPECT_NEAR(distant.upper / between, 1.0, 1e-6);
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(answered, 150);
  EXPECT_GT(far, 25);
}

TEST(UncheckedValues, OfPosesAreNamed) {
  const auto refusalOf = [](const Pose& pose) { return check(pose).error().message; };
  EXPECT_EQ(refusalOf({{0, nan, 0}}), "position.y is nan, but must be finite");
  EXPECT_EQ(refusalOf({{0, 0, -1.1e60}}),
            "position.z is -1.1e+60, but must be at most 1e60 in size");
  EXPECT_EQ(refusalOf({Vec3(0.0), Quat(2, 0, 0, 0)}), "rotation is 2, but must be of length 1");
  EXPECT_EQ(refusalOf({Vec3(0.0), Quat(1, 0, nan, 0)}), "rotation is nan, but must be of length 1");
  EXPECT_TRUE(check(Pose{{1e60, 0, 0}}));
}

TEST(UncheckedValues, OfMotionsAreRefusedOrFollowedToTheEndOfTheRange) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(32);
  DistanceQuery query;
  constexpr std::array values{nan, infinity, -1e200, 1.1e60, 1e60, -1e60, 1e30, 0.0, 5e-324};
  const auto value = [&] {
    return values[static_cast<std::size_t>(random.whole(0, values.size() - 1))];
  };
  WorkClock clock;
  int refused = 0, answered = 0;
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(i);
    std::array<SteadyMotion, 2> motions;
    motions[1].pose.position = {0.0, 0.0, 4.0};
    bool sound = true;
    for (SteadyMotion& motion : motions) {
      if (random.chance(0.5)) continue;
      Vec3& field = random.chance(0.5) ? motion.velocity : motion.angularVelocity;
      Real& number = field[random.whole(0, 2)];
      number = value();
      sound = sound && std::abs(number) <= maxPoseMagnitude;
    }
    const Real horizon = random.chance(0.5) ? 10.0 : std::abs(value());
    const Real tolerance = random.chance(0.7) ? 1e-3 : value();
    sound = sound && horizon >= 0.0 && tolerance > 0.0;
    const TimeBudget budget(clock, std::chrono::microseconds(500));
    const auto ends = [&]() -> Result<Success> {
      for (const SteadyMotion& motion : motions)
        if (auto checked = check(motion); !checked) return checked;
      return checkHorizon(shapeAt(0), motions[0], shapeAt(0), motions[1], horizon, tolerance,
                          budget);
    };
    const auto found = ifSound({ends()}, [&] {
      return timeToContact(query, shapeAt(0), motions[0], shapeAt(0), motions[1], horizon,
                           tolerance, budget);
    });
    ASSERT_EQ(found.has_value(), sound);
    if (!sound) {
      ++refused;
      EXPECT_THAT(found.error().message, HasSubstr("must be"));
      continue;
    }
    ++answered;
    ASSERT_GE(found->noContactBefore, 0.0);
    ASSERT_LE(found->noContactBefore, horizon);
  }
  EXPECT_GT(refused, 400);
  EXPECT_GT(answered, 300);
  // One that flies away leaves the range, and nothing can be said from then on
  SteadyMotion leaving;
  leaving.pose.position.z = 4.0;
  leaving.velocity.z = maxPoseMagnitude;
  ASSERT_TRUE(checkHorizon(shapeAt(0), {}, shapeAt(0), leaving, 1e300, 1e-3));
  const ContactTime gone = timeToContact(query, shapeAt(0), {}, shapeAt(0), leaving, 1e300, 1e-3);
  EXPECT_FALSE(gone.canRefine || gone.reached);
  EXPECT_GT(gone.noContactBefore, 0.25);
  EXPECT_LT(gone.noContactBefore, 4.0);
  EXPECT_EQ(gone.bounds.lower, 0.0);
  SteadyMotion turning;
  turning.angularVelocity.y = 1e200;
  EXPECT_EQ(check(turning).error().message,
            "angularVelocity.y is 1e+200, but must be at most 1e60 in size");
  turning.velocity.x = nan;
  EXPECT_EQ(check(turning).error().message, "velocity.x is nan, but must be finite");
  turning.pose.position.z = -infinity;
  EXPECT_EQ(check(turning).error().message, "pose.position.z is -inf, but must be finite");
}

struct Two {
  std::vector<BodyState> bodies{2};
  Detector detector{makeSpaceTimeGridBroadPhase(),
                    makeSphereTreeNarrowPhase(queriedShapes().shapes)};
  Two() {
    for (std::uint32_t i = 0; i < 2; ++i) {
      bodies[i].key = i;
      bodies[i].shape = queriedShapes().shapes.ref(0);
    }
  }
};

TEST(UncheckedValues, OfADetectorChangeNothing) {
  Two two;
  Detector& detector = two.detector;
  std::vector<ContactSpheres> spheres(3);
  detector.contacts(0, 10, spheres);
  EXPECT_TRUE(spheres.empty()) << "nothing was detected yet";
  const TimeBudget unlimited = TimeBudget::unlimited();
  detector.detect(two.bodies, 0.0, unlimited);
  detector.contacts(0, 10, spheres);
  EXPECT_FALSE(spheres.empty());
  for (const std::size_t pair : {std::size_t{1}, std::size_t{999}, SIZE_MAX}) {
    detector.contacts(pair, 10, spheres);
    EXPECT_TRUE(spheres.empty());
  }
  EXPECT_FALSE(detector.setOrder(static_cast<RefinementOrder>(77)));
  for (const Real bad : {nan, infinity}) {
    EXPECT_FALSE(detector.setOrder(RefinementOrder::Visibility, {{0.0, bad, 0.0}}));
    EXPECT_FALSE(detector.setOrder(RefinementOrder::Eccentricity, {Vec3(0.0), {0.0, 0.0, bad}}));
    EXPECT_FALSE(detector.setResolution(bad));
    EXPECT_FALSE(checkBodies(two.bodies, bad));
  }
  for (const Real bad : {0.0, -1.0}) EXPECT_FALSE(detector.setResolution(bad));
  EXPECT_TRUE(detector.setResolution(0.01));
  for (const RefinementOrderEntry& entry : refinementOrderCatalog())
    EXPECT_TRUE(detector.setOrder(entry.order));
  for (const int cap : {-5, 0, std::numeric_limits<int>::max()}) {
    detector.setLevelCap(cap);
    EXPECT_EQ(detector.detect(two.bodies, 0.1, unlimited).pairs.size(), 1u);
  }
  detector.announceJumps(std::array{7u, 0xffffffffu});
  WorkClock clock;
  EXPECT_EQ(detector.detect(two.bodies, 0.2, {clock, std::chrono::seconds(1)}).pairs.size(), 1u);
  EXPECT_TRUE(detector.isUsable());
  two.bodies[1].pose.position.x = 1e160;
  const auto far = checkBodies(two.bodies, 0.3);
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().message, HasSubstr("at most 1e60 in size"));
}

TEST(UncheckedValues, OfGrantedWorkAreRefused) {
  Two two;
  GrantedWork granted;
  granted.take(two.detector.detect(two.bodies, 0.0, TimeBudget::unlimited()));
  ASSERT_EQ(granted.pairs.size(), 1u);
  ASSERT_TRUE(check(granted, 2));
  EXPECT_EQ(two.detector.repeat(two.bodies, 0.0, granted).pairs.size(), 1u);
  EXPECT_EQ(check(granted, 2, nan).error().message, "the time of detection is not finite");
  GrantedWork strange = granted;
  strange.pairs[0].bodies.b = 999;
  EXPECT_EQ(check(strange, 2).error().message,
            "the granted work is not of a detection among 2 bodies");
  strange = granted;
  strange.noContactBefore = nan;
  EXPECT_EQ(check(strange, 2).error().message,
            "noContactBefore of the granted work is nan, but must be a time");
  strange = granted;
  strange.postponed = {{{0, 1}, {nan, 1}}};
  EXPECT_EQ(check(strange, 2).error().message,
            "wait.since of the granted work is nan, but must be a time");
}

}  // namespace
}  // namespace nearmiss
