// SPDX-License-Identifier: MIT
/// A recorded flight is shown again at any of its frames, and flown on from there.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "app/fly/quick_lamps.h"
#include "fly/flight/flight.h"

namespace nearmiss::app::fly {
namespace {

const LoadedScene& twelve() {
  static const LoadedScene loaded = quickLamps(12);
  return loaded;
}

/// A recorded flight that switches methods and starts again, and its states.
std::vector<std::uint64_t> recordSwitches(const std::filesystem::path& file) {
  auto session = std::make_shared<engine::SessionWriter>();
  auto flight = Flight::begin(twelve(), nullptr, session);
  EXPECT_TRUE(flight && session->startFile(file));
  std::vector<std::uint64_t> states;
  engine::FrameInput input = unlimitedFrame();
  for (int frame = 0; frame < 240; ++frame) {
    input.control.thrust = frame % 40 < 20 ? 1.0 : 0.0;
    input.detectionBudget = std::chrono::microseconds(2 + frame % 5);
    if (frame == 70) {
      EXPECT_TRUE(flight->setMethod(Method::Bsp));
    }
    if (frame == 90) {
      EXPECT_TRUE(flight->setNarrowPhase("obb-tree"));
    }
    if (frame == 150) {
      EXPECT_TRUE(flight->restart(77));
    }
    (void)flight->advance(input);
    states.push_back(engine::stateHash(flight->world().ships()));
  }
  EXPECT_TRUE(session->close());
  return states;
}

Flight replayOf(const std::filesystem::path& file,
                const std::shared_ptr<engine::SessionWriter>& session) {
  auto player = playerOf(file, twelve().shapes);
  EXPECT_TRUE(player) << player.error().message;
  return Flight::replay(*std::move(player), nullptr, session);
}

TEST(ReplayedFlight, IsReplayedThereAndBack) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "there.session";
  const auto states = recordSwitches(file);
  Flight flight = replayOf(file, nullptr);
  EXPECT_EQ(flight.output().bodies.size(), 13u) << "ships are there before the first frame";
  for (const std::uint64_t to : {1u, 2u, 80u, 79u, 78u, 100u, 240u, 120u, 149u, 150u, 151u, 5u}) {
    ASSERT_TRUE(flight.replayTo(to));
    EXPECT_EQ(engine::stateHash(flight.world().ships()), states[to - 1]) << to;
    EXPECT_EQ(flight.inUse().narrow, to <= 70   ? "sphere-tree"
                                     : to <= 90 ? "bsp"
                                                : "obb-tree")
        << to;
  }
  EXPECT_FALSE(flight.player()->difference());
}

TEST(ReplayedFlight, IsTakenOverFromAReplayAndRecordedWhole) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "first.session";
  const std::filesystem::path other = std::filesystem::path(testing::TempDir()) / "taken.session";
  const auto states = recordSwitches(file);
  auto session = std::make_shared<engine::SessionWriter>();
  Flight flight = replayOf(file, session);
  ASSERT_TRUE(flight.replayTo(100));
  ASSERT_TRUE(flight.endReplay());
  EXPECT_FALSE(flight.player());
  EXPECT_EQ(engine::stateHash(flight.world().ships()), states[99]) << "nothing jumps";
  engine::FrameInput input = unlimitedFrame();
  input.control.yaw = 0.7;
  for (int frame = 0; frame < 70; ++frame) (void)flight.advance(input);
  const std::uint64_t end = engine::stateHash(flight.world().ships());
  EXPECT_NE(end, states[169]);
  ASSERT_TRUE(session->startFile(other));
  ASSERT_TRUE(session->close());

  Flight again = replayOf(other, nullptr);
  EXPECT_EQ(again.player()->session().frames(), 170u);
  ASSERT_TRUE(again.replayTo(170));
  EXPECT_EQ(engine::stateHash(again.world().ships()), end);
  EXPECT_FALSE(again.player()->difference());
}

TEST(ReplayedFlight, ThatIsTakenOverBeforeItsFirstFrameIsRecordedFromItsStart) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "unseen.session";
  recordSwitches(file);
  auto session = std::make_shared<engine::SessionWriter>();
  Flight flight = replayOf(file, session);
  ASSERT_TRUE(flight.endReplay());
  EXPECT_TRUE(session->includesStart());
  for (int frame = 0; frame < 20; ++frame) (void)flight.advance(unlimitedFrame());
  ASSERT_TRUE(session->saveCopy(file));
  Flight again = replayOf(file, nullptr);
  EXPECT_EQ(again.player()->session().frames(), 20u);
  ASSERT_TRUE(again.replayTo(20));
  EXPECT_EQ(engine::stateHash(again.world().ships()), engine::stateHash(flight.world().ships()));
}

/// A budget in counted work is the same on every machine.
TEST(ReplayedFlight, SpendsCountedWorkAfterItWasTakenOver) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "work.session";
  (void)recordSwitches(file);
  std::vector<std::pair<std::uint64_t, std::chrono::nanoseconds>> flown[2];
  for (auto& frames : flown) {
    Flight flight = replayOf(file, nullptr);
    ASSERT_TRUE(flight.replayTo(20));
    ASSERT_TRUE(flight.endReplay());
    engine::FrameInput input = unlimitedFrame();
    input.detectionBudget = std::chrono::microseconds(20);
    for (int frame = 0; frame < 60; ++frame) {
      const auto spent = flight.advance(input).profile.spent;
      frames.emplace_back(engine::stateHash(flight.world().ships()), spent);
    }
  }
  EXPECT_EQ(flown[0], flown[1]);
}

}  // namespace
}  // namespace nearmiss::app::fly
