// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <array>

#include "fly/flight_loop.h"

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

/// Whether a key has an effect on what flies, which in a replay is fixed.
bool changesFlight(Action action) noexcept {
  using enum Action;
  for (const Action flies : {Restart, NewSeed, Run, SplitView, NextLeftMethod, ExactGhost, Tour})
    if (action == flies) return true;
  return std::ranges::any_of(keyBindings(), [action](const KeyBinding& binding) {
    return binding.action == action && binding.group == KeyGroup::Detection;
  });
}

}  // namespace

/// What a key does when it goes down.
struct FlightLoop::KeyEffects {
  struct Row {
    Action action;
    void (*apply)(FlightLoop& loop);
    bool alwaysHeeded = false;  ///< even where nothing flies yet
  };
  [[nodiscard]] static const Row* find(Action action) noexcept;

 private:
  template <int level>
  static void cap(FlightLoop& loop) {
    loop.ui_.levelCap = level;
    loop.say("cap", capWords(level));
  }
  /// The next of the options that the panel offers.
  template <Action key>
  static void chooseNext(FlightLoop& loop) {
    loop.chooseNext(key);
  }
  static void scroll(FlightLoop& loop, float lines) { loop.ui_.scroll += lines; }
};

const FlightLoop::KeyEffects::Row* FlightLoop::KeyEffects::find(Action action) noexcept {
  using enum Action;
  using Loop = FlightLoop&;
  static constexpr std::array rows{
      Row{StopRotation,
          [](Loop loop) {
            const double now = loop.wallSeconds();
            loop.ui_.stick = glm::vec2(0.0f);
            loop.stopShip_ = now - loop.lastStopKey_ < doublePressSeconds;
            loop.lastStopKey_ = loop.stopShip_ ? -1.0 : now;
            loop.say("stop", loop.stopShip_ ? "the ship stops" : "the ship stops turning");
          }},
      Row{FineControl,
          [](Loop loop) {
            loop.ui_.fineControl = !loop.ui_.fineControl;
            loop.say("fine", loop.ui_.fineControl ? "fine control: on" : "fine control: off");
          }},
      Row{MouseSteering,
          [](Loop loop) {
            loop.ui_.mouseSteering = !loop.ui_.mouseSteering;
            loop.say("mouse", loop.ui_.mouseSteering
                                  ? "the mouse steers: move it away from the middle"
                                  : "the mouse no longer steers");
          }},
      Row{Pause,
          [](Loop loop) {
            if (loop.tour_) {
              loop.nextStop();
              return;
            }
            loop.ui_.paused = !loop.ui_.paused;
            loop.ui_.stepsAsked = 0;
          }},
      Row{Step,
          [](Loop loop) {
            loop.ui_.stepsAsked += loop.ui_.paused ? 1 : 0;
            loop.ui_.paused = true;
          }},
      Row{StepBack,
          [](Loop loop) {
            loop.ui_.paused = true;
            if (loop.flight_->player())
              --loop.ui_.stepsAsked;
            else
              loop.say("replay", fmt::format("only a replay steps back: {} records a flight",
                                             firstKeyName(RecordSession)));
          }},
      Row{Slower, [](Loop loop) { loop.changeSpeed(loop.ui_.speedExponent - 1); }},
      Row{Faster, [](Loop loop) { loop.changeSpeed(loop.ui_.speedExponent + 1); }},
      Row{NormalSpeed, [](Loop loop) { loop.changeSpeed(0); }},
      Row{Restart, [](Loop loop) { loop.restart(loop.flight_->scene().seed); }},
      Row{NewSeed,
          [](Loop loop) { loop.restart(SplitMix(loop.flight_->scene().seed).bits() % 1000000); }},
      Row{Run, [](Loop loop) { loop.toggleRun(); }},
      Row{NextMethod, chooseNext<NextMethod>},
      Row{NextBroadPhase, chooseNext<NextBroadPhase>},
      Row{NextNarrowPhase, chooseNext<NextNarrowPhase>},
      Row{SplitView, [](Loop loop) { loop.toggleSplit(); }},
      Row{NextLeftMethod, [](Loop loop) { loop.nextLeftMethod(); }},
      Row{ExactGhost, [](Loop loop) { loop.toggleGhost(); }},
      Row{NextOrder, chooseNext<NextOrder>},
      Row{NextTree, chooseNext<NextTree>},
      Row{CapNone, cap<Detector::noLevelCap>},
      Row{Cap1, cap<1>},
      Row{Cap2, cap<2>},
      Row{Cap3, cap<3>},
      Row{Cap4, cap<4>},
      Row{Cap5, cap<engine::exactDepth>},
      Row{BudgetDown,
          [](Loop loop) {
            lowerBudget(loop.ui_, loop.automaticBudget());
            loop.say("budget", "budget " + engine::budgetText(loop.userBudget()));
          }},
      Row{BudgetUp,
          [](Loop loop) {
            raiseBudget(loop.ui_, loop.automaticBudget());
            loop.say("budget", "budget " + engine::budgetText(loop.userBudget()));
          }},
      Row{EraMode,
          [](Loop loop) {
            loop.ui_.eraMode = !loop.ui_.eraMode;
            if (loop.ui_.eraScale == 1.0) loop.ui_.eraScale = defaultEraScale;
            loop.say("era", loop.ui_.eraMode
                                ? fmt::format("1995: detection has 1/{:.0f} of its time",
                                              loop.ui_.eraScale)
                                : std::string("1995 mode: off"));
          }},
      Row{AsPublished, [](Loop loop) { loop.toggleAsPublished(); }},
      Row{NextResponse, chooseNext<NextResponse>},
      Row{NextCamera, chooseNext<NextCamera>},
      Row{ResetCamera, [](Loop loop) { loop.cameraRig_.reset(); }},
      Row{NextDrawLevel, chooseNext<NextDrawLevel>},
      Row{Wireframe, [](Loop loop) { loop.ui_.wireframe = !loop.ui_.wireframe; }},
      Row{BoundingSpheres, [](Loop loop) { loop.ui_.boundingSpheres = !loop.ui_.boundingSpheres; }},
      Row{SpaceTimeBounds, [](Loop loop) { loop.toggleSpaceTimeBounds(); }},
      Row{NearestShips,
          [](Loop loop) {
            loop.ui_.nearestShips = !loop.ui_.nearestShips;
            loop.say("nearest", loop.ui_.nearestShips
                                    ? "the plane through two ships: lines of equal distance, whole "
                                      "about the first and dotted about the second"
                                    : "the plane through two ships: off");
          }},
      Row{NextPair,
          [](Loop loop) {
            loop.ui_.picked = nextPair(*loop.flight_, loop.marks_, loop.ui_.picked);
            if (loop.ui_.picked.pair())
              loop.cameraRig_.beginLook();
            else
              loop.toasts_.add("no contact is in sight, and no two ships are near each other",
                               loop.wallSeconds());
          }},
      Row{FlightCues,
          [](Loop loop) {
            loop.ui_.cues = !loop.ui_.cues;
            loop.say("cues", loop.ui_.cues ? "heading and speed: shown" : "heading and speed: off");
          }},
      Row{NextOverlay, chooseNext<NextOverlay>},
      Row{ReduceFlashing,
          [](Loop loop) {
            loop.ui_.reduceFlashing = !loop.ui_.reduceFlashing;
            loop.say("flashing", loop.ui_.reduceFlashing
                                     ? "reduced flashing: hits are outlined and do not glow"
                                     : "reduced flashing: off");
          }},
      Row{Sound,
          [](Loop loop) {
            loop.ui_.muted = !loop.ui_.muted;
            loop.say("sound", loop.ui_.muted ? "sound: off" : "sound: on");
          }},
      Row{Tour, [](Loop loop) { loop.toggleTour(); }},
      Row{Help,
          [](Loop loop) {
            const bool wasOpen = loop.ui_.help;
            loop.ui_.closePages();
            loop.ui_.help = !wasOpen;
          }},
      Row{OpenControls,
          [](Loop loop) {
            // What lies under a page comes to light
            const bool covered = loop.ui_.help || loop.ui_.numbers || loop.ui_.introduction;
            loop.ui_.controls = covered || !loop.ui_.controls;
            loop.ui_.closePages();
            loop.closeKeyPage();
          }},
      Row{Numbers,
          [](Loop loop) {
            const bool wasOpen = loop.ui_.numbers;
            loop.ui_.closePages();
            loop.ui_.numbers = !wasOpen;
          }},
      Row{RecordSession, [](Loop loop) { loop.toggleSession(); }},
      Row{RecordProfile, [](Loop loop) { loop.toggleRecording(); }},
      Row{Photo, [](Loop loop) { loop.togglePhoto(); }},
      Row{Screenshot, [](Loop loop) { loop.screenshotAsked_ = true; }},
      Row{PageUp, [](Loop loop) { scroll(loop, -pageLines); }},
      Row{PageDown, [](Loop loop) { scroll(loop, pageLines); }},
      Row{FullScreen, [](Loop loop) { loop.window_.toggleFullScreen(); }, true},
      Row{Back, [](Loop loop) { loop.close(); }, true},
      Row{Confirm,
          [](Loop loop) {
            if (loop.ui_.quitAsked)
              loop.stop();
            else if (loop.ui_.introduction)
              loop.ui_.introduction = false;
            else if (loop.flight_ && loop.flight_->player())
              loop.takeOverReplay();
          },
          true}};
  const auto* row = std::ranges::find(rows, action, &Row::action);
  return row == rows.end() ? nullptr : row;
}

bool FlightLoop::hasEffect(Action action) noexcept { return KeyEffects::find(action) != nullptr; }

void FlightLoop::apply(Action action) {
  // Questions first: while one is open, the other keys do nothing
  const bool answers = action == Action::Confirm || action == Action::Back;
  if (!failure_.empty()) {
    if (answers) stop();
    return;
  }
  if (ui_.quitAsked && !answers) return;
  if (flight_ && changesFlight(action) && refusedInReplay()) return;
  if (tour_) heedInTour(action);
  press(action);
}

/// What the key does, whoever presses it.
void FlightLoop::press(Action action) {
  const KeyEffects::Row* row = KeyEffects::find(action);
  if (row && (flight_ || row->alwaysHeeded)) row->apply(*this);
}

/// Whether a replay flies, which nothing changes; then the user is told.
bool FlightLoop::refusedInReplay() {
  if (!flight_->player()) return false;
  say("replay", "a replay flies as it was recorded; Enter flies on from here");
  return true;
}

/// Closes what is open, the uppermost first; then asks.
void FlightLoop::close() {
  if (loadingShown())
    changeover_.cancel();
  else if (ui_.quitAsked)
    ui_.quitAsked = false;
  else if (ui_.help)
    ui_.help = false;
  else if (ui_.introduction)
    ui_.introduction = false;
  else if (ui_.numbers)
    ui_.numbers = false;
  else if (beforePhoto_)
    togglePhoto();
  else if (ui_.runEnd)
    ui_.runEnd = ui_.paused = false;
  else if (ui_.controls && ui_.keyPage)
    ui_.keyPage = keyPanel_.closeList();
  else if (ui_.controls)
    ui_.controls = controlPanel_.closeList();
  else if (tour_)
    endTour();
  else if (ui_.picked.a != 0)
    ui_.picked = {};
  else if (ui_.mouseSteering)
    ui_.mouseSteering = false;
  else if (changeover_.growing() && overlay_.showsGrowing())
    changeover_.cancel();
  else if (split_ && split_->growing() && overlay_.showsGrowing())
    split_->cancelGrowing();
  else
    ui_.quitAsked = true;
}

void FlightLoop::toggleSpaceTimeBounds() {
  ui_.spaceTimeBounds = !ui_.spaceTimeBounds;
  const std::string& broad = flight_->broadPhase();
  say("bounds",
      !ui_.spaceTimeBounds ? std::string("space-time bounds: off")
      : flight_->looksAhead()
          ? fmt::format("space-time bounds, which {} detects by", broad)
          : fmt::format("space-time bounds, from the ships' promises; {} uses none", broad));
}

bool FlightLoop::restart(std::uint64_t seed) {
  if (auto restarted = flight_->restart(seed); !restarted) {
    toasts_.add(restarted.error().message, wallSeconds(), Toasts::Kind::Warning);
    return false;
  }
  resetMeasurements();
  ui_.picked = {};
  if (split_) beginSplit();
  if (ghost_) beginGhost();
  // One that flies or has ended is flown again
  if (run_.running() || ui_.runEnd) beginRun();
  return true;
}

}  // namespace nearmiss::app
