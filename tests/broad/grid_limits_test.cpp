// SPDX-License-Identifier: MIT
/// The grid of bounds where sizes, places, speeds and times leave their usual range: its pairs are
/// those of all pairs, and it promises nothing that it cannot compute.
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "support/campaign.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::Random;

class GridLimits : public testing::Test {
 protected:
  static std::vector<BodyState> bodiesOf(Random& random, std::uint32_t count, Real room,
                                         Real radius) {
    std::vector<BodyState> bodies(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      bodies[i].key = i + 1;
      bodies[i].pose.position = random.inCube(room);
      bodies[i].shape = ShapeRef::ofRadius(radius);
      bodies[i].boundHoldsUntil = std::numeric_limits<Real>::infinity();
    }
    return bodies;
  }

  /// What it returns, after its pairs have been compared.
  Real compare(std::span<const BodyState> bodies, Real time) {
    const Real noContactBefore = grid_->findPairs(bodies, time, found_);
    reference_->findPairs(bodies, time, truth_);
    EXPECT_EQ(found_, truth_) << time;
    EXPECT_GE(noContactBefore, time);
    return noContactBefore;
  }

  std::unique_ptr<BroadPhase> grid_ = makeSpaceTimeGridBroadPhase();
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  std::vector<BodyPair> found_, truth_;
};

TEST_F(GridLimits, PointsAndGiants) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(1);
  for (const Real radius : {0.0, 1e-120, 1e120}) {
    auto bodies = bodiesOf(random, 40, 4.0 * radius, radius);
    bodies[7].pose.position = bodies[30].pose.position;
    compare(bodies, 0.0);
    EXPECT_FALSE(truth_.empty());
    compare(bodies, 0.05);
  }
}

/// Far more ticks than a calendar has pass between two of them.
TEST_F(GridLimits, CallsFarApartBesideTheirResolution) {
  grid_->setResolution(0.01);
  Random random(3);
  auto bodies = bodiesOf(random, 2, 0.0, 1.0);
  bodies[0].velocity.x = 10.0;
  Real time = 0.0;
  std::size_t met = 0;
  for (const int ticks : {0, 1, 3, 50, 12, 100, 12, 130, 11, 1000}) {
    time += 0.01 * ticks;
    bodies[0].pose.position.x = 10.0 * time;
    // After a long time it is ahead of the other, to meet it in 12 ticks
    if (ticks > 12) {
      bodies[1].pose.position.x = 10.0 * time + 3.15;
      ++bodies[1].motionEpoch;
    }
    const Real noContactBefore = compare(bodies, time);
    if (ticks > 12) {
      EXPECT_NEAR(noContactBefore, time + 0.115, 0.01);
    }
    met += truth_.size();
  }
  EXPECT_EQ(met, 5u);
}

/// Cells have no numbers there.
TEST_F(GridLimits, PlacesBeyondAllCells) {
  Random random(2);
  for (const Real far : {1e14, 1e15, 1e18, 1e30}) {
    auto bodies = bodiesOf(random, 30, 3.0, 0.5);
    for (std::size_t i = 0; i < bodies.size(); i += 2)
      bodies[i].pose.position += (i % 4 == 0 ? far : -far) * random.direction();
    // On the last cell that has one, and beside it
    bodies[1].pose.position = Vec3(1e15 - 0.5, 0.0, 0.0);
    bodies[3].pose.position = Vec3(1e15 + 0.25, 0.0, 0.0);
    bodies[5].pose.position = Vec3(0.0, -1e15, 0.0);
    bodies[7].pose.position = Vec3(0.0, -1e15 - 0.5, 0.0);
    bodies[8].pose.position = bodies[10].pose.position;
    for (const Real time : {0.0, 0.05, 0.1}) compare(bodies, time);
    EXPECT_GE(truth_.size(), 3u);
  }
}

/// Its box in single precision: one place is finite there, the other not.
TEST_F(GridLimits, PlacesThatNoFloatHolds) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(9);
  for (const Real side : {1.0, -1.0}) {
    grid_ = makeSpaceTimeGridBroadPhase();
    auto bodies = bodiesOf(random, 12, 3.0, 0.1);
    bodies[2].pose.position.x = side * 3.3e38;
    bodies[2].shape = ShapeRef::ofRadius(3e37);
    bodies[9].pose.position.x = side * 3.5e38;
    bodies[9].shape = ShapeRef::ofRadius(1e30);
    for (const Real time : {0.0, 0.05, 0.1}) {
      compare(bodies, time);
      EXPECT_TRUE(std::ranges::count(truth_, BodyPair{2, 9}) == 1);
    }
  }
}

/// A square that overflows excludes no touch.
TEST_F(GridLimits, SpeedsWithoutASquare) {
  const nearmiss::test::Untrapped endsOfTheRange;
  for (const Real tick : {0.05, 1e-200}) {
    grid_ = makeSpaceTimeGridBroadPhase();
    grid_->setResolution(tick);
    Random random(3);
    auto bodies = bodiesOf(random, 12, 1.0, 0.1);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      bodies[i].pose.position.x = 10.0 * static_cast<Real>(i);
    compare(bodies, 0.0);
    // Ticks so short are not told apart later
    const Real time = tick < 0.05 ? 0.0 : 0.05;
    EXPECT_TRUE(compare(bodies, time) > time || time == 0.0);
    bodies[7].velocity.x = 1e200;
    ++bodies[7].motionEpoch;
    EXPECT_EQ(compare(bodies, time), time);
  }
}

/// Bodies that accelerate ten times as hard as they promised, and do not say so: their bounds are
/// void once they have left them, and no pair is missed after that.
TEST_F(GridLimits, StatesBeyondTheirBounds) {
  Random random(8);
  std::size_t touching = 0;
  for (int round = 0; round < test::cases(20); ++round) {
    grid_ = makeSpaceTimeGridBroadPhase();
    grid_->setResolution(0.05);
    auto bodies = bodiesOf(random, 40, 3.0, 0.4);
    std::vector<Vec3> thrusts;
    for (BodyState& body : bodies) {
      body.accelerationBound = 0.5;
      thrusts.push_back(5.0 * random.direction());
    }
    for (int call = 0; call < 40; ++call) {
      compare(bodies, 0.05 * call);
      touching += truth_.size();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (random.chance(0.1)) thrusts[i] = 5.0 * random.direction();
        bodies[i].velocity += 0.05 * thrusts[i];
        bodies[i].pose.position += 0.05 * bodies[i].velocity;
      }
    }
  }
  EXPECT_GT(touching, 500u);
}

TEST_F(GridLimits, JumpsOfBodiesThatAreGone) {
  Random random(4);
  auto bodies = bodiesOf(random, 20, 3.0, 0.5);
  compare(bodies, 0.0);
  for (int call = 1; call < 20; ++call) {
    bodies[5].pose.position = bodies[call % 2 == 0 ? 7 : 9].pose.position;
    ++bodies[5].motionEpoch;
    const std::array<std::uint32_t, 3> jumped{5, 20, 1'000'000};
    grid_->stoppable()->announceJumps(jumped);
    compare(bodies, 0.05 * call);
    EXPECT_FALSE(truth_.empty());
  }
}

/// Those that are gone waited, had pairs to come, or were too large for any cell.
TEST_F(GridLimits, FewerBodiesThanBefore) {
  Random random(9);
  std::size_t waiting = 0, touching = 0;
  WorkClock clock;
  for (int round = 0; round < test::cases(20); ++round) {
    auto bodies = bodiesOf(random, 60, 4.0, 0.5);
    for (std::size_t i = 30; i < 60; ++i) bodies[i].importance = 0;
    for (std::size_t i = 50; i < 60; ++i) bodies[i].shape = ShapeRef::ofRadius(1e4);
    compare(bodies, 2.0 * round);
    for (std::size_t i = 0; i < 60; i += 2) {
      bodies[i].pose.position = random.inCube(4.0);
      ++bodies[i].motionEpoch;
    }
    StoppableBroadPhase& stoppable = *grid_->stoppable();
    stoppable.findPairsWithin(bodies, 2.0 * round + 0.5, TimeBudget(clock, {}), found_);
    waiting += stoppable.postponedBodies().size();
    bodies.resize(20);
    compare(bodies, 2.0 * round + 1.0);
    touching += truth_.size();
  }
  EXPECT_GT(waiting, 40u);
  EXPECT_GT(touching, 10u);
}

TEST_F(GridLimits, ResolutionsThatAreNone) {
  Random random(5);
  auto bodies = bodiesOf(random, 40, 4.0, 0.3);
  for (BodyState& body : bodies) body.velocity = random.inCube(1.0);
  grid_->setResolution(0.05);
  const auto other = makeSpaceTimeGridBroadPhase();
  other->setResolution(0.05);
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  std::vector<BodyPair> found;
  for (int call = 0; call < 60; ++call) {
    for (const Real none : {0.0, -1.0, nan, infinity}) other->setResolution(none);
    const Real time = 0.05 * call;
    EXPECT_EQ(compare(bodies, time), other->findPairs(bodies, time, found));
    EXPECT_EQ(grid_->work().boundTests, other->work().boundTests);
    for (BodyState& body : bodies) body.pose.position += 0.05 * body.velocity;
  }
}

/// As those of a clock on the wall: what was kept stays.
TEST_F(GridLimits, ResolutionsThatVaryALittle) {
  const auto testsOf = [&](Real variation) {
    Random random(7);
    grid_ = makeSpaceTimeGridBroadPhase();
    auto bodies = bodiesOf(random, 300, 30.0, 0.5);
    for (BodyState& body : bodies) body.velocity = random.inCube(0.5);
    Real time = 0.0;
    std::uint64_t tests = 0;
    for (int call = 0; call < 60; ++call) {
      const Real step = 0.016 * (1.0 + variation * random.between(-1.0, 1.0));
      grid_->setResolution(step);
      time += step;
      for (BodyState& body : bodies) body.pose.position += step * body.velocity;
      compare(bodies, time);
      tests += grid_->work().boundTests;
    }
    return tests;
  };
  const std::uint64_t steady = testsOf(0.0);
  EXPECT_LT(testsOf(1e-3), 1.5 * static_cast<double>(steady));
}

/// Calls at any times: at once again, a little on, beyond all days of the calendar, beyond all
/// ticks that are counted, and back.
TEST_F(GridLimits, TimesThatJump) {
  Random random(6);
  std::size_t touching = 0, promised = 0;
  for (int round = 0; round < test::cases(40); ++round) {
    grid_ = makeSpaceTimeGridBroadPhase();
    if (round % 2 == 0) grid_->setResolution(0.05);
    auto bodies = bodiesOf(random, 25, 3.0, 0.3);
    for (BodyState& body : bodies) body.velocity = random.inCube(1.0);
    const auto start = bodies;
    Real time = 0.0;
    for (int call = 0; call < 60; ++call) {
      const int kind = random.whole(0, 9);
      time += kind == 0 ? 0.0 : kind == 1 ? 20.0 : kind == 2 ? 1e5 : 0.05 * random.unit();
      if (kind >= 3 && time > 5.0) time = random.between(0.0, 3.0);
      for (std::size_t i = 0; i < bodies.size(); ++i)
        bodies[i].pose.position = start[i].pose.position + time * bodies[i].velocity;
      promised += compare(bodies, time) > time;
      touching += truth_.size();
    }
  }
  EXPECT_GT(touching, 1000u);
  EXPECT_GT(promised, 100u);
}

TEST_F(GridLimits, TimesWithoutADifference) {
  const nearmiss::test::Untrapped endsOfTheRange;
  Random random(7);
  const auto bodies = bodiesOf(random, 20, 2.0, 0.5);
  for (const Real time : {-1.7e308, 1.7e308, 0.0, 1.7e308, -1.7e308}) compare(bodies, time);
  EXPECT_FALSE(truth_.empty());
}

}  // namespace
}  // namespace nearmiss
