// SPDX-License-Identifier: MIT
/// Scripts of commands: what they say, when they act, and what is wrong with them.
#include "fly/loop/key_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/fly/drawn_text.h"
#include "app/fly/quick_lamps.h"
#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string wrongWith(const std::string& text) {
  const auto script = KeyScript::parse(text, "film.txt");
  return script ? std::string() : script.error().message;
}

void startDue(KeyScript& script, double seconds) {
  script.advance(seconds);
  while (script.next()) {
  }
}

TEST(KeyScript, GivesEachCommandOnceAtItsTime) {
  auto script = KeyScript::parse(
      "0.25 pause\n# a comment\n0.5 pause # again\n0.5 camera_next\n1 end\n", "film.txt");
  ASSERT_FALSE(script.has_value());
  EXPECT_THAT(script.error().message, HasSubstr("\"film.txt\", line 4: there is no command"));
  script = KeyScript::parse("0.25 pause\n# a comment\n0.5 pause # again\n0.5 next_camera\n1 end\n",
                            "film.txt");
  ASSERT_TRUE(script.has_value()) << script.error().message;
  std::vector<std::size_t> due;
  bool ends = false;
  for (int frame = 0; frame < 10; ++frame) {
    script->advance(0.125);
    due.push_back(0);
    while (const ScriptLine* line = script->next()) {
      ++due.back();
      ends = ends || line->kind == ScriptLine::Kind::End;
    }
  }
  EXPECT_THAT(due, ElementsAre(0, 1, 0, 2, 0, 0, 0, 1, 0, 0));
  EXPECT_TRUE(ends);
}

TEST(KeyScript, HoldsAKeyForItsSeconds) {
  auto script = KeyScript::parse("0.25 thrust_forward for 0.5\n0.5 yaw_left for 0.5\n", "film.txt");
  ASSERT_TRUE(script.has_value()) << script.error().message;
  std::vector<std::size_t> held;
  for (int frame = 0; frame < 5; ++frame) {
    startDue(*script, 0.25);
    held.push_back(script->held().size());
  }
  EXPECT_THAT(held, ElementsAre(1, 2, 1, 0, 0));
}

TEST(KeyScript, SaysWhichLineIsWrongAndHow) {
  EXPECT_THAT(wrongWith("soon pause"), HasSubstr("line 1: expected SECONDS COMMAND"));
  EXPECT_THAT(wrongWith("-1 pause"), HasSubstr("expected SECONDS COMMAND"));
  EXPECT_THAT(wrongWith("nan pause"), HasSubstr("expected SECONDS COMMAND"));
  EXPECT_THAT(wrongWith("1 pausse"), HasSubstr("Did you mean \"pause\"?"));
  EXPECT_THAT(wrongWith("2 pause\n1 pause"), HasSubstr("line 2: the times must not decrease"));
  EXPECT_THAT(wrongWith("1 thrust_forward"), HasSubstr("add \"for SECONDS\""));
  EXPECT_THAT(wrongWith("1 pause for 2"), HasSubstr("remove \"for\""));
  EXPECT_THAT(wrongWith("1 thrust_forward for 0"), HasSubstr("expected seconds above 0"));
  EXPECT_THAT(wrongWith("1 pause now"), HasSubstr("takes no value"));
  EXPECT_THAT(wrongWith("1 end now"), HasSubstr("nothing may follow"));
  EXPECT_THAT(wrongWith("\n  \n# nothing\n"), IsEmpty());
  EXPECT_FALSE(KeyScript::read("no/such.txt").has_value());
}

TEST(KeyScript, AimsWhileItSaysSo) {
  auto script = KeyScript::parse("0.5 aim for 0.5\n2 end\n", "film.txt");
  ASSERT_TRUE(script.has_value()) << script.error().message;
  std::vector<bool> aims;
  for (int frame = 0; frame < 5; ++frame) {
    startDue(*script, 0.25);
    aims.push_back(script->aims());
  }
  EXPECT_THAT(aims, ElementsAre(false, true, true, false, false));
  EXPECT_THAT(wrongWith("1 aim"), HasSubstr("add \"for SECONDS\""));
  EXPECT_THAT(wrongWith("1 aim ring for 2"), HasSubstr("takes no value"));
}

/// A flight without a window, by a script.
struct Scripted {
  explicit Scripted(const std::string& text) {
    auto begun = Flight::begin(quickLamps());
    context.flightManager.flight().emplace(*std::move(begun));
    auto script = KeyScript::parse(text, "film.txt");
    EXPECT_TRUE(script.has_value());
    context.script = *std::move(script);
    context.times.scripted = 0.0;
    context.times.turnSeconds = 0.5;
  }
  DrawnText keyboard{640.0f, 360.0f, 1.0f};
  Options options;
  FlightContext context{options, {}};
};

TEST(KeyScript, PressesKeysAndSelectsOptionsByName) {
  Scripted flown(
      "0.5 pause\n1.0 next_camera orbit\n1.5 pause\n1.5 thrust_forward for 1\n3.0 end\n");
  FlightContext& context = flown.context;
  playScript(context);
  EXPECT_TRUE(context.ui.pace.paused);
  playScript(context);
  EXPECT_EQ(context.view.rig.mode(), CameraMode::Orbit);
  EXPECT_FALSE(context.input.held(Action::ThrustForward));
  playScript(context);
  EXPECT_FALSE(context.ui.pace.paused);
  EXPECT_TRUE(context.input.held(Action::ThrustForward));
  for (int turn = 0; turn < 2; ++turn) playScript(context);
  EXPECT_FALSE(context.input.held(Action::ThrustForward));
  EXPECT_FALSE(context.ending.stopped);
  playScript(context);
  EXPECT_TRUE(context.ending.stopped);
  EXPECT_EQ(context.ending.exitCode, 0);
}

/// The second line is for the scene that the first one loads.
TEST(KeyScript, WaitsBetweenTwoLinesOfOneTimeWhileASceneLoads) {
  Scripted flown("0.5 scene chase\n0.5 pause\n");
  FlightContext& context = flown.context;
  playScript(context);
  ASSERT_TRUE(context.flightManager.worker().busy());
  EXPECT_FALSE(context.ui.pace.paused);
  for (int wait = 0; wait < 60'000 && context.flightManager.worker().busy(); ++wait) {
    if (const auto change = context.flightManager.poll()) context.show(*change);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(context.flight().scene().name, "chase");
  EXPECT_FALSE(context.ui.pace.paused);
  playScript(context);
  EXPECT_TRUE(context.ui.pace.paused);
}

TEST(KeyScript, EndsTheFlightIfAnOptionIsUnknown) {
  Scripted flown("0.5 next_camera orbitt\n");
  playScript(flown.context);
  EXPECT_EQ(flown.context.ending.exitCode, Usage);
  EXPECT_THAT(flown.context.ending.failure, HasSubstr("Did you mean \"orbit\"?"));
}

}  // namespace
}  // namespace nearmiss::app::fly
