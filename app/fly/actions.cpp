// SPDX-License-Identifier: MIT
#include "fly/actions.h"

#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <array>

#include "budget_text.h"
#include "fly/controls.h"
#include "fly/detection_budget.h"
#include "fly/detection_choice.h"

namespace nearmiss::app {
namespace {

constexpr double doublePressSeconds = 0.4;
constexpr float pageLines = 6.0f;
constexpr double defaultEraScale = 250.0;

std::string capWords(int level) {
  if (level > engine::exactDepth) return "detection goes as deep as its time allows";
  if (level == engine::exactDepth) return "detection goes down to the triangles";
  return fmt::format("detection goes down to level {} at most", level);
}

void toggleSpaceTimeBounds(FlightContext& context) {
  context.ui.spaceTimeBounds = !context.ui.spaceTimeBounds;
  const std::string& broad = context.flight().broadPhase();
  context.say(
      "bounds",
      !context.ui.spaceTimeBounds ? std::string("space-time bounds: off")
      : context.flight().looksAhead()
          ? fmt::format("space-time bounds, which {} detects by", broad)
          : fmt::format("space-time bounds, from the ships' promises; {} uses none", broad));
}

}  // namespace

/// What a key does when it goes down.
struct KeyEffects {
  struct Row {
    Action action;
    void (*apply)(FlightContext& context);
    bool alwaysHeeded = false;  ///< even where nothing flies yet
  };
  [[nodiscard]] static const Row* find(Action action) noexcept;

 private:
  template <int level>
  static void cap(FlightContext& context) {
    context.ui.levelCap = level;
    context.say("cap", capWords(level));
  }
  /// The next of the options that the panel offers.
  template <Action key>
  static void chooseNext(FlightContext& context) {
    app::chooseNext(context, key);
  }
  static void scroll(FlightContext& context, float lines) { context.ui.scroll += lines; }
};

const KeyEffects::Row* KeyEffects::find(Action action) noexcept {
  using enum Action;
  static constexpr std::array rows{
      Row{StopRotation,
          [](FlightContext& context) {
            const double now = context.times.wallSeconds();
            context.ui.stick = glm::vec2(0.0f);
            context.steering.stopShip = now - context.steering.lastStopKey < doublePressSeconds;
            context.steering.lastStopKey = context.steering.stopShip ? -1.0 : now;
            context.say("stop",
                        context.steering.stopShip ? "the ship stops" : "the ship stops turning");
          }},
      Row{FineControl,
          [](FlightContext& context) {
            context.ui.fineControl = !context.ui.fineControl;
            context.say("fine", context.ui.fineControl ? "fine control: on" : "fine control: off");
          }},
      Row{MouseSteering,
          [](FlightContext& context) {
            context.ui.mouseSteering = !context.ui.mouseSteering;
            context.say("mouse", context.ui.mouseSteering
                                     ? "the mouse steers: move it away from the middle"
                                     : "the mouse no longer steers");
          }},
      Row{Pause,
          [](FlightContext& context) {
            context.ui.paused = !context.ui.paused;
            context.ui.stepsAsked = 0;
          }},
      Row{Step,
          [](FlightContext& context) {
            context.ui.stepsAsked += context.ui.paused ? 1 : 0;
            context.ui.paused = true;
          }},
      Row{StepBack,
          [](FlightContext& context) {
            context.ui.paused = true;
            context.say("replay", fmt::format("only a replay steps back: {} records a flight",
                                              firstKeyName(RecordSession)));
          }},
      Row{Slower,
          [](FlightContext& context) { changeSpeed(context, context.ui.speedExponent - 1); }},
      Row{Faster,
          [](FlightContext& context) { changeSpeed(context, context.ui.speedExponent + 1); }},
      Row{NormalSpeed, [](FlightContext& context) { changeSpeed(context, 0); }},
      Row{Restart, [](FlightContext& context) { context.restart(context.flight().scene().seed); }},
      Row{NewSeed,
          [](FlightContext& context) {
            context.restart(SplitMix(context.flight().scene().seed).bits() % 1000000);
          }},
      Row{Run, [](FlightContext& context) { context.modes.run.toggle(context); }},
      Row{NextMethod, chooseNext<NextMethod>},
      Row{NextBroadPhase, chooseNext<NextBroadPhase>},
      Row{NextNarrowPhase, chooseNext<NextNarrowPhase>},
      Row{SplitView, [](FlightContext& context) { context.modes.split.toggle(context); }},
      Row{NextLeftMethod,
          [](FlightContext& context) { context.modes.split.nextLeftMethod(context); }},
      Row{ExactGhost, [](FlightContext& context) { context.modes.ghost.toggle(context); }},
      Row{NextOrder, chooseNext<NextOrder>},
      Row{NextTree, chooseNext<NextTree>},
      Row{CapNone, cap<Detector::noLevelCap>},
      Row{Cap1, cap<1>},
      Row{Cap2, cap<2>},
      Row{Cap3, cap<3>},
      Row{Cap4, cap<4>},
      Row{Cap5, cap<engine::exactDepth>},
      Row{BudgetDown,
          [](FlightContext& context) {
            lowerBudget(context.ui, automaticBudget(context));
            context.say("budget", "detection: " + budgetWords(userBudget(context)));
          }},
      Row{BudgetUp,
          [](FlightContext& context) {
            raiseBudget(context.ui, automaticBudget(context));
            context.say("budget", "detection: " + budgetWords(userBudget(context)));
          }},
      Row{EraMode,
          [](FlightContext& context) {
            context.ui.eraMode = !context.ui.eraMode;
            if (context.ui.eraScale == 1.0) context.ui.eraScale = defaultEraScale;
            context.say("era", context.ui.eraMode
                                   ? fmt::format("1995: detection has 1/{:.0f} of its time",
                                                 context.ui.eraScale)
                                   : std::string("1995 mode: off"));
          }},
      Row{AsPublished, [](FlightContext& context) { toggleAsPublished(context); }},
      Row{NextResponse, chooseNext<NextResponse>},
      Row{NextCamera, chooseNext<NextCamera>},
      Row{ResetCamera, [](FlightContext& context) { context.view.rig.reset(); }},
      Row{NextDrawLevel, chooseNext<NextDrawLevel>},
      Row{Wireframe, [](FlightContext& context) { context.ui.wireframe = !context.ui.wireframe; }},
      Row{BoundingSpheres,
          [](FlightContext& context) { context.ui.boundingSpheres = !context.ui.boundingSpheres; }},
      Row{SpaceTimeBounds, [](FlightContext& context) { toggleSpaceTimeBounds(context); }},
      Row{NearestShips,
          [](FlightContext& context) {
            context.ui.nearestShips = !context.ui.nearestShips;
            context.say("nearest",
                        context.ui.nearestShips
                            ? "the plane through two ships: lines of equal distance, whole "
                              "about the first and dotted about the second"
                            : "the plane through two ships: off");
          }},
      Row{NextPair,
          [](FlightContext& context) {
            context.ui.picked = nextPair(context.flight(), context.view.marks, context.ui.picked);
            if (context.ui.picked.pair())
              context.view.rig.beginLook();
            else
              context.note("no contact is in sight, and no two ships are near each other");
          }},
      Row{FlightCues,
          [](FlightContext& context) {
            context.ui.cues = !context.ui.cues;
            context.say("cues",
                        context.ui.cues ? "heading and speed: shown" : "heading and speed: off");
          }},
      Row{NextOverlay, chooseNext<NextOverlay>},
      Row{ReduceFlashing,
          [](FlightContext& context) {
            context.ui.reduceFlashing = !context.ui.reduceFlashing;
            context.say("flashing", context.ui.reduceFlashing
                                        ? "reduced flashing: hits are outlined and do not glow"
                                        : "reduced flashing: off");
          }},
      Row{Sound,
          [](FlightContext& context) {
            context.ui.muted = !context.ui.muted;
            context.say("sound", context.ui.muted ? "sound: off" : "sound: on");
          }},
      Row{Tour, [](FlightContext& context) { context.modes.tour.toggle(context); }},
      Row{Help,
          [](FlightContext& context) {
            const bool wasOpen = context.ui.help;
            context.ui.closePages();
            context.ui.help = !wasOpen;
          }},
      Row{OpenControls,
          [](FlightContext& context) {
            // What lies under a page comes to light
            const bool covered = context.ui.help || context.ui.numbers || context.ui.introduction;
            context.ui.controls = covered || !context.ui.controls;
            context.ui.closePages();
            closeKeyPage(context);
          }},
      Row{Numbers,
          [](FlightContext& context) {
            const bool wasOpen = context.ui.numbers;
            context.ui.closePages();
            context.ui.numbers = !wasOpen;
          }},
      Row{RecordSession, [](FlightContext& context) { toggleSession(context); }},
      Row{RecordProfile, [](FlightContext& context) { toggleRecording(context); }},
      Row{Photo, [](FlightContext& context) { context.modes.photo.toggle(context); }},
      Row{Screenshot, [](FlightContext& context) { context.records.screenshotAsked = true; }},
      Row{PageUp, [](FlightContext& context) { scroll(context, -pageLines); }},
      Row{PageDown, [](FlightContext& context) { scroll(context, pageLines); }},
      Row{FullScreen,
          [](FlightContext& context) {
            if (context.screen.window) context.screen.window->toggleFullScreen();
          },
          true},
      Row{Back, [](FlightContext& context) { closeTopmost(context); }, true},
      Row{Confirm,
          [](FlightContext& context) {
            if (context.ui.quitAsked)
              context.stop();
            else if (context.ui.introduction)
              context.ui.introduction = false;
          },
          true}};
  const auto* row = std::ranges::find(rows, action, &Row::action);
  return row == rows.end() ? nullptr : row;
}

bool hasEffect(Action action) noexcept { return KeyEffects::find(action) != nullptr; }

void apply(FlightContext& context, Action action) {
  // Questions first: while one is open, the other keys do nothing
  const bool answers = action == Action::Confirm || action == Action::Back;
  if (!context.ending.failure.empty()) {
    if (answers) context.stop();
    return;
  }
  if (context.ui.quitAsked && !answers) return;
  for (Mode* mode : context.modes.all())
    if (mode->handle(context, action)) return;
  press(context, action);
}

void press(FlightContext& context, Action action) {
  const KeyEffects::Row* row = KeyEffects::find(action);
  if (row && (context.flies() || row->alwaysHeeded)) row->apply(context);
}

void closeTopmost(FlightContext& context) {
  UiState& ui = context.ui;
  FlightModes& modes = context.modes;
  ScreenPanels& panels = context.panels;
  const bool growingShown = panels.overlay.showsGrowing();
  if (loadingShown(context))
    context.changeover.cancel();
  else if (ui.quitAsked)
    ui.quitAsked = false;
  else if (ui.help)
    ui.help = false;
  else if (ui.introduction)
    ui.introduction = false;
  else if (ui.numbers)
    ui.numbers = false;
  else if (modes.photo.on())
    modes.photo.toggle(context);
  else if (ui.runEnd)
    ui.runEnd = ui.paused = false;
  else if (ui.controls && ui.keyPage)
    ui.keyPage = panels.keys.closeList();
  else if (ui.controls)
    ui.controls = panels.controls.closeList();
  else if (modes.tour.on())
    modes.tour.leave(context);
  else if (ui.picked.a != 0)
    ui.picked = {};
  else if (ui.mouseSteering)
    ui.mouseSteering = false;
  else if (context.changeover.growing() && growingShown)
    context.changeover.cancel();
  else if (modes.split.growing() && growingShown)
    modes.split.cancelGrowing();
  else
    ui.quitAsked = true;
}

}  // namespace nearmiss::app
