// SPDX-License-Identifier: MIT
/// Keys pressed at random while the window records: methods, phases, orders, budgets, the split
/// view, its left half, ghosts and ways back. The session is the flight that was seen.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "app/fly/modes.h"
#include "fly/flight_context.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::app::fly {
namespace {

class RecordedSwitches : public Modes, public testing::WithParamInterface<int> {
 protected:
  RecordedSwitches() {
    takeOffRecorded(lamps());
    context.ui.detection.budget.kind = BudgetKind::Fixed;
    context.ui.detection.budget.fixed = std::chrono::microseconds(4);
  }
  static void TearDownTestSuite() {
    EXPECT_GT(splitFrames, 15 * flights);
    EXPECT_GT(singleFrames, 40 * flights);
    EXPECT_GT(shortFrames, 5 * flights);
    EXPECT_GT(collisions, flights);
    EXPECT_GT(waysBack, flights / 4);
  }

  void pressAny() {
    using enum Action;
    static constexpr std::array keys{NextMethod, NextBroadPhase, NextNarrowPhase, SplitView,
                                     SplitView,  NextLeftMethod, ExactGhost,      NextOrder,
                                     CapNone,    Cap2,           BudgetDown,      BudgetUp,
                                     EraMode,    NextResponse,   Pause,           Photo,
                                     Tour,       Slower,         NormalSpeed,     AsPublished};
    apply(context, random.anyOf(keys));
  }

  /// Flies turns of the loop, with a key every now and then, and at times backwards.
  void flyAtRandom(int turns) {
    bool& rewinds = context.steering.rewinds;
    for (int turn = 0; turn < turns; ++turn) {
      if (random.chance(0.15)) pressAny();
      if (random.chance(rewinds ? 0.15 : 0.02)) rewinds = !rewinds;
      if (context.ui.pace.paused && random.chance(0.2)) apply(context, Action::Pause);
      const bool back = context.modes.rewind.on();
      fly();
      waysBack += !back && context.modes.rewind.on();
      if (!context.times.advanced) continue;
      const engine::FrameOutput& output = context.flight().output();
      ++(context.modes.split.on() ? splitFrames : singleFrames);
      shortFrames += output.profile.exhausted;
      collisions += output.collisions.size();
    }
    // The tour has a flight of its own, and a way back ends with its key
    if (context.modes.tour.on()) apply(context, Action::Tour);
    rewinds = false;
    if (context.ui.pace.paused) apply(context, Action::Pause);
    fly(3);
    ++flights;
  }

  nearmiss::test::Random random{1700 + static_cast<std::uint64_t>(GetParam())};
  inline static std::size_t splitFrames = 0, singleFrames = 0, shortFrames = 0, collisions = 0,
                            waysBack = 0, flights = 0;
};

TEST_P(RecordedSwitches, AreFlownAgainBitForBit) {
  nearmiss::test::reportCases(1);
  flyAtRandom(500);
  const auto file = folder / "switched.session";
  ASSERT_TRUE(context.flightManager.session().saveCopy(file));
  auto player = playerOf(file, lamps().shapes);
  ASSERT_TRUE(player.has_value()) << player.error().message;
  while (!(*player)->atEnd()) ASSERT_TRUE((*player)->step());
  if (const auto& difference = (*player)->difference())
    ADD_FAILURE() << "frame " << difference->frame << ": " << difference->text;
  EXPECT_EQ(engine::stateHash((*player)->simulation().world().ships()), state());
  EXPECT_EQ((*player)->simulation().world().time(), time());
}

INSTANTIATE_TEST_SUITE_P(, RecordedSwitches, testing::Range(0, nearmiss::test::cases(4)));

}  // namespace
}  // namespace nearmiss::app::fly
