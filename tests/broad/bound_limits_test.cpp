// SPDX-License-Identifier: MIT
/// Bounds where they are hardest to get right: at their faces and planes, where their time is too
/// short to divide, and where numbers are too large to square.
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/space_time_bound.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "broad/projection_sweep.h"
#include "broad/space_time_broad_phase.h"
#include "oracle/rational.h"
#include "support/campaign.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::Random;
using test::Rational;

TEST(SpaceTimeBound, EndsAtItsPlanesAndFaces) {
  // A second after the start the plane has fallen by a half of 0.5 m/s^2 * 2 s * 1 s
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(1.0, 0.0, 0.0), 0.5}};
  const SpaceTimeBound bound{10.0, 12.0,  Vec3(3.0, 0.0, 0.0), Vec3(2.0, 0.0, 0.0), 1.0,
                             4.0,  planes};
  const Vec3 centre(5.0, 0.0, 0.0);
  EXPECT_TRUE(contains(bound, centre - Vec3(1.5 - 1e-9, 0.0, 0.0), 11.0));
  EXPECT_FALSE(contains(bound, centre - Vec3(1.5 + 1e-9, 0.0, 0.0), 11.0));
  // The faces have grown by a half of 4 m/s^2 * 2 s * 1 s
  EXPECT_TRUE(contains(bound, centre + Vec3(0.0, 5.0 - 1e-9, 0.0), 11.0));
  EXPECT_FALSE(contains(bound, centre + Vec3(0.0, 5.0 + 1e-9, 0.0), 11.0));
  const Box section = crossSection(bound, 11.0);
  EXPECT_NEAR(section.low.z, -5.0, 1e-9);
  EXPECT_NEAR(section.high.x, 10.0, 1e-9);
}

/// Two cubes pass each other: whatever is rounded, they are told to overlap from the exact time at
/// which they meet to the exact time at which they part, and hardly longer.
TEST(TrapezoidOverlap, LastsAsLongAsInRationals) {
  Random random(21);
  int parted = 0;
  const int tried = test::cases(4000);
  for (int i = 0; i < tried; ++i) {
    const Real start = random.chance(0.3) ? 0.0 : random.between(-1e4, 1e4);
    const Real speed = random.between(0.1, 5.0), distance = random.between(2.5, 20.0);
    SpaceTimeBound a{start, start + 10.0, random.inCube(10.0), Vec3(0.0), 1.0, 0.0, {}};
    SpaceTimeBound b = a;
    const int axis = random.whole(0, 2);
    b.position[axis] += distance;
    b.velocity[axis] = -speed;
    const Rational far = Rational(b.position[axis]) - Rational(a.position[axis]);
    const Rational meets = Rational(start) + (far - 2) / Rational(speed);
    const Rational parts = Rational(start) + (far + 2) / Rational(speed);
    const auto overlap = trapezoidOverlap(a, b);
    ASSERT_EQ(overlap.has_value(), meets <= Rational(a.end)) << i;
    if (!overlap) continue;
    ASSERT_LE(Rational(overlap->first), meets) << i;
    ASSERT_NEAR(overlap->first, static_cast<Real>(meets), 1e-8) << i;
    if (parts > Rational(a.end)) {
      ASSERT_EQ(overlap->last, a.end) << i;
      continue;
    }
    ASSERT_GE(Rational(overlap->last), parts) << i;
    ASSERT_NEAR(overlap->last, static_cast<Real>(parts), 1e-8) << i;
    ++parted;
  }
  EXPECT_GT(parted, tried / 5);
  EXPECT_LT(parted, tried * 4 / 5);
}

/// However far from the origin, however late, however large the other body: the meeting behind a
/// face contact that a plane hides is found half a second after the start, by little early.
TEST(EarliestMeeting, IsAsNearAnywhere) {
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(0.0, 1.0, 0.0), 0.0}};
  for (const Real offset : {0.0, 1e7})
    for (const Real start : {0.0, 1e6})
      for (const Real radius : {0.0, 1.0, 1e3}) {
        const SpaceTimeBound a{start, start + 1.0, Vec3(offset), Vec3(0.0), 1.0, 10.0, planes};
        SpaceTimeBound b{start, start + 1.0, a.position, Vec3(0.0, 4.0, 0.0), radius, 0.0, {}};
        b.position += Vec3(2.0 + radius, -3.0 - radius, 0.0);
        for (const auto& meeting : {earliestMeeting(a, b), earliestMeeting(b, a)}) {
          ASSERT_TRUE(meeting) << offset << ", " << start << ", " << radius;
          EXPECT_LE(*meeting, start + 0.5);
          EXPECT_NEAR(*meeting, start + 0.5, 5e-6) << offset << ", " << start << ", " << radius;
        }
      }
}

TEST(EarliestMeeting, IsAtOnceInsideOfALargeBody) {
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(0.0, 1.0, 0.0), 0.0}};
  const SpaceTimeBound a{0.0, 1.0, Vec3(0.0), Vec3(0.0), 1.0, 0.0, planes};
  const SpaceTimeBound b{0.0, 1.0, Vec3(0.0), Vec3(0.0), 1e3, 0.0, {}};
  EXPECT_EQ(earliestMeeting(a, b), std::optional<Real>(0.0));
  EXPECT_EQ(earliestMeeting(b, a), std::optional<Real>(0.0));
}

/// Bounds of which one begins as the other ends have that instant in common.
TEST(EarliestMeeting, MayBeTheOnlyInstantInCommon) {
  const SpaceTimeBound a{0.0, 1.0, Vec3(0.0), Vec3(0.0), 1.0, 0.0, {}};
  SpaceTimeBound b{1.0, 2.0, Vec3(1.0), Vec3(0.0), 1.0, 0.0, {}};
  EXPECT_EQ(earliestMeeting(a, b), std::optional<Real>(1.0));
  EXPECT_EQ(retightenedMeeting(a, b, 1e-6), std::optional<Real>(1.0));
  b.position.x = 3.0;
  EXPECT_FALSE(earliestMeeting(a, b));
}

TEST(RetightenedMeeting, EndsWhereTimeCannotBeHalved) {
  constexpr Real least = std::numeric_limits<Real>::denorm_min();
  const Real next = std::nextafter(1.0, 2.0), nextButOne = std::nextafter(next, 2.0);
  for (const auto& [start, end] : {std::pair{0.0, least}, std::pair{next, nextButOne}}) {
    const SpaceTimeBound a{start, end, Vec3(0.0), Vec3(0.0), 1.0, 0.0, {}};
    EXPECT_EQ(retightenedMeeting(a, a, 0.0), std::optional<Real>(start));
  }
}

/// Two bodies that thrust towards each other along a line: 2 + t^2 = 10 - 2 t at t = 2.
std::array<SpaceTimeBound, 2> headOn() {
  return {SpaceTimeBound{0.0, 8.0, Vec3(0.0), Vec3(2.0, 0.0, 0.0), 1.0, 1.0, {}},
          SpaceTimeBound{0.0, 8.0, Vec3(10.0, 0.0, 0.0), Vec3(0.0), 1.0, 1.0, {}}};
}

TEST(RetightenedMeeting, GetsNoBetterThanTheGainAskedFor) {
  const auto [a, b] = headOn();
  const Real rough = *retightenedMeeting(a, b, 1.0), fine = *retightenedMeeting(a, b, 1e-6);
  EXPECT_LT(rough, fine - 0.01);
  // No gain is little enough to end it: the digits do
  const Real finest = *retightenedMeeting(a, b, -1.0);
  EXPECT_GE(finest, fine);
  EXPECT_LE(finest, 2.0);
  EXPECT_NEAR(finest, 2.0, 1e-6);
  // Bounds that last so long that all rounds are spent on their first halves
  auto [c, d] = headOn();
  c.end = d.end = 1e6;
  const Real first = *retightenedMeeting(c, d, 0.0);
  EXPECT_GT(first, *earliestMeeting(c, d));
  EXPECT_LE(first, 2.0);
}

TEST(HornMeeting, GetsNoBetterThanTheGainAskedFor) {
  // Beside the line, where the distance is no straight line over time
  auto [a, b] = headOn();
  b.position.y = 4.0;
  const Real rough = *hornMeeting(a, b, 10.0), fine = *hornMeeting(a, b, 1e-9);
  EXPECT_LT(rough, fine - 0.01);
  // No gain is little enough to end it: the steps do
  const Real finest = *hornMeeting(a, b, -1.0);
  EXPECT_GE(finest, fine);
  EXPECT_NEAR(finest, fine, 1e-8);
  // There the spheres touch
  const Real reach = 2.0 + finest * finest;
  EXPECT_NEAR(std::hypot(10.0 - 2.0 * finest, 4.0), reach, 1e-6);
}

TEST(HornMeeting, IsNeverOfBoundsThatDoNotLiveTogether) {
  auto [a, b] = headOn();
  b.position = a.position;
  b.start = 9.0;
  b.end = 10.0;
  EXPECT_FALSE(hornMeeting(a, b, 1e-6));
  b.start = a.end;
  EXPECT_TRUE(hornMeeting(a, b, 1e-6));
}

/// Nothing is excluded that cannot be computed.
TEST(HornMeeting, IsAtOnceWhereSquaresOverflow) {
  const nearmiss::test::Untrapped endsOfTheRange;
  const SpaceTimeBound a{2.0, 3.0, Vec3(0.0), Vec3(0.0), 1.0, 0.0, {}};
  const SpaceTimeBound b{2.0, 3.0, Vec3(1e300, 1e300, 0.0), Vec3(1e300, -1e300, 0.0), 1.0, 0.0, {}};
  EXPECT_EQ(hornMeeting(a, b, 1e-6), std::optional<Real>(2.0));
}

/// Counts what a search tells to its broad phase.
struct CountedSweep : ProjectionSweep {
  static inline std::size_t told = 0;
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept {
    told += ProjectionSweep::overlapping().size();
    return ProjectionSweep::overlapping();
  }
};

/// A clock so late that a horizon vanishes in it: their pairs are known from their states alone.
TEST(SpaceTimeBroadPhase, SearchesForNoMeetingsOfBodiesWithoutABound) {
  Random random(24);
  std::vector<BodyState> bodies(60);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = i + 1;
    bodies[i].pose.position = random.inCube(3.0);
    bodies[i].shape = ShapeRef::ofRadius(0.5);
  }
  SpaceTimeBroadPhase<CountedSweep> searching("counted", Promises::Checked);
  std::vector<BodyPair> found, truth;
  CountedSweep::told = 0;
  for (const Real time : {1.7e18, 1.8e18}) {
    searching.findPairs(bodies, time, found);
    makeAllPairsBroadPhase()->findPairs(bodies, time, truth);
    EXPECT_EQ(found, truth);
    EXPECT_FALSE(truth.empty());
  }
  EXPECT_EQ(CountedSweep::told, 0u);
}

}  // namespace
}  // namespace nearmiss
