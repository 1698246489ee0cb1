// SPDX-License-Identifier: MIT
/// The orders in which pairs share what time is left after their first level.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "support/campaign.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

const test::ShapeKit& shapes() {
  static const test::ShapeKit kit({test::torus(12, 6), test::sphere(7, 9)}, 4);
  return kit;
}

std::vector<BodyState> clump(std::uint64_t seed, int count) {
  Random random(seed);
  auto bodies = test::clumpOf(shapes().polyhedra, random, count, 2.0);
  for (BodyState& body : bodies) body.velocity = random.inCube(3.0);
  return bodies;
}

std::unique_ptr<Detector> detectorOf(RefinementOrder order, const Viewer& viewer = {}) {
  auto detector = std::make_unique<Detector>(
      makeAllPairsBroadPhase(), findNarrowPhase("sphere-tree")->make(shapes().tables()));
  detector->setOrder(order, viewer);
  return detector;
}

/// How far apart the bodies of a pair that is still open can be, at worst.
Real worstBound(const Detection& found) {
  Real worst = 0.0;
  for (const DetectedPair& pair : found.pairs)
    if (pair.refinement.verdict == Verdict::Possible)
      worst = std::max(worst, pair.refinement.separationBound);
  return worst;
}

TEST(RefinementOrders, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const RefinementOrderEntry& entry : refinementOrderCatalog()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_EQ(findRefinementOrder(entry.name), &entry);
    EXPECT_EQ(&entryOf(entry.order), &entry);
  }
  EXPECT_EQ(names.size(), 5u);
  EXPECT_EQ(findRefinementOrder("in turn"), nullptr);
}

TEST(RefinementOrders, GiveTheSameAnswersWithoutALimit) {
  for (int seed = 0; seed < cases(10); ++seed) {
    const auto bodies = clump(static_cast<std::uint64_t>(seed), 14);
    const auto inTurn = detectorOf(RefinementOrder::InTurn);
    const Detection& expected = inTurn->detect(bodies, 0.0, TimeBudget::unlimited());
    ASSERT_GT(expected.steps, expected.pairs.size());
    for (const RefinementOrderEntry& entry : refinementOrderCatalog()) {
      SCOPED_TRACE(entry.name);
      const auto detector = detectorOf(entry.order);
      const Detection& found = detector->detect(bodies, 0.0, TimeBudget::unlimited());
      EXPECT_TRUE(found.complete);
      EXPECT_EQ(found.steps, expected.steps);
      ASSERT_EQ(found.pairs.size(), expected.pairs.size());
      for (std::size_t i = 0; i < found.pairs.size(); ++i) {
        const Refinement &p = found.pairs[i].refinement, &q = expected.pairs[i].refinement;
        ASSERT_EQ(p.verdict, q.verdict);
        ASSERT_EQ(p.level, q.level);
        ASSERT_EQ(p.separationBound, q.separationBound);
      }
    }
  }
}

/// Wherever it stops, each pair has been looked at once, and the same budget gives the same answer.
TEST(RefinementOrders, StopAnywhereAndRepeatThemselves) {
  const auto bodies = clump(3, 14);
  for (const RefinementOrderEntry& entry : refinementOrderCatalog()) {
    SCOPED_TRACE(entry.name);
    const auto detector = detectorOf(entry.order), other = detectorOf(entry.order);
    int cut = 0;
    std::size_t before = 0;
    for (int us = 0; us < 300; us += 3) {
      WorkClock clock, again;
      const Detection& found =
          detector->detect(bodies, 0.0, TimeBudget(clock, std::chrono::microseconds(us)));
      const Detection& same =
          other->detect(bodies, 0.0, TimeBudget(again, std::chrono::microseconds(us)));
      ASSERT_GE(found.steps, before) << "more time does more";
      ASSERT_EQ(found.steps, same.steps);
      ASSERT_EQ(worstBound(found), worstBound(same));
      for (const DetectedPair& pair : found.pairs)
        ASSERT_TRUE(pair.refinement.level >= 1 || pair.refinement.verdict != Verdict::Possible);
      before = found.steps;
      cut += !found.complete;
    }
    EXPECT_GT(cut, 10);
  }
}

TEST(RefinementOrders, ByLargestBoundLowersTheWorst) {
  Real inTurn = 0.0, byBound = 0.0;
  for (int seed = 0; seed < cases(40); ++seed) {
    const auto bodies = clump(static_cast<std::uint64_t>(100 + seed), 16);
    WorkClock clock, other;
    const auto turns = detectorOf(RefinementOrder::InTurn);
    const auto bounds = detectorOf(RefinementOrder::LargestBound);
    const auto allowance = std::chrono::microseconds(45);
    inTurn += worstBound(turns->detect(bodies, 0.0, TimeBudget(clock, allowance)));
    byBound += worstBound(bounds->detect(bodies, 0.0, TimeBudget(other, allowance)));
  }
  EXPECT_GT(inTurn, 0.0);
  EXPECT_LT(byBound, inTurn);
}

/// The pairs that close in faster than one that was refined are finished.
TEST(RefinementOrders, ByClosingSpeedFinishTheFastestFirst) {
  int untouched = 0, finished = 0;
  for (int seed = 0; seed < cases(30); ++seed) {
    const auto bodies = clump(static_cast<std::uint64_t>(200 + seed), 14);
    WorkClock clock;
    const auto detector = detectorOf(RefinementOrder::ClosingSpeed);
    const Detection& found =
        detector->detect(bodies, 0.0, TimeBudget(clock, std::chrono::microseconds(45)));
    std::vector<std::pair<Real, const Refinement*>> bySpeed;
    for (const DetectedPair& pair : found.pairs) {
      const BodyState &a = bodies[pair.bodies.a], &b = bodies[pair.bodies.b];
      const Vec3 way = glm::normalize(b.pose.position - a.pose.position);
      bySpeed.emplace_back(-glm::dot(a.velocity - b.velocity, way), &pair.refinement);
    }
    std::ranges::sort(bySpeed);
    bool open = false;
    for (const auto& [speed, known] : bySpeed) {
      if (open) {
        ASSERT_LE(known->level, 1);
        untouched += known->canRefine;
      }
      finished += !open && !known->canRefine && known->level > 1;
      open = open || known->canRefine;
    }
  }
  EXPECT_GT(untouched, cases(30));
  EXPECT_GT(finished, cases(30));
}

/// A quartet of pairs around the viewer, each of two tori that are linked, or nearly so.
TEST(RefinementOrders, ForAViewerBeginWhereHeLooks) {
  constexpr Real distance = 20.0;
  const Vec3 ways[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<BodyState> bodies;
  for (const Vec3& way : ways)
    for (int k = 0; k < 2; ++k)
      bodies.push_back(test::bodyOf(
          static_cast<std::uint32_t>(bodies.size()), 0, shapes().polyhedra[0],
          {way * distance + Vec3{0.3 * k, 0.05 * k, 0.1 * k}, {0.8, 0.6 * k, 0.6 * (1 - k), 0.0}}));
  for (const RefinementOrder order : {RefinementOrder::Visibility, RefinementOrder::Eccentricity})
    for (std::size_t at = 0; at < std::size(ways); ++at) {
      SCOPED_TRACE(entryOf(order).name);
      bool alone = false;
      for (int us = 0; us < 100 && !alone; ++us) {
        WorkClock clock;
        // Visibility sees all of one side: the one that it is nearest to looks the largest
        const auto detector = detectorOf(order, {ways[at] * (0.3 * distance), ways[at]});
        const Detection& found =
            detector->detect(bodies, 0.0, TimeBudget(clock, std::chrono::microseconds(us)));
        ASSERT_EQ(found.pairs.size(), std::size(ways));
        std::vector<std::size_t> deeper;
        for (std::size_t i = 0; i < found.pairs.size(); ++i)
          if (found.pairs[i].refinement.level > 1) deeper.push_back(i);
        if (deeper.empty()) continue;
        ASSERT_EQ(deeper, std::vector<std::size_t>{at});
        alone = true;
      }
      EXPECT_TRUE(alone);
    }
}

}  // namespace
}  // namespace nearmiss
