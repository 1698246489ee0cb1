// SPDX-License-Identifier: MIT
/// One property over every broad phase of the catalogue: the pairs are those of the reference,
/// whatever the bodies do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "support/allocations.h"
#include "support/campaign.h"
#include "support/random.h"
#include "support/test_name.h"

namespace nearmiss {

/// For names of tests and messages.
static void PrintTo(const BroadPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::cases;
using test::Random;

std::vector<BodyState> bodiesIn(Random& random, int count, Real halfRange) {
  std::vector<BodyState> bodies;
  for (int i = 0; i < count; ++i) {
    BodyState body;
    body.key = static_cast<std::uint32_t>(100 + 7 * i);
    body.pose.position = random.inCube(halfRange);
    body.velocity = random.inCube(1.0);
    body.shape = ShapeRef::ofRadius(random.between(0.2, 1.0));
    bodies.push_back(body);
  }
  return bodies;
}

class EveryBroadPhase : public testing::TestWithParam<BroadPhaseEntry> {
 protected:
  /// Runs both phases on one frame.
  void compare(const std::vector<BodyState>& bodies) {
    const Real time = 0.125 * frames_++;
    const Real noContactBefore = tried_->findPairs(bodies, time, found_);
    reference_->findPairs(bodies, time, expected_);
    ASSERT_EQ(found_, expected_) << "frame " << frames_;
    ASSERT_TRUE(std::is_sorted(found_.begin(), found_.end()));
    ASSERT_TRUE(std::adjacent_find(found_.begin(), found_.end()) == found_.end());
    ASSERT_GE(noContactBefore, time);
    for (const BodyPair& pair : found_) ASSERT_LT(pair.a, pair.b);
    asked_ += bodies.size() * (bodies.size() - (bodies.empty() ? 0 : 1)) / 2;
    hits_ += found_.size();
    changes_ += found_ != last_;
    last_ = found_;
  }

  /// A test in which nothing ever meets, or all always do, would be trivial.
  void expectHitRate(double low, double high) const {
    const double rate = static_cast<double>(hits_) / static_cast<double>(asked_);
    EXPECT_GE(rate, low);
    EXPECT_LE(rate, high);
  }

  std::unique_ptr<BroadPhase> tried_ = GetParam().make();
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  std::vector<BodyPair> found_, expected_, last_;
  int frames_ = 0;
  std::size_t asked_ = 0, hits_ = 0, changes_ = 0;
};

TEST_P(EveryBroadPhase, AgreesWithTheJudgeOnBodiesThatFly) {
  Random random(1);
  auto bodies = bodiesIn(random, 60, 5.0);
  for (int frame = 0; frame < cases(400); ++frame) {
    for (BodyState& body : bodies) {
      body.pose.position += 0.03 * body.velocity;
      // Bounce off the walls of the arena
      for (int axis = 0; axis < 3; ++axis)
        if (std::abs(body.pose.position[axis]) > 5.0)
          body.velocity[axis] = -std::copysign(body.velocity[axis], body.pose.position[axis]);
    }
    ASSERT_NO_FATAL_FAILURE(compare(bodies));
  }
  expectHitRate(0.001, 0.2);
  EXPECT_GT(changes_, 100u);
}

TEST_P(EveryBroadPhase, AgreesWithTheJudgeOnBodiesThatTeleport) {
  Random random(2);
  auto bodies = bodiesIn(random, 50, 4.0);
  for (int frame = 0; frame < cases(200); ++frame) {
    for (BodyState& body : bodies)
      if (random.chance(0.3)) body.pose.position = random.inCube(random.chance(0.5) ? 4.0 : 1.0);
    ASSERT_NO_FATAL_FAILURE(compare(bodies));
  }
  expectHitRate(0.01, 0.5);
}

TEST_P(EveryBroadPhase, AgreesWithTheJudgeOnAClump) {
  Random random(3);
  auto bodies = bodiesIn(random, 50, 1.0);
  for (int frame = 0; frame < cases(200); ++frame) {
    // The clump breathes: all meet at one end and most part at the other
    const Real pull = frame % 20 < 10 ? 0.8 : 1.25;
    for (BodyState& body : bodies) body.pose.position *= pull;
    ASSERT_NO_FATAL_FAILURE(compare(bodies));
  }
  expectHitRate(0.3, 0.999);
}

TEST_P(EveryBroadPhase, AgreesWithTheJudgeFarFromTheOrigin) {
  for (const Real offset : {1e7, -1e7, 1e12}) {
    Random random(4);
    auto bodies = bodiesIn(random, 40, 3.0);
    const Vec3 away(offset, -0.5 * offset, 0.25 * offset);
    for (BodyState& body : bodies) body.pose.position += away;
    for (int frame = 0; frame < cases(100); ++frame) {
      for (BodyState& body : bodies) body.pose.position += 0.1 * body.velocity;
      ASSERT_NO_FATAL_FAILURE(compare(bodies));
    }
  }
  expectHitRate(0.001, 0.3);
}

/// On a lattice whole numbers decide: touching counts, and equal coordinates abound.
TEST_P(EveryBroadPhase, FindsExactlyTheSpheresThatMeetOnALattice) {
  Random random(5);
  std::size_t touching = 0;
  for (int round = 0; round < cases(60); ++round) {
    auto bodies = bodiesIn(random, 40, 1.0);
    std::vector<BodyPair> expected;
    for (int frame = 0; frame < 8; ++frame) {
      for (BodyState& body : bodies) {
        if (frame > 0 && random.chance(0.5)) continue;
        body.pose.position = random.onLattice(5);
        body.shape = ShapeRef::ofRadius(random.whole(0, 2));
      }
      expected.clear();
      for (std::uint32_t a = 0; a < bodies.size(); ++a)
        for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
          std::int64_t square = 0;
          for (int axis = 0; axis < 3; ++axis) {
            const auto step = static_cast<std::int64_t>(bodies[a].pose.position[axis]) -
                              static_cast<std::int64_t>(bodies[b].pose.position[axis]);
            square += step * step;
          }
          const auto reach =
              static_cast<std::int64_t>(bodies[a].shape.radius() + bodies[b].shape.radius());
          if (square <= reach * reach) expected.push_back({a, b});
          touching += square == reach * reach;
        }
      ASSERT_NO_FATAL_FAILURE(compare(bodies));
      ASSERT_EQ(found_, expected);
    }
  }
  EXPECT_GT(touching, 1000u);
  expectHitRate(0.02, 0.3);
}

TEST_P(EveryBroadPhase, AgreesWithTheJudgeWhenAllIsEqual) {
  Random random(6);
  auto bodies = bodiesIn(random, 12, 1.0);
  // All at one position, with and without extent; then in a row along each axis
  for (const Real radius : {0.0, 0.5}) {
    for (BodyState& body : bodies) {
      body.pose.position = Vec3(0.3, -0.7, 0.1);
      body.shape = ShapeRef::ofRadius(radius);
    }
    ASSERT_NO_FATAL_FAILURE(compare(bodies));
    EXPECT_EQ(found_.size(), 66u);
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].pose.position = Vec3(0.0);
        bodies[i].pose.position[axis] = static_cast<Real>(i);
      }
      ASSERT_NO_FATAL_FAILURE(compare(bodies));
      EXPECT_EQ(found_.size(), radius > 0.0 ? 11u : 0u) << "neighbours touch exactly";
    }
  }
}

TEST_P(EveryBroadPhase, AgreesWithTheJudgeWhenBodiesComeAndGo) {
  Random random(7);
  auto bodies = bodiesIn(random, 30, 3.0);
  std::uint32_t nextKey = 10000;
  for (int frame = 0; frame < cases(300); ++frame) {
    for (BodyState& body : bodies) body.pose.position += 0.05 * body.velocity;
    const int event = random.whole(0, 5);
    if (event == 0 && !bodies.empty())
      bodies.erase(bodies.begin() + random.whole(0, static_cast<int>(bodies.size()) - 1));
    if (event == 1 && bodies.size() < 60) {
      const auto more = bodiesIn(random, random.whole(1, 4), 3.0);
      for (BodyState body : more) {
        body.key = nextKey++;
        bodies.insert(bodies.begin() + random.whole(0, static_cast<int>(bodies.size())), body);
      }
    }
    if (event == 2) std::reverse(bodies.begin(), bodies.end());
    if (event == 3 && !bodies.empty())
      bodies[static_cast<std::size_t>(random.whole(0, static_cast<int>(bodies.size()) - 1))].shape =
          ShapeRef::ofRadius(random.between(0.0, 2.0));
    if (random.chance(0.01)) bodies.clear();
    if (bodies.empty() && random.chance(0.5)) bodies = bodiesIn(random, 30, 3.0);
    ASSERT_NO_FATAL_FAILURE(compare(bodies));
  }
  expectHitRate(0.005, 0.4);
}

TEST_P(EveryBroadPhase, LeavesOutPairsInsideOneAssembly) {
  Random random(8);
  auto bodies = bodiesIn(random, 40, 1.5);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i].assembly = static_cast<std::uint32_t>(i % 4);  // 0: none
  for (int frame = 0; frame < cases(100); ++frame) {
    for (BodyState& body : bodies) body.pose.position += 0.02 * body.velocity;
    ASSERT_NO_FATAL_FAILURE(compare(bodies));
    for (const BodyPair& pair : found_)
      ASSERT_TRUE(bodies[pair.a].assembly == 0 ||
                  bodies[pair.a].assembly != bodies[pair.b].assembly);
  }
  expectHitRate(0.01, 0.9);
}

TEST_P(EveryBroadPhase, AnswersForNoneAndForOne) {
  ASSERT_NO_FATAL_FAILURE(compare({}));
  ASSERT_NO_FATAL_FAILURE(compare({BodyState{}}));
  ASSERT_NO_FATAL_FAILURE(compare({}));
  EXPECT_TRUE(found_.empty());
}

TEST_P(EveryBroadPhase, ForgetsBodiesThatAreAllGone) {
  Random random(12);
  const auto bodies = bodiesIn(random, 20, 1.0);
  for (int frame = 0; frame < 4; ++frame) ASSERT_NO_FATAL_FAILURE(compare(bodies));
  EXPECT_GT(found_.size(), 5u);
  for (int frame = 0; frame < 3; ++frame) ASSERT_NO_FATAL_FAILURE(compare({}));
  ASSERT_NO_FATAL_FAILURE(compare(bodies));
}

TEST_P(EveryBroadPhase, CountsItsWork) {
  Random random(9);
  const auto bodies = bodiesIn(random, 20, 1.0);
  tried_->findPairs(bodies, 0.0, found_);
  EXPECT_GE(tried_->work().boundTests, found_.size());
  EXPECT_EQ(tried_->work().triangleTests, 0u);
}

/// Two bodies at rest far apart: a phase that looks ahead finds that they will not meet soon, if
/// not at the first call.
TEST_P(EveryBroadPhase, PromisesSilenceIfItLooksAhead) {
  std::vector<BodyState> bodies(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    bodies[i].key = i + 1;
    bodies[i].pose.position.x = 100.0 * i;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].accelerationBound = 0.0;
    bodies[i].boundHoldsUntil = 4.0;
  }
  bool promised = false;
  for (const Real time : {1.0, 1.1, 1.2})
    promised |= tried_->findPairs(bodies, time, found_) > time;
  EXPECT_EQ(promised, GetParam().looksAhead);
}

/// A scene that repeats itself takes no memory the second time round.
TEST_P(EveryBroadPhase, AllocatesNothingInTheSteadyState) {
  Random random(10);
  auto bodies = bodiesIn(random, 60, 4.0);
  const auto start = bodies;
  const auto round = [&] {
    for (int frame = 0; frame < 100; ++frame) {
      for (std::size_t i = 0; i < bodies.size(); ++i)
        bodies[i].pose.position =
            start[i].pose.position * (frame < 50 ? 1.0 - 0.01 * frame : 0.01 * frame);
      tried_->findPairs(bodies, 0.0, found_);
    }
  };
  EXPECT_GT(test::allocationsIn(round), 0u);
  EXPECT_EQ(test::allocationsIn(round), 0u);
  EXPECT_GT(found_.size(), 10u);
}

/// The origin of a method comes first: the paper and its year, or ours.
TEST(BroadPhaseCatalog, EveryMethodNamesItsPaper) {
  const auto source = testing::MatchesRegex(
      "(ours(, after)?( [A-Z][^:]* (19|20)[0-9]{2})?|[A-Z][^:]* "
      "(19|20)[0-9]{2}[^:]*): [a-z].*");
  for (const BroadPhaseEntry& entry : broadPhaseCatalog())
    EXPECT_THAT(std::string(entry.summary), source) << entry.name;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    EXPECT_THAT(std::string(entry.summary), source) << entry.name;
}

TEST(BroadPhaseCatalog, NamesAreUniqueAndFound) {
  for (const BroadPhaseEntry& entry : broadPhaseCatalog()) {
    EXPECT_EQ(findBroadPhase(entry.name), &entry);
    EXPECT_EQ(entry.make()->name(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
  EXPECT_EQ(findBroadPhase("no such phase"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryBroadPhase, testing::ValuesIn(broadPhaseCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
