// SPDX-License-Identifier: MIT
/// The rule by which pairs share a frame's time, on a clock that the test holds.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "support/allocations.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using std::chrono::nanoseconds;
using test::cases;
using test::Random;

const test::ShapeKit& shapes() {
  static const test::ShapeKit kit(
      {test::tetrahedron(), test::torus(12, 6), test::sphere(7, 9), test::spikyStar(1, 7, 9)}, 4);
  return kit;
}

std::vector<BodyState> clump(std::uint64_t seed, int count, Real halfRange) {
  Random random(seed);
  return test::clumpOf(shapes().polyhedra, random, count, halfRange);
}

Detector detectorOf(std::string_view narrow) {
  return {makeAllPairsBroadPhase(), findNarrowPhase(narrow)->make(shapes().tables())};
}

bool sameAnswers(const Detection& x, const Detection& y) {
  return x.complete == y.complete && x.rounds == y.rounds && x.steps == y.steps &&
         std::equal(x.pairs.begin(), x.pairs.end(), y.pairs.begin(), y.pairs.end(),
                    [](const DetectedPair& p, const DetectedPair& q) {
                      return p.bodies == q.bodies && p.refinement.level == q.refinement.level &&
                             p.refinement.verdict == q.refinement.verdict &&
                             p.refinement.separationBound == q.refinement.separationBound;
                    });
}

TEST(Detector, RefinesEveryPairOnceThoughThereIsNoTime) {
  const auto bodies = clump(41, 14, 2.0);
  Detector detector = detectorOf("sphere-tree");
  ManualClock clock;
  for (const nanoseconds allowance : {nanoseconds{0}, nanoseconds{-5}}) {
    const Detection& found = detector.detect(bodies, 3.5, TimeBudget(clock, allowance));
    ASSERT_GT(found.pairs.size(), 30u);
    for (const DetectedPair& pair : found.pairs) EXPECT_EQ(pair.refinement.level, 1);
    EXPECT_EQ(found.rounds, 1);
    EXPECT_EQ(found.steps, found.pairs.size());
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.time, 3.5);
    EXPECT_GE(found.noContactBefore, 3.5);
  }
}

/// Three levels of four quanta each, and a look at the budget after every quantum.
class SluggishPhase final : public NarrowPhase {
 public:
  std::string_view name() const noexcept override { return "sluggish"; }
  void begin(std::span<const BodyState>, std::span<const BodyPair> pairs) override {
    quanta_.assign(pairs.size(), 0);
  }
  bool refine(std::size_t i, const TimeBudget& budget) override {
    for (;;) {
      ++quanta_[i];
      const bool exhausted = budget.spend({1, 0});
      if (quanta_[i] % 4 == 0) return true;
      if (exhausted) return false;
    }
  }
  Refinement result(std::size_t i) const noexcept override {
    Refinement known;
    known.level = quanta_[i] / 4;
    known.canRefine = known.level < 3;
    return known;
  }
  void contacts(std::size_t, std::size_t, std::vector<ContactSpheres>&) const override {}
  WorkCount work() const noexcept override { return {}; }

 private:
  std::vector<int> quanta_;
};

TEST(Detector, LetsASlowFirstRoundFinishAndOverrunsByOneQuantumAfterIt) {
  const auto bodies = clump(50, 8, 0.4);
  Detector detector(makeAllPairsBroadPhase(), std::make_unique<SluggishPhase>());
  const auto quantum = WorkClock::boundTestPrice;
  for (int quanta = 0; quanta < 400; ++quanta) {
    WorkClock clock;
    const auto allowance = quantum * quanta;
    const Detection& found = detector.detect(bodies, 0.0, TimeBudget(clock, allowance));
    const auto pairs = static_cast<int>(found.pairs.size());
    ASSERT_EQ(pairs, 28);
    for (const DetectedPair& pair : found.pairs) ASSERT_GE(pair.refinement.level, 1);
    // 28 quanta of the broad phase, 28 pairs of 3 levels of 4 quanta
    const int first = 28 + pairs * 4;
    const int all = 28 + pairs * 12;
    ASSERT_EQ(clock.now(), quantum * std::clamp(quanta, first, all));
    ASSERT_EQ(found.complete, quanta >= all);
    ASSERT_EQ(found.steps, static_cast<std::size_t>((std::clamp(quanta, first, all) - 28) / 4));
  }
}

TEST(Detector, FinishesEveryPairWhenThereIsTime) {
  const auto bodies = clump(42, 14, 2.0);
  Detector detector = detectorOf("sphere-tree");
  Detector reference = detectorOf("brute-force");
  const Detection& found = detector.detect(bodies, 0.0, TimeBudget::unlimited());
  const Detection& truth = reference.detect(bodies, 0.0, TimeBudget::unlimited());
  EXPECT_TRUE(found.complete);
  EXPECT_TRUE(truth.complete);
  EXPECT_EQ(truth.rounds, 1);
  ASSERT_EQ(found.pairs.size(), truth.pairs.size());
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    EXPECT_EQ(found.pairs[i].bodies, truth.pairs[i].bodies);
    EXPECT_FALSE(found.pairs[i].refinement.canRefine);
    EXPECT_EQ(found.pairs[i].refinement.verdict, truth.pairs[i].refinement.verdict);
    contacts += truth.pairs[i].refinement.verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, 3u);
  EXPECT_LT(contacts, found.pairs.size() - 3);
}

/// Round robin: wherever time runs out, no active pair is more than one level ahead of another, and
/// more time never makes an answer worse.
TEST(Detector, KeepsActivePairsWithinOneLevel) {
  const auto bodies = clump(43, 12, 1.5);
  Detector detector = detectorOf("sphere-tree");
  int cutShort = 0;
  std::vector<int> before;
  for (int allowance = 0;; ++allowance) {
    ASSERT_LT(allowance, 100000);
    ManualClock clock(nanoseconds{1});
    const Detection& found =
        detector.detect(bodies, 0.0, TimeBudget(clock, nanoseconds{allowance}));
    int low = std::numeric_limits<int>::max();
    int high = 0;
    bool open = false;
    std::vector<int> levels;
    for (const DetectedPair& pair : found.pairs) {
      levels.push_back(pair.refinement.level);
      ASSERT_GE(pair.refinement.level, 1);
      if (!pair.refinement.canRefine) continue;
      open = true;
      low = std::min(low, pair.refinement.level);
      high = std::max(high, pair.refinement.level);
    }
    if (open) {
      ASSERT_LE(high - low, 1) << "allowance " << allowance;
    }
    ASSERT_EQ(found.complete, !open);
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_GE(levels[i], before[i]);
    before = levels;
    cutShort += open;
    if (found.complete) break;
    // Every stop near the beginning, and then ever fewer
    allowance += allowance / 50;
  }
  EXPECT_GT(cutShort, 50);
}

TEST(Detector, StopsAtTheLevelCap) {
  const auto bodies = clump(44, 12, 1.5);
  Detector detector = detectorOf("sphere-tree");
  EXPECT_EQ(detector.levelCap(), Detector::noLevelCap);
  int deepest = 0;
  for (int cap = 0; cap <= 6; ++cap) {
    detector.setLevelCap(cap);
    const Detection& found = detector.detect(bodies, 0.0, TimeBudget::unlimited());
    EXPECT_TRUE(found.complete);
    int reached = 0;
    bool exact = false;
    for (const DetectedPair& pair : found.pairs) {
      exact = exact || pair.refinement.stage == Stage::Exact;
      reached = std::max(reached, pair.refinement.level);
      EXPECT_TRUE(!pair.refinement.canRefine || pair.refinement.level == cap);
    }
    EXPECT_EQ(reached, std::min(cap, 4));
    EXPECT_EQ(exact, cap > 4);
    deepest = std::max(deepest, reached);
    EXPECT_EQ(found.steps == 0, cap == 0);
  }
  EXPECT_EQ(deepest, 4);
}

/// Counted work as time: the same allowance gives the same answer, to the last digit.
TEST(Detector, RepeatsItselfOnTheWorkClock) {
  const auto bodies = clump(45, 20, 2.0);
  Detector first = detectorOf("sphere-tree");
  Detector second = detectorOf("sphere-tree");
  int cutShort = 0;
  for (const int allowance : {0, 1000, 3000, 10000, 30000, 100000, 300000, 100000000}) {
    WorkClock clockA, clockB;
    const Detection& a = first.detect(bodies, 0.0, TimeBudget(clockA, nanoseconds{allowance}));
    // Earlier detections leave no trace
    (void)second.detect(clump(46, 5, 1.0), 0.0, TimeBudget::unlimited());
    const Detection& b = second.detect(bodies, 0.0, TimeBudget(clockB, nanoseconds{allowance}));
    EXPECT_TRUE(sameAnswers(a, b));
    EXPECT_EQ(clockA.now(), clockB.now());
    EXPECT_EQ(clockA.now(),
              WorkClock::boundTestPrice * (a.broadWork.boundTests + a.narrowWork.boundTests) +
                  WorkClock::triangleTestPrice * a.narrowWork.triangleTests);
    cutShort += !a.complete;
  }
  EXPECT_GT(cutShort, 2);
  EXPECT_LT(cutShort, 8);
}

TEST(Detector, ReportsWhatTheBroadPhaseFound) {
  auto bodies = clump(47, 16, 3.0);
  bodies[1].assembly = bodies[2].assembly = 7;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog()) {
    Detector detector = detectorOf(entry.name);
    const Detection& found = detector.detect(bodies, 1.0, TimeBudget::unlimited());
    std::vector<BodyPair> expected;
    makeAllPairsBroadPhase()->findPairs(bodies, 1.0, expected);
    ASSERT_EQ(found.pairs.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(found.pairs[i].bodies, expected[i]);
    EXPECT_EQ(&found, &detector.last());
    EXPECT_EQ(detector.narrowPhase().name(), entry.name);
    EXPECT_EQ(detector.broadPhase().name(), "all-pairs");
    EXPECT_EQ(found.broadWork.boundTests, 120u);
    EXPECT_GT(found.narrowWork.boundTests + found.narrowWork.triangleTests, 0u);
    EXPECT_TRUE(detector.detect({}, 2.0, TimeBudget::unlimited()).pairs.empty());
    EXPECT_TRUE(detector.last().complete);
  }
}

/// The answers of the pairs that count are those that they have among all; the others are neither
/// looked at nor said to wait, with time and without.
TEST(Detector, LeavesOutPairsThatDoNotCount) {
  auto bodies = clump(43, 20, 2.0);
  for (BodyState& body : bodies) body.importance = 1;
  const auto counts = [](const BodyPair& pair) { return (pair.a + pair.b) % 3 != 0; };
  Detector all = detectorOf("sphere-tree"), some = detectorOf("sphere-tree");
  some.setPairFilter(counts);
  const Detection& whole = all.detect(bodies, 0.0, TimeBudget::unlimited());
  const Detection& part = some.detect(bodies, 0.0, TimeBudget::unlimited());
  std::vector<DetectedPair> expected;
  for (const DetectedPair& pair : whole.pairs)
    if (counts(pair.bodies)) expected.push_back(pair);
  ASSERT_GT(expected.size(), 30u);
  ASSERT_LT(expected.size() + 10, whole.pairs.size());
  ASSERT_EQ(part.pairs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(part.pairs[i].bodies, expected[i].bodies);
    EXPECT_EQ(part.pairs[i].refinement.verdict, expected[i].refinement.verdict);
    EXPECT_EQ(part.pairs[i].refinement.separationBound, expected[i].refinement.separationBound);
  }
  ManualClock clock;
  const Detection& late = some.detect(bodies, 1.0, TimeBudget(clock, nanoseconds{0}));
  EXPECT_EQ(late.pairs.size() + late.postponed.size(), expected.size());
  EXPECT_GT(late.postponed.size(), 10u);
  for (const PostponedPair& pair : late.postponed) EXPECT_TRUE(counts(pair.pair));
  some.setPairFilter(nullptr);
  EXPECT_EQ(some.detect(bodies, 2.0, TimeBudget::unlimited()).pairs.size(), whole.pairs.size());
}

/// With a broad phase that can stop: without time for it, bodies wait, or every pair is named.
TEST(Detector, NamesAllPairsWhereItIsAskedTo) {
  auto bodies = clump(47, 40, 2.5);
  for (BodyState& body : bodies) body.importance = 1;
  const auto make = [] {
    return Detector(makeSpaceTimeGridBroadPhase(),
                    findNarrowPhase("sphere-tree")->make(shapes().tables()));
  };
  Detector whole = make(), stopping = make(), naming = make();
  naming.setNamesAllPairs(true);
  const std::size_t all = whole.detect(bodies, 0.0, TimeBudget::unlimited()).pairs.size();
  ManualClock clock;
  const TimeBudget none(clock, nanoseconds{0});
  EXPECT_FALSE(stopping.detect(bodies, 0.0, none).postponedBodies.empty());
  const Detection& named = naming.detect(bodies, 0.0, none);
  EXPECT_TRUE(named.postponedBodies.empty());
  EXPECT_EQ(named.pairs.size() + named.postponed.size(), all);
  EXPECT_GT(named.postponed.size(), 50u);
  EXPECT_FALSE(named.complete);
}

TEST(Detector, TimesItsPhasesOnTheStopwatch) {
  const auto bodies = clump(48, 5, 1.0);
  Detector detector = detectorOf("bsp");
  EXPECT_EQ(detector.detect(bodies, 0.0, TimeBudget::unlimited()).narrowTime, nanoseconds{0});
  const ManualClock stopwatch(nanoseconds{10});
  detector.setStopwatch(&stopwatch);
  EXPECT_EQ(detector.detect(bodies, 0.0, TimeBudget::unlimited()).broadTime, nanoseconds{10});
  EXPECT_EQ(detector.last().narrowTime, nanoseconds{10});
  detector.setStopwatch(nullptr);
  EXPECT_EQ(detector.detect(bodies, 0.0, TimeBudget::unlimited()).broadTime, nanoseconds{0});
}

TEST(Detector, AllocatesNothingInTheSteadyState) {
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog())
    for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
      Detector detector(broad.make(), narrow.make(shapes().tables()));
      auto bodies = clump(49, 14, 2.0);
      const auto start = bodies;
      const auto round = [&] {
        for (int frame = 0; frame < 10; ++frame) {
          for (std::size_t i = 0; i < bodies.size(); ++i)
            bodies[i].pose.position = start[i].pose.position * (1.0 - 0.05 * frame);
          (void)detector.detect(bodies, 0.0, TimeBudget::unlimited());
        }
      };
      EXPECT_GT(test::allocationsIn(round), 0u);
      EXPECT_EQ(test::allocationsIn(round), 0u) << broad.name << " " << narrow.name;
    }
}

}  // namespace
}  // namespace nearmiss
