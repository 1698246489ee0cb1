// SPDX-License-Identifier: MIT
/// The bound of one witness, tightened over all colliding spheres [H96 §9.2]: against the least of
/// all pairs by brute force, the published list, and the true distance.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/narrow_phases.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "narrow/searched_shapes.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

constexpr Real infinite = std::numeric_limits<Real>::infinity();
/// Float rounding may decide either way within this, metres.
constexpr Real hair = 1e-4;

std::vector<SphereId> nextOf(const SphereTree& tree, SphereId id) {
  const std::uint32_t packs = tree.childPackCount(id);
  if (packs == 0) return {id};
  std::vector<SphereId> next;
  const std::uint32_t first =
      tree.data().links[id / SpherePack::width].childPack[id % SpherePack::width];
  for (SphereId child = first * SpherePack::width; child < (first + packs) * SpherePack::width;
       ++child)
    if (tree.sphere(child).radius >= 0.0) next.push_back(child);
  return next;
}

/// Two trees in the frame of the first.
struct Both {
  const SphereTree &a, &b;
  Pose bToA;

  [[nodiscard]] Real overlapOf(SphereId i, SphereId j) const {
    Sphere moved = b.sphere(j);
    moved.centre = transformed(bToA, moved.centre);
    return overlap(a.sphere(i), moved);
  }
  [[nodiscard]] Real boundOf(SphereId i, SphereId j) const { return a.outside(i) + b.outside(j); }

  /// The tightest bound of the pairs that surely collide, reached as in [H96 Fig. 3], to `level`.
  [[nodiscard]] Real minReached(int level) const {
    Real least = infinite;
    std::set<std::pair<SphereId, SphereId>> now{{0, 0}};
    for (int l = 1; l <= level; ++l) {
      std::set<std::pair<SphereId, SphereId>> next;
      for (const auto& [i, j] : now)
        for (const SphereId p : nextOf(a, i))
          for (const SphereId q : nextOf(b, j)) {
            const bool sides =
                (p == i || overlapOf(p, j) >= 0.0) && (q == j || overlapOf(i, q) >= 0.0);
            if (!sides || overlapOf(p, q) < 0.0) continue;
            next.emplace(p, q);
            least = std::min(least, boundOf(p, q));
          }
      now = std::move(next);
    }
    return least;
  }

  /// The least of all pairs of spheres of these levels that perhaps collide.
  [[nodiscard]] Real minOfAll(int level) const {
    const auto upTo = [level](const SphereTree& tree) {
      std::vector<SphereId> all, some;
      for (int l = 0; l <= std::min(level, tree.levelCount() - 1); ++l) {
        tree.spheresOf(l, some);
        all.insert(all.end(), some.begin(), some.end());
      }
      return all;
    };
    Real least = infinite;
    const std::vector<SphereId> first = upTo(a), second = upTo(b);
    for (const SphereId i : first)
      for (const SphereId j : second)
        if (boundOf(i, j) < least && overlapOf(i, j) >= -hair) least = boundOf(i, j);
    return least;
  }
};

class TightestBoundTest : public testing::Test {
 protected:
  static std::span<const Polyhedron> polyhedra() { return test::searchedShapes().polyhedra; }
  static const SphereTree& treeOf(const BodyState& body) {
    return test::searchedShapes().trees[body.shape.index()];
  }
  Shapes shapes_ = test::searchedShapes().shapes();
  std::unique_ptr<NarrowPhase> one_ = makeSphereTreeNarrowPhase(shapes_);
  std::unique_ptr<NarrowPhase> all_ = makeSphereTreeAllNarrowPhase(shapes_);
};

/// Refines to `level`. True if the pair may touch there.
bool possibleAt(NarrowPhase& phase, const TwoBodies& bodies, int level) {
  static const std::array pairs{BodyPair{0, 1}};
  phase.begin(bodies, pairs);
  while (phase.mayRefine(0, level)) phase.refine(0, TimeBudget::unlimited());
  const Refinement known = phase.result(0);
  return known.verdict == Verdict::Possible && known.level == level;
}

TEST_F(TightestBoundTest, IsTheLeastByBruteForceAndNeverAboveThePublishedList) {
  Random random(71);
  int compared = 0, lowered = 0, belowPublished = 0;
  for (int i = 0; i < cases(400) && !HasFailure(); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, polyhedra());
    const Both both{treeOf(bodies[0]), treeOf(bodies[1]),
                    relativePose(bodies[0].pose, bodies[1].pose)};
    for (int level = 1; level <= 3; ++level) {
      if (!possibleAt(*one_, bodies, level)) continue;
      SCOPED_TRACE(testing::Message() << "pair " << i << ", level " << level);
      const Refinement before = one_->result(0);
      ASSERT_TRUE(one_->tighten(0, TimeBudget::unlimited()));
      const Refinement after = one_->result(0);
      ASSERT_LE(after.separationBound, before.separationBound);
      ASSERT_LE(after.separationBound, both.minReached(level) + hair);
      // The witness may be of a deeper level on one side
      ASSERT_GE(after.separationBound, std::min(before.separationBound, both.minOfAll(level)));
      if (possibleAt(*all_, bodies, level)) {
        const Real published = all_->result(0).separationBound;
        ASSERT_LE(after.separationBound, published * (1.0 + 1e-6));
        belowPublished += before.separationBound > published * (1.0 + 1e-6);
      }
      // It is a bound
      const DistanceBounds truth = distance(shapes_[bodies[0].shape.index()], bodies[0].pose,
                                            shapes_[bodies[1].shape.index()], bodies[1].pose);
      ASSERT_LE(truth.lower, after.separationBound);
      // Nothing else has changed
      ASSERT_LE(after.separationEstimate, after.separationBound);
      ASSERT_EQ(after.verdict, before.verdict);
      ASSERT_EQ(after.level, before.level);
      ASSERT_EQ(after.deepest.separationBound, before.deepest.separationBound);
      ASSERT_EQ(after.deepest.a.centre, before.deepest.a.centre);
      ++compared;
      lowered += after.separationBound < before.separationBound;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(lowered, 100);
  EXPECT_GT(belowPublished, 50) << "one witness alone was above the published list";
}

TEST_F(TightestBoundTest, IsABoundWheneverTimeRunsOutAndGoesOnToTheSame) {
  Random random(72);
  int stopped = 0, compared = 0;
  for (int i = 0; i < cases(200) && !HasFailure(); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, polyhedra(), 0.02);
    constexpr int level = 3;
    if (!possibleAt(*one_, bodies, level)) continue;
    const Real witness = one_->result(0).separationBound;
    ManualClock clock(std::chrono::nanoseconds(1));
    const TimeBudget budget(clock, std::chrono::nanoseconds(1));
    stopped += !one_->tighten(0, budget);
    const Real partly = one_->result(0).separationBound;
    ASSERT_TRUE(one_->tighten(0, TimeBudget::unlimited()));
    const Real least = one_->result(0).separationBound;
    ASSERT_LE(partly, witness);
    ASSERT_LE(least, partly);
    // In one go
    ASSERT_TRUE(possibleAt(*one_, bodies, level));
    ASSERT_TRUE(one_->tighten(0, TimeBudget::unlimited()));
    ASSERT_EQ(one_->result(0).separationBound, least);
    ++compared;
  }
  EXPECT_GT(compared, 50);
  EXPECT_GT(stopped, 5);
}

/// A clump of bodies, detected with a cap on the level.
class TighteningDetector : public TightestBoundTest {
 protected:
  TighteningDetector() {
    Random random(73);
    bodies_ = test::clumpOf(polyhedra(), random, 24, 2.5);
  }
  std::unique_ptr<Detector> detector(bool published, bool tightens) const {
    auto made = std::make_unique<Detector>(
        makeAllPairsBroadPhase(),
        published ? makeSphereTreeAllNarrowPhase(shapes_) : makeSphereTreeNarrowPhase(shapes_));
    made->setLevelCap(2);
    made->setTightening(tightens);
    return made;
  }
  std::vector<BodyState> bodies_;
};

TEST_F(TighteningDetector, LowersBoundsAndNothingElse) {
  const auto plain = detector(false, false), tight = detector(false, true);
  const auto published = detector(true, false);
  const auto& before = plain->detect(bodies_, 0.0, TimeBudget::unlimited()).pairs;
  const auto& after = tight->detect(bodies_, 0.0, TimeBudget::unlimited()).pairs;
  const auto& list = published->detect(bodies_, 0.0, TimeBudget::unlimited()).pairs;
  ASSERT_EQ(before.size(), after.size());
  ASSERT_EQ(list.size(), after.size());
  int lowered = 0, possible = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Refinement &p = before[i].refinement, &q = after[i].refinement;
    ASSERT_EQ(p.verdict, q.verdict);
    ASSERT_EQ(p.level, q.level);
    ASSERT_EQ(before[i].steps, after[i].steps);
    ASSERT_LE(q.separationBound, p.separationBound);
    if (q.verdict != Verdict::Possible) continue;
    ++possible;
    lowered += q.separationBound < p.separationBound;
    if (list[i].refinement.verdict != Verdict::Possible) continue;
    ASSERT_LE(q.separationBound, list[i].refinement.separationBound * (1.0 + 1e-6));
  }
  EXPECT_GT(possible, 20);
  EXPECT_GT(lowered, 5);
}

TEST_F(TighteningDetector, CostsNothingWithoutTime) {
  const auto plain = detector(false, false), tight = detector(false, true);
  for (const int quanta : {0, 1}) {
    WorkClock clocks[2];
    const std::chrono::nanoseconds allowance(5 * 1024 * quanta);
    const Detection& before = plain->detect(bodies_, 0.0, TimeBudget(clocks[0], allowance));
    const Detection& after = tight->detect(bodies_, 0.0, TimeBudget(clocks[1], allowance));
    ASSERT_FALSE(before.complete) << "time ran out";
    EXPECT_EQ(clocks[0].now(), clocks[1].now());
    ASSERT_EQ(before.pairs.size(), after.pairs.size());
    for (std::size_t i = 0; i < after.pairs.size(); ++i)
      test::expectSame(before.pairs[i].refinement, after.pairs[i].refinement);
  }
}

}  // namespace
}  // namespace nearmiss
