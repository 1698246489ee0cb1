// SPDX-License-Identifier: MIT
/// The figures of a flight that panels get, and the effects of clicks and keys on panels.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "fly/choices/detection_budget.h"
#include "fly/command/actions.h"
#include "fly/overlay/panels.h"
#include "fly/panel/screen_panels.h"

namespace nearmiss::app::fly {
namespace {

class ToldPanels : public Modes {
 protected:
  ToldPanels() { fly(3); }
  /// Places the panels of the flight.
  OverlayView lay() {
    OverlayView view = describeScreen(context, false);
    (void)context.panels.overlay.place(view);
    return view;
  }
  [[nodiscard]] static glm::vec2 middleOf(const Rect& rect) {
    return {rect.x + 0.5f * rect.width, rect.y + 0.5f * rect.height};
  }
  DrawnText text{1280.0f, 720.0f, 1.0f};
};

TEST_F(ToldPanels, DescribeTheFlight) {
  OverlayView view = describeScreen(context, true);
  const Flight& flight = context.flight();
  EXPECT_EQ(view.ui, &context.ui);
  EXPECT_EQ(view.frames.history, &context.times.history);
  EXPECT_EQ(view.frames.numbers, &context.panels.numbers.flight());
  EXPECT_EQ(view.flight.method, flight.inUse().narrow);
  EXPECT_EQ(view.flight.broad, flight.inUse().broad);
  EXPECT_EQ(view.flight.tree, flight.inUse().trees);
  EXPECT_EQ(view.flight.sceneName, flight.scene().name);
  EXPECT_EQ(view.flight.seed, flight.scene().seed);
  EXPECT_EQ(view.flight.shipRadius, shipRadius(flight));
  EXPECT_TRUE(view.flown);
  EXPECT_FALSE(view.recording);
  EXPECT_EQ(view.frames.fixedSteps, !inRealTime(context));
  EXPECT_TRUE(view.frames.softwareRenderer.empty());
  EXPECT_FALSE(view.frames.coarsened) << "only software renderers are coarse";
  EXPECT_EQ(view.build.progress, nullptr);
  EXPECT_FALSE(view.player.has_value());
  context.screen.driver.software = true;
  context.screen.driver.renderer = "llvmpipe (LLVM 15)";
  context.ui.view.overlay = OverlayMode::Player;
  for (const bool coarsened : {false, true}) {
    view = describeScreen(context, coarsened);
    EXPECT_EQ(view.frames.softwareRenderer, "llvmpipe");
    EXPECT_EQ(view.frames.coarsened, coarsened);
    EXPECT_TRUE(view.player.has_value());
  }
  context.screen.vsync = true;
  EXPECT_EQ(describeScreen(context, false).frames.fixedSteps, !inRealTime(context));
}

TEST_F(ToldPanels, NameTheCamera) {
  const std::array names{
      std::pair{CameraMode::Chase, "chase"}, std::pair{CameraMode::Cockpit, "cockpit"},
      std::pair{CameraMode::Orbit, "orbit"}, std::pair{CameraMode::Free, "free camera"}};
  for (const auto& [mode, name] : names) {
    context.view.rig.setMode(mode);
    EXPECT_EQ(describeScreen(context, false).flight.camera, name);
  }
  context.view.rig.beginLook();
  EXPECT_EQ(describeScreen(context, false).flight.camera, "looking at the pair");
}

TEST_F(ToldPanels, HoldTheInstantOfTheFlight) {
  holdNumbers(context);
  const ShownInstant& instant = context.panels.numbers.flight().instant;
  EXPECT_EQ(instant.simTime, time());
  EXPECT_TRUE(instant.countedWork);
  EXPECT_EQ(instant.budget, budgetWords(userBudget(context)));
  EXPECT_FALSE(instant.replayed.has_value());
}

TEST_F(ToldPanels, SayWhetherAFileIsWritten) {
  takeOffRecorded(lamps());
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  toggleSession(context);
  EXPECT_TRUE(describeScreen(context, false).recording);
  toggleSession(context);
  EXPECT_FALSE(describeScreen(context, false).recording);
  toggleRecording(context);
  EXPECT_TRUE(describeScreen(context, false).recording);
  toggleRecording(context);
  std::filesystem::current_path(before);
}

TEST_F(ToldPanels, HaveATitleThatSaysWhatFlies) {
  const Flight& flight = context.flight();
  EXPECT_EQ(titleOf(context), fmt::format("Nearmiss - {}, {} - {}", flight.inUse().narrow,
                                          flight.inUse().trees, flight.scene().name));
  context.ui.pace.paused = true;
  EXPECT_TRUE(titleOf(context).ends_with(" - paused"));
  ASSERT_TRUE(context.flight().setMethod(Method::Bsp));
  context.ui.detection.method = Method::Bsp;
  context.ui.pace.paused = false;
  EXPECT_EQ(titleOf(context), fmt::format("Nearmiss - bsp - {}", flight.scene().name));
  context.ui.pages.quitQuestion = true;
  EXPECT_EQ(titleOf(context), "Quit Nearmiss?");
  context.ui.pages.quitQuestion = false;
  context.flightManager.flight().reset();
  EXPECT_EQ(titleOf(context), "Nearmiss");
  EXPECT_FALSE(loadingShown(context));
}

TEST_F(ToldPanels, PickAShipByAClickBesideThem) {
  (void)lay();
  context.view.camera.pose = {{0.0, 0.0, 30.0}, glm::identity<Quat>()};
  std::size_t picks = 0, panels = 0;
  for (std::size_t i = 1; i < shipsOf(context.flight()).size(); ++i) {
    const BodyState& body = context.flight().output().bodies[i];
    glm::vec2 at;
    if (!project(context.view.camera, context.screen.width, context.screen.height,
                 body.pose.position, at))
      continue;
    const PickedShips there = pickAt(context.flight(), {}, context.view.camera,
                                     context.screen.width, context.screen.height, at);
    context.ui.view.picked = {};
    click(context, at, false);
    const bool covered = context.panels.overlay.takesClick(at);
    EXPECT_EQ(context.ui.view.picked, covered ? PickedShips{} : there);
    ++(covered ? panels : picks);
    // With Shift it is marked as unimportant instead
    context.ui.view.picked = {};
    const bool before = body.unimportant;
    click(context, at, true);
    EXPECT_EQ(context.ui.view.picked, PickedShips{});
    if (!covered && there.a == body.key) {
      EXPECT_NE(body.unimportant, before);
    }
    // A page takes all clicks
    context.ui.pages.numbers = true;
    click(context, at, false);
    EXPECT_EQ(context.ui.view.picked, PickedShips{});
    context.ui.pages.numbers = false;
  }
  EXPECT_GT(picks, 2u);
}

TEST_F(ToldPanels, OpenTheControlOfAFieldOfTheStatusBar) {
  OverlayView view = lay();
  context.panels.spots.clear();
  context.panels.overlay.drawPanels(Ink(&context.panels.spots), view);
  const Rect status = context.panels.overlay.areaOf(Panel::Status);
  const std::vector<Control> table = controlTable();
  std::size_t opened = 0;
  for (const HoverSpot& spot : context.panels.spots.all()) {
    if (!meets(spot.rect, status)) continue;
    const auto control = std::ranges::find(table, spot.name, &Control::name);
    if (control == table.end()) continue;
    context.ui.pages.controls = false;
    context.ui.pages.keyPage = true;
    context.ui.view.picked = {};
    const std::string name = spot.name;
    click(context, middleOf(spot.rect), false);
    EXPECT_TRUE(context.ui.pages.controls) << name;
    EXPECT_FALSE(context.ui.pages.keyPage);
    // Its row is marked
    const auto rows =
        context.panels.controls.layOut({0.0f, 0.0f, 400.0f, 4000.0f}, 15.0f, table).rows;
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const ControlRow& row) {
      return table[row.control].name == name;
    })) << name;
    ++opened;
  }
  EXPECT_GT(opened, 2u);
  // Beside the fields it opens as it is
  context.ui.pages.controls = false;
  click(context, {status.right() - 1.0f, status.bottom() - 1.0f}, false);
  EXPECT_TRUE(context.ui.pages.controls);
}

TEST_F(ToldPanels, TakeKeysAndTheMouse) {
  const std::vector<Control> table = controlTable();
  const auto wireframe = std::ranges::find(table, "wireframe", &Control::name);
  ASSERT_NE(wireframe, table.end());
  const auto index = static_cast<std::size_t>(wireframe - table.begin());
  context.panels.controls.show(table, index);
  const bool before = context.ui.view.wireframe;
  InputEvents events;
  events.panelKeys = {before ? PanelKey::Left : PanelKey::Right};
  handlePanelInput(context, events);
  EXPECT_NE(context.ui.view.wireframe, before);
  // What the mouse has chosen in the last frame, once
  context.panels.selection = ControlInput{index, Control::none, {}, 0};
  handlePanelInput(context, {});
  EXPECT_EQ(context.ui.view.wireframe, before);
  EXPECT_FALSE(context.panels.selection.has_value());
  handlePanelInput(context, {});
  EXPECT_EQ(context.ui.view.wireframe, before);
}

TEST_F(ToldPanels, EditKeys) {
  openKeyPage(context);
  EXPECT_TRUE(context.ui.pages.keyPage);
  KeyEditor& editor = context.panels.keyEditor;
  const auto rowOf = [&](std::string_view name) {
    const auto rows = editor.controls();
    return static_cast<std::size_t>(std::ranges::find(rows, name, &Control::name) - rows.begin());
  };
  // Adding a key: the page asks, and the next key answers
  context.panels.selection = ControlInput{rowOf("wireframe"), 0, {}, 0};
  handlePanelInput(context, {});
  EXPECT_TRUE(context.ui.pages.asksForKey);
  EXPECT_TRUE(context.toasts.contains("press the key for \"wireframe\""));
  InputEvents events;
  events.given = KeyPress{SDL_SCANCODE_9, true};
  handlePanelInput(context, events);
  EXPECT_FALSE(context.ui.pages.asksForKey);
  EXPECT_EQ(currentKeys().find({SDL_SCANCODE_9, true})->action, Action::Wireframe);
  EXPECT_TRUE(context.toasts.contains(commandOf(Action::Wireframe).title));
  // A key that nobody asked for changes nothing
  events.given = KeyPress{SDL_SCANCODE_8, true};
  context.ui.pages.asksForKey = true;
  handlePanelInput(context, events);
  EXPECT_FALSE(context.ui.pages.asksForKey);
  EXPECT_NE(currentKeys().find({SDL_SCANCODE_8, true})
                ? currentKeys().find({SDL_SCANCODE_8, true})->action
                : Action::Unnamed,
            Action::Wireframe);
  // Arrow keys go through its rows
  InputEvents enter;
  enter.panelKeys = {PanelKey::Enter};
  context.panels.keys.show(editor.controls(), rowOf("back to the panel"));
  handlePanelInput(context, enter);
  EXPECT_FALSE(context.ui.pages.keyPage);
  openKeyPage(context);
  EXPECT_FALSE(editor.left()) << "it starts from the beginning";
  context.panels.selection = ControlInput{rowOf("wireframe"), 0, {}, 0};
  handlePanelInput(context, {});
  ASSERT_TRUE(editor.asks());
  closeKeyPage(context);
  EXPECT_FALSE(editor.asks());
  EXPECT_FALSE(context.ui.pages.asksForKey);
  EXPECT_FALSE(context.ui.pages.keyPage);
  useKeys({});
}

/// Layouts for one hand add keys; the default ones remain where nothing else needs them.
TEST(KeyLayouts, KeepTheDefaultKeysBeside) {
  const KeyMap usual, right = keyLayouts()[2].keys();
  for (const Action action : {Action::ThrustForward, Action::YawLeft, Action::Pause}) {
    const auto keys = right.of(action);
    ASSERT_GT(keys.size(), 1u);
    for (const KeyPress& key : usual.of(action))
      EXPECT_NE(std::ranges::find(keys, key), keys.end()) << localKeyName(key);
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
