// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "fly/flight_loop.h"
#include "fly/pace.h"
#include "fly/tour/tour_stage.h"

namespace nearmiss::app {
namespace {

/// The eye sways to show depth: radians a second at most, and how fast it turns back.
constexpr double swayRate = 0.08, swayTurns = 0.5;

/// What every stop starts from: little on the screen, all the time for detection.
UiState plain(const UiState& before) {
  UiState ui;
  ui.muted = before.muted;
  ui.reduceFlashing = before.reduceFlashing;
  ui.overlay = OverlayMode::Compact;
  ui.drawLevel = DrawLevel::Off;
  ui.cues = false;
  ui.budgetMode = BudgetMode::Unlimited;
  return ui;
}

bool steers(const engine::ShipControl& control) noexcept {
  return control.thrust != 0.0 || control.yaw != 0.0 || control.pitch != 0.0 || control.roll != 0.0;
}

/// Whether a key is meant for the user's own flight, so that the tour ends first.
bool leavesTour(Action action) noexcept {
  using enum Action;
  for (const Action leaves :
       {Run, SplitView, NextLeftMethod, ExactGhost, Restart, NewSeed, RecordSession, RecordProfile,
        NextTree, AsPublished, OpenControls, Photo})
    if (action == leaves) return true;
  return false;
}

/// Whether a key changes nothing that a stop shows.
bool leavesStopAlone(Action action) noexcept {
  using enum Action;
  for (const Action harmless : {Pause, Back, Tour, Help, Numbers, PageUp, PageDown, Screenshot,
                                FullScreen, Sound, ReduceFlashing, NextOverlay, Confirm})
    if (action == harmless) return true;
  return false;
}

}  // namespace

void FlightLoop::toggleTour() {
  if (tour_) {
    endTour();
    return;
  }
  const bool loading = changeover_.worker().busy() && !changeover_.worker().growing();
  if (run_.running() || flight_->calls() || recorder_.recording() || loading) {
    say("tour", "the tour has a flight of its own: end the run or the recording first");
    return;
  }
  auto shown = tourFlight(*flight_);
  if (!shown) {
    toasts_.add(shown.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  leaveSplit();
  ghost_.reset();
  ui_.help = ui_.numbers = ui_.runEnd = false;
  const Method wanted = changeover_.wantedMethod();
  tour_.emplace(BeforeTour{std::move(*flight_), wanted, ui_, cameraRig_, camera_, statistics_});
  flight_.emplace(*std::move(shown));
  cameraRig_ = CameraRig();
  beginStop();
}

void FlightLoop::beginStop() {
  if (changeover_.awaitsMethod()) show(changeover_.setMethod(Method::SphereTree));
  auto picked = setStage(*flight_, tour_->stop().stage);
  // Models that never come so near each other: the tour goes on without the stop
  while (!picked && tour_->next(camera_)) picked = setStage(*flight_, tour_->stop().stage);
  if (!picked) {
    endTour();
    return;
  }
  resetMeasurements();
  account_.beginAt(std::chrono::steady_clock::now());
  ui_ = plain(ui_);
  ui_.picked = *picked;
  ui_.paused = picked->pair();
  const TourStop& stop = tour_->stop();
  for (std::size_t i = 0; i < stop.keyCount; ++i) press(stop.keys[i]);
  toasts_.clear();
  cameraRig_.setMode(CameraMode::Orbit);
  if (picked->pair()) {
    const OrbitAngles from = clearView(*flight_, *picked);
    cameraRig_.face(from.yaw, from.pitch);
    cameraRig_.beginLook();
  }
  updateTitle();
}

void FlightLoop::nextStop() {
  if (tour_->next(camera_)) {
    beginStop();
    return;
  }
  endTour();
  say("tour", localKeyName(Action::Help) + " lists all keys, those of the tour among them");
}

/// Before a key of the user's has its effect.
void FlightLoop::heedInTour(Action action) {
  if (leavesTour(action))
    endTour();
  else if (!leavesStopAlone(action))
    tour_->hold();
}

void FlightLoop::followTour() {
  if (ui_.help || ui_.numbers || ui_.quitAsked) return;
  const double passed = std::min(turnSeconds_, longestRealFrame);
  if (steers(control_) && (ui_.paused || !tour_->held())) {
    // Whoever steers flies, from behind the own ship
    tour_->hold();
    ui_.paused = false;
    ui_.picked = {};
    cameraRig_ = CameraRig();
  }
  if (const auto key = tour_->pass(passed)) press(*key);
  if (!tour_->held())
    cameraRig_.glide(tour_->stop().distance, swayRate * std::cos(swayTurns * tour_->passed()),
                     passed);
  if (tour_->over()) nextStop();
}

/// All is as it was before, but for what spares ears and eyes.
void FlightLoop::endTour() {
  const Flight shown = std::move(*flight_);
  BeforeTour before = tour_->leave();
  tour_.reset();
  flight_.emplace(std::move(before.flight));
  // Trees that were built meanwhile are of the same models
  if (shown.sharedShapes() != flight_->sharedShapes())
    if (auto changed = flight_->changeTrees({shown.scene(), shown.sharedShapes()}); !changed)
      toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
  if (changeover_.wantedMethod() != before.wanted) show(changeover_.setMethod(before.wanted));
  resetMeasurements();
  account_.beginAt(std::chrono::steady_clock::now());
  statistics_ = before.statistics;
  before.ui.muted = ui_.muted;
  before.ui.reduceFlashing = ui_.reduceFlashing;
  ui_ = before.ui;
  cameraRig_ = before.rig;
  updateTitle();
}

}  // namespace nearmiss::app
