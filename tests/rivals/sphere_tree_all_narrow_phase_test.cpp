// SPDX-License-Identifier: MIT
/// Features special to sphere trees: trees of all shapes, bounds, and the budget.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rivals/forest.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/manual_clock.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::forest;
using test::Method;
using test::methods;
using test::Random;
using test::SphereTreePhase;
using test::TwoBodies;

INSTANTIATE_TEST_SUITE_P(Both, SphereTreePhase, testing::ValuesIn(methods),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(SphereTreePhase, TriesTreesThatAreWhatTheySeem) {
  int early = 0;
  for (std::size_t i = 0; i < forest().trees.size(); ++i) {
    const SphereTree& tree = forest().trees[i];
    test::expectCertified(tree, forest().polyhedra[i]);
    std::vector<SphereId> spheres;
    for (int level = 0; level + 1 < tree.levelCount(); ++level) {
      tree.spheresOf(level, spheres);
      for (const SphereId id : spheres) early += !tree.trianglesOf(id).empty();
    }
  }
  EXPECT_GT(early, 20) << "no leaf stands for itself on deeper levels";
}

TEST_P(SphereTreePhase, AgreesWithBruteForceWhateverTheTrees) {
  Random random(51);
  const int count = cases(1500);
  int contacts = 0, unlike = 0;
  for (int i = 0; i < count; ++i) {
    const TwoBodies bodies =
        i % 3 == 0 ? test::exactPair(random, forest().polyhedra) : randomPair(random);
    const auto levels = test::allLevels(*phase_, bodies);
    const Verdict verdict = test::finalVerdict(*reference_, bodies);
    ASSERT_EQ(levels.back().verdict, verdict) << "pose " << i;
    const int a = treeOf(bodies[0]).levelCount(), b = treeOf(bodies[1]).levelCount();
    ASSERT_LT(levels.back().level, std::max(a, b));
    if (levels.back().triangleA != Refinement::noTriangle) {
      ASSERT_EQ(levels.back().stage, Stage::Exact);
      ASSERT_EQ(levels.back().level, std::max(a, b) - 1);
    }
    unlike += a != b;
    contacts += verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
  EXPECT_GT(unlike, count / 3);
}

/// Where a single pair of triangles decides, none of the leaf pairs may be passed over.
TEST_P(SphereTreePhase, AgreesWithBruteForceWhereBodiesGraze) {
  Random random(58);
  test::expectAgreement(
      cases(120), 0.2, 0.8,
      [&] { return test::grazingPair(random, forest().polyhedra, *reference_, 15, 45); }, *phase_,
      *reference_);
}

/// Time runs out in the middle of many pairs, in any order: nothing is lost and nothing mixed up.
TEST_P(SphereTreePhase, KeepsTheWorkOfPairsThatTakeTurns) {
  Random random(54);
  std::vector<BodyState> bodies;
  std::vector<BodyPair> pairs;
  std::vector<std::vector<Refinement>> expected;
  for (std::uint32_t i = 0; i < 150; ++i) {
    const TwoBodies two = randomPair(random);
    bodies.insert(bodies.end(), two.begin(), two.end());
    pairs.push_back({2 * i, 2 * i + 1});
    expected.push_back(test::allLevels(*phase_, two));
  }
  std::vector<std::size_t> reached(pairs.size(), 0);
  ManualClock clock(Clock::Duration{1});
  phase_->begin(bodies, pairs);
  int cuts = 0;
  for (std::size_t open = pairs.size(); open > 0;) {
    const auto i = static_cast<std::size_t>(random.whole(0, static_cast<int>(pairs.size()) - 1));
    if (!phase_->result(i).canRefine) continue;
    const WorkCount before = phase_->work();
    const bool completed = phase_->refine(i, TimeBudget(clock, Clock::Duration{1}));
    reached[i] += completed;
    cuts += !completed;
    // One quantum, or what two leaves hold
    EXPECT_LT(phase_->work().boundTests - before.boundTests, 3000u);
    EXPECT_LT(phase_->work().triangleTests - before.triangleTests, 50u);
    test::expectSame(phase_->result(i), expected[i][reached[i]]);
    open -= !phase_->result(i).canRefine;
  }
  EXPECT_GT(cuts, 10);
}

TEST_P(SphereTreePhase, ChargesAllItsWorkToTheClock) {
  Random random(55);
  for (int i = 0; i < cases(50); ++i) {
    WorkClock clock;
    const TimeBudget budget(clock, std::chrono::hours(1));
    const std::array pairs{BodyPair{0, 1}};
    const TwoBodies bodies = randomPair(random);
    phase_->begin(bodies, pairs);
    while (phase_->result(0).canRefine) phase_->refine(0, budget);
    const WorkCount work = phase_->work();
    EXPECT_EQ(clock.now(), WorkClock::boundTestPrice * work.boundTests +
                               WorkClock::triangleTestPrice * work.triangleTests);
  }
}

TEST_P(SphereTreePhase, SaysWhenItsTreesPromiseNothing) {
  std::vector<SphereTree> trees = forest().trees;
  SphereTree::Data data = trees[0].data();
  data.coverage = Coverage::Paper;
  trees[0] = SphereTree(data);
  const auto phase = GetParam().make(test::borrowed(forest().polyhedra, trees));
  Random random(56);
  int unsafe = 0;
  for (int i = 0; i < cases(60); ++i) {
    const TwoBodies bodies = randomPair(random);
    const bool any = bodies[0].shape.index() == 0 || bodies[1].shape.index() == 0;
    for (const Refinement& level : test::allLevels(*phase, bodies))
      ASSERT_EQ(level.conservative, !any);
    unsafe += any;
  }
  EXPECT_GT(unsafe, 5);
}

/// Two beds of nails, teeth between teeth: the spheres overlap by more than H1 + H2, the nails do
/// not touch (erratum E3).
class SphereTreeBounds : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Both, SphereTreeBounds, testing::ValuesIn(methods),
                         [](const auto& instance) { return instance.param.name; });
TEST_P(SphereTreeBounds, HoldWhereTheEstimateOfThePaperDoesNot) {
  std::vector<Polyhedron> nails;
  nails.emplace_back(test::bedOfNails(5, 3.0));
  const std::vector<SphereTree> trees{*buildOctreeSphereTree(nails[0], {.levels = 2})};
  const auto phase = GetParam().make(test::borrowed(nails, trees));
  int broken = 0;
  for (int i = 0; i < 60; ++i) {
    // The second bed upside down, shifted by one nail, sunk by i of 60 parts
    BodyState below = test::bodyOf(1, 0, nails[0], {});
    BodyState above = test::bodyOf(2, 0, nails[0], {{0.2, 0.0, 0.75 - 0.0024 * i}, {0, 1, 0, 0}});
    const TwoBodies bodies{below, above};
    const Real truth = distanceBetween(nails[0], nails[0], relativePose(below.pose, above.pose));
    for (const Refinement& level : test::allLevels(*phase, bodies)) {
      ASSERT_GE(level.separationBound, truth);
      broken += level.separationEstimate < truth * 0.999;
    }
  }
  EXPECT_GT(broken, 30);
}

TEST_P(SphereTreePhase, AgreesWithBruteForceFarFromTheOriginAndWithRoundedRotations) {
  Random random(57);
  const int count = cases(400);
  int contacts = 0;
  for (int i = 0; i < count; ++i) {
    TwoBodies bodies = randomPair(random);
    const Vec3 far = 1e7 * random.direction();
    for (BodyState& body : bodies) {
      if (i % 2 == 0) body.pose.position += far;
      // As much off unit length as single precision would leave
      if (i % 4 < 2) body.pose.rotation *= 1.0 + 1e-7 * random.between(-1.0, 1.0);
    }
    const Verdict verdict = test::finalVerdict(*reference_, bodies);
    ASSERT_EQ(test::finalVerdict(*phase_, bodies), verdict) << "pose " << i;
    contacts += verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, count / 5);
  EXPECT_LT(contacts, count * 4 / 5);
}

}  // namespace
}  // namespace nearmiss
