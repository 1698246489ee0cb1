// SPDX-License-Identifier: MIT
/// Manners of the window: what closes first, what pauses, and what a choice in flight leaves alone.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

#include "app/fly/modes.h"
#include "fly/choices/detection_choice.h"

namespace nearmiss::app::fly {
namespace {

using Manners = Modes;

/// Whatever lies in front goes first, one thing at a time, and the question comes last.
TEST_F(Manners, EscapeClosesWhatIsInFrontAndAsksToQuitOnlyThen) {
  fly(3);
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  UiState& ui = context.ui;
  ui.pages.help = ui.pages.numbers = ui.pages.runEnd = true;
  ui.pages.controls = true;
  ui.view.picked = {context.flight().output().bodies[0].key, 0};
  const auto open = [&] {
    return std::array{ui.pages.help,     ui.pages.numbers,      ui.pages.runEnd,
                      ui.pages.controls, ui.view.picked.a != 0, context.modes.split.on()};
  };
  auto before = open();
  for (std::size_t closed = 0; closed < before.size(); ++closed) {
    apply(context, Action::Back);
    before[closed] = false;
    EXPECT_EQ(open(), before) << closed;
    EXPECT_FALSE(ui.pages.quitQuestion) << closed;
  }
  apply(context, Action::Back);
  EXPECT_TRUE(ui.pages.quitQuestion);
  apply(context, Action::Back);
  EXPECT_FALSE(ui.pages.quitQuestion);
}

TEST_F(Manners, QuestionsAndHelpPause) {
  fly(3);
  for (bool OpenPages::*page : {&OpenPages::help, &OpenPages::quitQuestion}) {
    const std::uint64_t before = state();
    context.ui.pages.*page = true;
    fly(5);
    EXPECT_EQ(state(), before);
    context.ui.pages.*page = false;
    fly();
    EXPECT_NE(state(), before);
  }
  // Numbers are read while it flies
  const std::uint64_t before = state();
  context.ui.pages.numbers = true;
  fly();
  EXPECT_NE(state(), before);
}

TEST_F(Manners, StartsAgainWithASeedThatIsChosen) {
  fly(3);
  const Command& seed = *commandNamed("seed");
  Control control;
  seed.read(context, control);
  ASSERT_LT(control.chosen, control.options.size());
  EXPECT_EQ(control.options[control.chosen].name, std::to_string(context.flight().scene().seed));
  const std::size_t other = control.chosen == 0 ? 1 : 0;
  seed.does(context, {other, {}});
  EXPECT_EQ(std::to_string(context.flight().scene().seed), control.options[other].name);
  EXPECT_EQ(time(), 0.0);
}

TEST_F(Manners, LookingAtAContactFreezesIt) {
  for (int turn = 0; turn < 2000 && context.flight().output().profile.touching == 0; ++turn) fly();
  ASSERT_GT(context.flight().output().profile.touching, 0u);
  const std::uint64_t before = state();
  apply(context, Action::NextPair);
  EXPECT_TRUE(context.ui.view.picked.pair());
  fly(5);
  EXPECT_EQ(state(), before);
}

TEST_F(Manners, TakesAnotherTargetInFlight) {
  fly(3);
  const Real time = this->time();
  selectTarget(context, 50.0);
  EXPECT_EQ(targetOf(context.flight()), std::chrono::milliseconds(50));
  EXPECT_EQ(this->time(), time) << "the flight goes on";
  fly();
  EXPECT_GT(this->time(), time);
  apply(context, Action::Run);
  selectTarget(context, 100.0);
  EXPECT_EQ(targetOf(context.flight()), std::chrono::milliseconds(50)) << "a run keeps it";
}

}  // namespace
}  // namespace nearmiss::app::fly
