// SPDX-License-Identifier: MIT
/// The scored run in the window: its level, its messages, and its page at the end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "app/fly/modes.h"
#include "console/text.h"

namespace nearmiss::app::fly {
namespace {

using RunInWindow = Modes;

TEST_F(RunInWindow, HasTheLevelAfterThoseThatWereWon) {
  engine::BestRun won;
  won.scene = context.flight().scene().name;
  won.level = 2;
  won.points = 5;
  ASSERT_TRUE(engine::storeRun(engine::bestRunsFolder(), won, {}));
  context.ui.pages.runEnd = context.ui.pace.paused = true;
  context.ui.pace.speedExponent = 3;
  apply(context, Action::Run);
  const auto run = described().modes.run;
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->level.number, 3u);
  EXPECT_EQ(run->level.goal, engine::levelAfter(2).goal);
  EXPECT_FALSE(context.ui.pages.runEnd || context.ui.pace.paused);
  EXPECT_EQ(context.ui.pace.speedExponent, 0);
  EXPECT_EQ(context.modes.run.line(),
            fmt::format("Pass ships closely without touching: 0 of {} points, 90 s left.",
                        engine::levelAfter(2).goal));
  // The key again gives it up
  apply(context, Action::Run);
  EXPECT_FALSE(context.modes.run.on());
  EXPECT_TRUE(context.toasts.contains("the run is given up"));
}

TEST_F(RunInWindow, EndsWithItsResult) {
  flyRun(2);
  EXPECT_TRUE(context.ui.pace.paused);
  const auto best = engine::readBestRuns(engine::bestRunsFolder());
  ASSERT_TRUE(best.has_value());
  ASSERT_EQ(best->runs.size(), 1u);
  const engine::BestRun& kept = best->runs[0];
  const bool won = kept.points >= engine::levelAfter(0).goal;
  EXPECT_EQ(kept.date.size(), std::string("2026-01-31 17:45").size());
  EXPECT_EQ(engine::levelsWon(*best, kept.scene), won ? 1u : 0u);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_EQ(view.modes.runEnd->title,
            fmt::format("The run is over: {} points, best run so far; level 1 {}", kept.points,
                        won ? "won" : fmt::format("is won by {}", engine::levelAfter(0).goal)));
  const auto groups = view.modes.runEnd->groups;
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[2].rows[0].right, runText(kept) + ", this run");
  EXPECT_EQ(groups[3].heading, "Closest passes");
  EXPECT_FALSE(view.modes.run.has_value());
  // The next one has the next level, also without the table
  apply(context, Action::Run);
  EXPECT_EQ(described().modes.run->level.number, won ? 2u : 1u);
}

}  // namespace
}  // namespace nearmiss::app::fly
