// SPDX-License-Identifier: MIT
/// One flight by two detectors: the same as long as both can afford it, each on a machine of its
/// own.
#include "fly/modes/split/split_flight.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/fly/quick_lamps.h"
#include "fly/modes/split/ghost.h"
#include "options/split_choice.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

using namespace std::chrono_literals;
using engine::BudgetRule;
using Side = SplitFlight::Side;

HalfChoice half(const std::string& narrow, BudgetRule::Kind kind) {
  HalfChoice choice;
  choice.narrow = narrow;
  choice.budget.kind = kind;
  return choice;
}

engine::FrameInput steeredFrame(const engine::Scene& scene, std::uint64_t n) {
  engine::FrameInput input;
  input.dt = 1.0 / 60.0;
  input.detectStep = 1.0 / 120.0;
  input.instants = scene.instants;
  input.control.thrust = n % 50 < 25 ? 1.0 : 0.0;
  input.control.yaw = n % 80 < 40 ? 1.0 : -0.5;
  return input;
}

/// What a flight was after each of its frames.
struct Flown {
  std::vector<std::uint64_t> left, right;
  std::vector<bool> rightShort;
};

Flown flyTurns(SplitFlight& split, Flight& right, const BudgetRule& budget, double scale,
               int turns) {
  Flown flown;
  for (int turn = 0; turn < turns; ++turn) {
    split.beginTurn();
    if (split.needsInput())
      split.give(steeredFrame(right.scene(), static_cast<std::uint64_t>(turn)));
    split.fly(right, budget, scale);
    if (split.half(Side::Left).advanced)
      flown.left.push_back(engine::stateHash(split.left().world().ships()));
    if (split.half(Side::Right).advanced) {
      flown.right.push_back(engine::stateHash(right.world().ships()));
      flown.rightShort.push_back(right.output().profile.exhausted);
    }
    split.endTurn(targetOf(right));
  }
  return flown;
}

constexpr BudgetRule unlimited{BudgetRule::Kind::Unlimited, {}, 1.0, 0.0};

TEST(SplitFlight, IsOneFlightWhereBothAffordEverything) {
  auto right = Flight::begin(quickLamps(14));
  ASSERT_TRUE(right.has_value());
  // From the midst of a flight, not only from its start
  for (std::uint64_t n = 0; n < 40; ++n) {
    engine::FrameInput input = steeredFrame(right->scene(), n);
    input.detectionBudget = Clock::Duration::max();
    (void)right->advance(input);
  }
  const Options options;
  for (const char* narrow : {"sphere-tree", "bsp"}) {
    auto split = SplitFlight::begin(half(narrow, BudgetRule::Kind::Unlimited), *right, options);
    ASSERT_TRUE(split.has_value());
    EXPECT_EQ(engine::stateHash((*split)->left().world().ships()),
              engine::stateHash(right->world().ships()));
    const Flown flown = flyTurns(**split, *right, unlimited, 1.0, 300);
    EXPECT_EQ(flown.left.size(), 300u);
    EXPECT_EQ(flown.left, flown.right) << narrow;
  }
}

TEST(SplitFlight, SaysWhyTheLeftHalfGetsNoTreesOfItsOwn) {
  auto right = Flight::begin(quickLamps(3));
  ASSERT_TRUE(right.has_value());
  HalfChoice left = half("sphere-tree", BudgetRule::Kind::Unlimited);
  left.tree = "oaktree";
  const Options options;
  auto split = SplitFlight::begin(left, *right, options);
  ASSERT_TRUE(split.has_value());
  ASSERT_NE((*split)->build(), nullptr);
  EXPECT_EQ((*split)->build()->what(), "oaktree trees");
  std::optional<Error> fault;
  for (int turn = 0; turn < 3000 && !fault; ++turn) {
    (void)flyTurns(**split, *right, unlimited, 1.0, 1);
    fault = (*split)->takeFault();
    std::this_thread::sleep_for(1ms);
  }
  ASSERT_TRUE(fault);
  EXPECT_FALSE(fault->message.empty());
  EXPECT_FALSE((*split)->takeFault()) << "said once";
  EXPECT_EQ((*split)->build(), nullptr);
}

TEST(SplitFlight, PartsNotBeforeTheFirstFrameThatWasShortOfTime) {
  auto right = Flight::begin(quickLamps(14));
  ASSERT_TRUE(right.has_value());
  auto split = SplitFlight::begin(half("sphere-tree", BudgetRule::Kind::Unlimited), *right, {});
  ASSERT_TRUE(split.has_value());
  const BudgetRule hurried{BudgetRule::Kind::Fixed, 3us, 1.0, 0.0};
  const Flown flown = flyTurns(**split, *right, hurried, 1.0, 1200);
  std::size_t firstShort = 0, firstOther = 0;
  while (firstShort < flown.right.size() && !flown.rightShort[firstShort]) ++firstShort;
  while (firstOther < flown.right.size() && flown.left[firstOther] == flown.right[firstOther])
    ++firstOther;
  ASSERT_LT(firstShort, flown.right.size()) << "nothing was short of time";
  ASSERT_LT(firstOther, flown.right.size()) << "nothing was changed by it";
  EXPECT_GE(firstOther, firstShort);
}

/// Bit for bit repeatable on the work clock, lateness and all.
TEST(SplitFlight, IsLateWhereTheMethodCannotBeCutShort) {
  std::optional<Flown> first;
  for (int repetition = 0; repetition < 2; ++repetition) {
    auto right = Flight::begin(quickLamps(13));
    ASSERT_TRUE(right.has_value());
    auto split = SplitFlight::begin(half("bsp", BudgetRule::Kind::Unlimited), *right, {});
    ASSERT_TRUE(split.has_value());
    const Flown flown = flyTurns(**split, *right, BudgetRule{}, 300.0, 600);
    const Half &left = (*split)->half(Side::Left), &other = (*split)->half(Side::Right);
    EXPECT_GT(left.statistics.missed, 0u);
    EXPECT_LT(left.frame, other.frame);
    // Broad phase, responses and what may not wait any longer are all that is beyond its allowance
    EXPECT_LT(other.statistics.missed, left.statistics.missed);
    EXPECT_EQ(left.frame, flown.left.size());
    if (first) {
      EXPECT_EQ(first->left, flown.left);
      EXPECT_EQ(first->right, flown.right);
    }
    first = flown;
  }
}

/// Few of few triangles: what a narrow phase prepares is prepared for every pair of them.
LoadedScene quickTetrahedra(const test::TemporaryFolder& folder) {
  engine::Scene scene;
  scene.playerModel = test::writeText(folder / "t.obj", test::asObj(test::tetrahedron())).string();
  scene.drones[0].model = scene.playerModel;
  scene.drones[0].count = 3;
  scene.clock = engine::ClockKind::Work;
  return quickScene(std::move(scene));
}

TEST(SplitFlight, TakesEveryPairOfNarrowPhases) {
  const test::TemporaryFolder folder;
  auto right = Flight::begin(quickTetrahedra(folder));
  ASSERT_TRUE(right.has_value());
  for (const NarrowPhaseEntry& second : narrowPhaseCatalog()) {
    ASSERT_TRUE(detectBy(*right, std::string(second.name)).has_value());
    for (const NarrowPhaseEntry& first : narrowPhaseCatalog()) {
      SCOPED_TRACE(std::string(first.name) + " and " + std::string(second.name));
      auto split = SplitFlight::begin(half(std::string(first.name), BudgetRule::Kind::Unlimited),
                                      *right, {});
      ASSERT_TRUE(split.has_value());
      const Flown flown = flyTurns(**split, *right, unlimited, 1.0, 2);
      EXPECT_EQ(flown.left.size(), 2u);
      EXPECT_EQ((*split)->left().simulation().detector().narrowPhase().name(), first.name);
      EXPECT_EQ(right->simulation().detector().narrowPhase().name(), second.name);
    }
  }
}

TEST(SplitFlight, ChangesTheLeftMethodInFlight) {
  auto right = Flight::begin(quickLamps(3));
  ASSERT_TRUE(right.has_value());
  auto split = SplitFlight::begin(half("bsp", BudgetRule::Kind::Unlimited), *right, {});
  ASSERT_TRUE(split.has_value());
  for (const char* narrow : {"obb-tree", "bsp", "sphere-tree"}) {
    ASSERT_TRUE((*split)->setLeft(narrow).has_value());
    (void)flyTurns(**split, *right, unlimited, 1.0, 2);
    EXPECT_EQ((*split)->left().simulation().detector().narrowPhase().name(), narrow);
    EXPECT_EQ((*split)->leftChoice().narrow, narrow);
  }
  EXPECT_FALSE((*split)->setLeft("obb").has_value());
  EXPECT_EQ((*split)->leftChoice().narrow, "sphere-tree");
}

TEST(SplitFlight, BothHalvesFlyByTheTargetOfTheRight) {
  auto right = Flight::begin(quickLamps(3));
  ASSERT_TRUE(right.has_value());
  auto split = SplitFlight::begin(half("sphere-tree", BudgetRule::Kind::Auto), *right, {});
  ASSERT_TRUE(split.has_value());
  ASSERT_TRUE(right->setTarget(50.0).has_value());
  (void)flyTurns(**split, *right, BudgetRule{}, 1.0, 3);
  for (const Side side : {Side::Left, Side::Right}) {
    const engine::FrameHistory& history = (*split)->half(side).history;
    ASSERT_GT(history.size(), 0u);
    EXPECT_EQ(history[history.size() - 1].target, 50ms) << side;
  }
}

TEST(ImaginedMachine, PaysForAFrameInWholeTurns) {
  ImaginedMachine machine;
  engine::FrameProfile profile;
  profile.narrow = 25ms;
  machine.simulated(profile, 2.0, engine::ClockKind::Wall, 20ms);
  machine.drew(5ms);
  const engine::FrameProfile* ended = machine.endTurn(20ms);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->frameTime, 55ms);
  EXPECT_EQ(ended->narrow, 50ms);
  EXPECT_TRUE(ended->missed);
  // 55 ms are three turns of 20 ms, of which one is over
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_FALSE(machine.ready());
    EXPECT_EQ(machine.endTurn(20ms), nullptr);
  }
  EXPECT_TRUE(machine.ready());

  profile.narrow = 5ms;
  machine.simulated(profile, 2.0, engine::ClockKind::Wall, 20ms);
  ended = machine.endTurn(20ms);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->frameTime, 20ms);
  EXPECT_EQ(ended->slack, 10ms);
  EXPECT_FALSE(ended->missed);
  EXPECT_TRUE(machine.ready());
}

TEST(Ghost, IsWhereTheFlightIsUntilThatWasShortOfTime) {
  auto flight = Flight::begin(quickLamps(14));
  ASSERT_TRUE(flight.has_value());
  auto ghost = Ghost::begin(*flight);
  ASSERT_TRUE(ghost.has_value());
  for (std::uint64_t n = 0; n < 300; ++n) {
    engine::FrameInput input = steeredFrame(flight->scene(), n);
    input.detectionBudget = Clock::Duration::max();
    (void)flight->advance(input);
    ghost->follow(*flight, input);
  }
  EXPECT_EQ(ghost->view().now.farthest, 0.0);
  EXPECT_TRUE(ghost->shipsToDraw(*flight).empty());
  EXPECT_EQ(ghost->view().course.size(), 300u);

  bool beside = false;
  for (std::uint64_t n = 300; n < 1200; ++n) {
    engine::FrameInput input = steeredFrame(flight->scene(), n);
    input.detectionBudget = Clock::Duration::max();
    input.levelCap = 1;
    (void)flight->advance(input);
    ghost->follow(*flight, input);
    beside = beside || !ghost->shipsToDraw(*flight).empty();
  }
  EXPECT_GT(ghost->view().now.farthest, 0.0);
  EXPECT_TRUE(beside);
  EXPECT_EQ(ghost->view().course.size(), ghostFrames);
}

TEST(SplitChoice, ReadsMethodTreeAndBudget) {
  const auto split = parseSplit("bsp,sphere-tree/octree:50us");
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->left.narrow, "bsp");
  EXPECT_EQ(split->left.budget.kind, BudgetRule::Kind::Unlimited);
  EXPECT_EQ(split->right.narrow, "sphere-tree");
  EXPECT_EQ(split->right.tree, "octree");
  EXPECT_EQ(split->right.budget.kind, BudgetRule::Kind::Fixed);
  EXPECT_EQ(split->right.budget.fixed, 50us);
  const auto same = parseSplit("sphere-tree:inf,sphere-tree");
  ASSERT_TRUE(same.has_value());
  EXPECT_EQ(same->left.budget.kind, BudgetRule::Kind::Unlimited);
  EXPECT_EQ(same->right.budget.kind, BudgetRule::Kind::Auto);
}

TEST(SplitChoice, RefusesTheRestWithASentence) {
  const std::map<std::string, std::string> refused{
      {"", "two halves"},
      {"bsp", "two halves"},
      {"bsp,bsp,bsp", "two halves"},
      {"bps,sphere-tree", "Did you mean \"bsp\"?"},
      {"bsp,", "no narrow phase"},
      {"bsp/octree,sphere-tree", "uses no sphere trees"},
      {"bsp,sphere-tree/octre", "Did you mean \"octree\"?"},
      {"bsp:,sphere-tree", "not a budget"},
      {"bsp:50ms,sphere-tree", "not a budget"},
      {"bsp:-1,sphere-tree", "not a budget"},
      {"bsp:nan,sphere-tree", "not a budget"}};
  for (const auto& [text, words] : refused) {
    const auto split = parseSplit(text);
    ASSERT_FALSE(split.has_value()) << text;
    EXPECT_NE(split.error().message.find(words), std::string::npos) << split.error().message;
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
