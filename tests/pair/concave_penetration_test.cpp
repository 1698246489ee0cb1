// SPDX-License-Identifier: MIT
/// Penetration of concave solids against closed forms: the notches, hooks and holes of one hold the
/// other.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "support/bounded_penetration.h"
#include "support/campaign.h"
#include "support/concave_pairs.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::ConcavePair;
using test::Random;
using test::treelessShape;

/// A pair whose shapes are made, and what is true of translations of its second body.
struct MadePair {
  explicit MadePair(const ConcavePair& pair)
      : a(treelessShape(pair.a)), b(treelessShape(pair.b)), poseA(pair.poseA), poseB(pair.poseB) {}

  [[nodiscard]] bool touchMoved(const Vec3& by) const {
    return distanceBetween(a.polyhedron(), b.polyhedron(),
                           relativePose(poseA, {poseB.position + by, poseB.rotation})) == 0.0;
  }

  Shape a, b;
  Pose poseA, poseB;
};

/// `count` pairs of each family, more in a campaign: those of one seed were at hand while the
/// search was written.
void expectTight(std::uint64_t seed, int count) {
  std::vector<Real> uppers;
  Random random(seed + 100);
  int number = 0, apart = 0, concave = 0, tight = 0;
  for (const ConcavePair& pair : test::concavePairs(seed, test::inCampaign() ? 15 : count)) {
    SCOPED_TRACE(std::string(pair.family) + " " + std::to_string(number++));
    const MadePair made(pair);
    PenetrationQuery query;
    query.begin(made.a, made.poseA, made.b, made.poseB);
    WorkClock clock;
    const Real ofHulls = query.refine(TimeBudget(clock, {})).upper;
    const PenetrationBounds found = query.refine(TimeBudget::unlimited());
    ASSERT_FALSE(found.canRefine);
    ASSERT_LE(found.lower, found.upper);
    if (found.upper == 0.0) {
      // A nut may go round its rod without a touch
      ASSERT_FALSE(made.touchMoved(Vec3(0.0)));
      ++apart;
      continue;
    }
    concave += found.upper < 0.9 * ofHulls;

    // Moved by the upper bound they are apart, and by less than the lower they are not
    ASSERT_FALSE(made.touchMoved(found.upper * found.direction));
    for (int k = 0; k < 20; ++k)
      ASSERT_TRUE(made.touchMoved(0.9999 * found.lower * random.direction()));
    ASSERT_TRUE(made.touchMoved(0.9999 * found.lower * found.direction));
    if (pair.parting > 0.0) {
      ASSERT_LE(found.lower, pair.parting * (1.0 + 1e-7));
      ASSERT_GE(found.upper, pair.parting * (1.0 - 1e-7));
      EXPECT_LE(found.upper, 1.5 * pair.parting);
      uppers.push_back(found.upper / pair.parting);
    }
    tight += found.lower >= 0.8 * (pair.parting > 0.0 ? pair.parting : found.upper);
  }
  std::ranges::sort(uppers);
  ASSERT_GE(uppers.size(), 5u * static_cast<std::size_t>(count));
  std::printf(
      "%d pairs: upper / truth %.3f in the median, %.3f at worst; lower / truth >= 0.8 in %d\n",
      number, uppers[uppers.size() / 2], uppers.back(), tight);
  EXPECT_LE(uppers[uppers.size() / 2], 1.05);
  EXPECT_LE(apart, number / 20);
  EXPECT_GE(tight, number - number / 6) << "the others are wedged in by a hair's breadth";
  EXPECT_GT(concave, number / 4) << "far less than the hulls say";
}

TEST(ConcavePenetration, IsTightOnPairsThatWereAtHand) { expectTight(1, 1); }

TEST(ConcavePenetration, IsTightOnPairsThatWereKeptAside) { expectTight(2, 2); }

/// The bounds only ever approach each other, and do not depend on how often the search was stopped.
TEST(ConcavePenetration, MayBeStoppedAtAnyTime) {
  int stops = 0;
  for (const ConcavePair& pair : test::concavePairs(3, 1)) {
    SCOPED_TRACE(pair.family);
    if (pair.family == "thread") continue;
    const MadePair made(pair);
    const PenetrationBounds whole =
        penetration(made.a, made.poseA, made.b, made.poseB, TimeBudget::unlimited());
    PenetrationQuery query;
    query.begin(made.a, made.poseA, made.b, made.poseB);
    WorkClock clock;
    PenetrationBounds last;
    last.upper = std::numeric_limits<Real>::infinity();
    for (;;) {
      const PenetrationBounds part =
          query.refine(TimeBudget(clock, std::chrono::microseconds(200)));
      ASSERT_GE(part.lower, last.lower);
      ASSERT_LE(part.upper, last.upper);
      if (part.upper < last.upper || part.direction != last.direction) {
        ASSERT_FALSE(made.touchMoved(part.upper * part.direction));
      }
      last = part;
      if (!part.canRefine) break;
      ++stops;
    }
    EXPECT_EQ(last.lower, whole.lower);
    EXPECT_EQ(last.upper, whole.upper);
    EXPECT_EQ(last.direction, whole.direction);
  }
  EXPECT_GT(stops, 30);
}

/// Time that only work moves, and what it came to between two readings at most.
class CountingClock final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override { return Duration(count_); }
  void charge(const WorkCount& work) noexcept override {
    const std::uint64_t units = work.boundTests + 50 * work.triangleTests;
    count_ += static_cast<std::int64_t>(units);
    largest_ = std::max(largest_, units);
  }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }

 private:
  std::int64_t count_ = 0;
  std::uint64_t largest_ = 0;
};

/// Climbs, gaps and descents all stop within a few units of work, of which one is a quantum
/// of 1024 tests of bounds, and what is known then is true.
TEST(ConcavePenetration, StopsWithinAFewUnitsOfWork) {
  constexpr std::int64_t unit = 1024, allowed = 4 * unit;
  std::int64_t farthest = 0;
  int stops = 0, inBalls = 0;
  for (const ConcavePair& pair : test::concavePairs(4, 1)) {
    SCOPED_TRACE(pair.family);
    const MadePair made(pair);
    PenetrationQuery query;
    query.begin(made.a, made.poseA, made.b, made.poseB);
    PenetrationBounds last;
    last.upper = std::numeric_limits<Real>::infinity();
    for (int i = 0; i < 4000; ++i) {
      CountingClock clock;
      const PenetrationBounds part = query.refine(TimeBudget(clock, Clock::Duration(allowed)));
      farthest = std::max(farthest, clock.count() - allowed);
      ASSERT_GE(part.lower, last.lower);
      ASSERT_LE(part.upper, last.upper);
      ASSERT_LE(part.lower, part.upper);
      if (part.upper < last.upper || part.lower > last.lower) {
        ASSERT_FALSE(made.touchMoved(part.upper * part.direction));
        ASSERT_TRUE(made.touchMoved(0.9999 * part.lower * part.direction));
      }
      inBalls += part.upper == last.upper && part.lower == 0.0;
      last = part;
      if (!part.canRefine) break;
      ++stops;
    }
  }
  EXPECT_LE(farthest, 24 * unit);
  EXPECT_GT(stops, 4000);
  EXPECT_GT(inBalls, 500);
}

/// Bounds hold under a budget of work, and more work tightens them.
TEST(ConcavePenetration, IsBoundedAfterLittleWork) {
  int unfinished = 0;
  for (const ConcavePair& pair : test::concavePairs(2, 1)) {
    SCOPED_TRACE(pair.family);
    const MadePair made(pair);
    const PenetrationBounds usual =
        test::boundedPenetration(made.a, made.poseA, made.b, made.poseB);
    WorkClock clock;
    const PenetrationBounds same = penetration(made.a, made.poseA, made.b, made.poseB,
                                               TimeBudget(clock, 2 * test::penetrationWork));
    ASSERT_LE(clock.now(), test::penetrationWork * 2 + std::chrono::milliseconds(1));
    ASSERT_LE(same.upper, usual.upper);
    ASSERT_GE(same.lower, usual.lower);
    ASSERT_FALSE(made.touchMoved(usual.upper * usual.direction));
    unfinished += usual.canRefine;
  }
  EXPECT_GT(unfinished, 0);
}

/// Whoever asks first makes what is kept with the shapes, and finds no less for it.
TEST(ConcavePenetration, DependsOnNoEarlierQuery) {
  int unfinished = 0;
  for (const ConcavePair& pair : test::concavePairs(5, 1)) {
    SCOPED_TRACE(pair.family);
    for (const int milliseconds : {1, 2, 5}) {
      const MadePair made(pair);
      const auto ask = [&] {
        WorkClock clock;
        return penetration(made.a, made.poseA, made.b, made.poseB,
                           TimeBudget(clock, std::chrono::milliseconds(milliseconds)));
      };
      const PenetrationBounds first = ask(), second = ask();
      EXPECT_EQ(first.lower, second.lower);
      EXPECT_EQ(first.upper, second.upper);
      EXPECT_EQ(first.direction, second.direction);
      EXPECT_EQ(first.canRefine, second.canRefine);
      unfinished += first.canRefine && first.upper < made.a.polyhedron().radius();
    }
  }
  EXPECT_GT(unfinished, 0);
}

/// Two rings, of which one has its tube 0.05 deep in that of the other, where 0.75 parts the hulls.
TEST(ConcavePenetration, OfLinkedRingsIsWhatTheirTubesOverlap) {
  const Shape ring = treelessShape(test::torus(48, 24, 1.0, 0.2));
  const Pose across{{2.0 - 0.35, 0.0, 0.0},
                    glm::angleAxis(std::numbers::pi / 2, Vec3(1.0, 0.0, 0.0))};
  const PenetrationBounds found = penetration(ring, {}, ring, across, TimeBudget::unlimited());
  EXPECT_NEAR(found.upper, 0.05, 0.002);
  EXPECT_GE(found.lower, 0.95 * found.upper);
  EXPECT_NEAR(found.direction.x, -1.0, 0.1) << "back through the ring, which stays linked";
}

/// A surface without an inside proves no contact, but can be parted.
TEST(ConcavePenetration, OfOpenSurfacesHasAnUpperBound) {
  TriangleMesh open = test::meshOf(test::concave::ring(0.8, 0.2));
  open.triangles.pop_back();
  const Shape shape = treelessShape(open);
  ASSERT_FALSE(shape.solid());
  const Pose across{{1.6 - 0.4 + 0.03, 0.0, 0.0},
                    glm::angleAxis(std::numbers::pi / 2, Vec3(1.0, 0.0, 0.0))};
  const PenetrationBounds found = penetration(shape, {}, shape, across, TimeBudget::unlimited());
  EXPECT_EQ(found.lower, 0.0);
  EXPECT_GT(found.upper, 0.0);
  EXPECT_LE(found.upper, 0.0301);
  EXPECT_FALSE(found.canRefine);
}

}  // namespace
}  // namespace nearmiss
