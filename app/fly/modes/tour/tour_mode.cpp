// SPDX-License-Identifier: MIT
#include "fly/modes/tour/tour_mode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/modes/tour/tour_stage.h"

namespace nearmiss::app::fly {
namespace {

/// The eye sways to show depth: maximum rate [rad/s], and rate of its changes of direction.
constexpr double swayRate = 0.08, swayTurns = 0.5;

/// The settings of every stop: few panels, unlimited detection time.
UiState plain(const UiState& before) {
  UiState ui;
  ui.view.muted = before.view.muted;
  ui.view.reduceFlashing = before.view.reduceFlashing;
  ui.view.overlay = OverlayMode::Compact;
  ui.view.drawLevel = DrawLevel::Off;
  ui.view.cues = false;
  ui.detection.budget.kind = BudgetKind::Unlimited;
  return ui;
}

bool steers(const engine::ShipControl& control) noexcept {
  return control.thrust != 0.0 || control.yaw != 0.0 || control.pitch != 0.0 || control.roll != 0.0;
}

}  // namespace

void TourMode::toggle(FlightContext& context) {
  if (tour_)
    leave(context);
  else
    enter(context);
}

void TourMode::enter(FlightContext& context) {
  const ModelWorker& worker = context.flightManager.worker();
  const bool loading = worker.busy() && !worker.isBuilding();
  const FlightRecords& records = context.records;
  if (context.modes.run.on() || context.flight().calls() || records.recorder.recordsFrames() ||
      records.film || loading) {
    context.say("tour", "end the run or the recording first: the tour uses a flight of its own");
    return;
  }
  auto shown = tourFlight(context.flight());
  if (context.warnIfFailed(shown)) return;
  context.modes.photo.leave(context);
  context.modes.split.leave(context);
  context.modes.ghost.leave();
  UiState& ui = context.ui;
  ui.pages.help = ui.pages.numbers = ui.pages.runEnd = false;
  const Method wanted = context.flightManager.requestedMethod();
  FlightView& view = context.view;
  tour_.emplace(BeforeTour{std::move(context.flight()), wanted, ui, view.rig, view.camera,
                           context.times.statistics});
  context.flightManager.flight().emplace(*std::move(shown));
  view.rig = CameraRig();
  beginStop(context);
}

void TourMode::beginStop(FlightContext& context) {
  if (context.flightManager.isMethodPending())
    context.show(context.flightManager.setMethod(Method::SphereTree));
  Flight& flight = context.flight();
  auto picked = setStage(flight, tour_->stop().stage);
  // Skip stops whose situation does not occur with these models
  while (!picked && tour_->next(context.view.camera))
    picked = setStage(flight, tour_->stop().stage);
  if (!picked) {
    leave(context);
    return;
  }
  context.resetMeasurements();
  context.times.beginFrame();
  context.ui = plain(context.ui);
  context.ui.view.picked = *picked;
  context.ui.pace.paused = picked->pair();
  const TourStop& stop = tour_->stop();
  for (std::size_t i = 0; i < stop.keyCount; ++i) press(context, stop.keys[i]);
  context.toasts.clear();
  CameraRig& rig = context.view.rig;
  rig.setMode(CameraMode::Orbit);
  if (!picked->pair()) return;
  const OrbitAngles from = clearView(flight, *picked);
  rig.face(from.yaw, from.pitch);
  rig.beginLook();
}

void TourMode::repeatStop(FlightContext& context) {
  if (tour_ && !tour_->held()) beginStop(context);
}

void TourMode::nextStop(FlightContext& context) {
  if (tour_->next(context.view.camera)) {
    beginStop(context);
    return;
  }
  leave(context);
  context.say("tour", localKeyName(Action::Help) + " lists all keys, those of the tour among them");
}

bool TourMode::handle(FlightContext& context, Action action) {
  if (!tour_) return false;
  if (action == Action::Pause) {
    nextStop(context);
    return true;
  }
  const Command& command = commandOf(action);
  if (command.endsTour)
    leave(context);
  else if (!command.isSafeIn(SafeIn::Tour))
    tour_->hold();
  return false;
}

bool TourMode::advance(FlightContext& context) {
  UiState& ui = context.ui;
  if (!tour_ || ui.pages.help || ui.pages.numbers || ui.pages.quitQuestion) return false;
  CameraRig& rig = context.view.rig;
  const double passed = std::min(context.times.turnSeconds, longestRealFrame);
  if (steers(context.steering.control) && (ui.pace.paused || !tour_->held())) {
    // If the user steers, follow the ship from behind
    tour_->hold();
    ui.pace.paused = false;
    ui.view.picked = {};
    rig = CameraRig();
  }
  if (const auto key = tour_->pass(passed)) press(context, *key);
  if (!tour_->held())
    rig.glide(tour_->stop().distance, swayRate * std::cos(swayTurns * tour_->passed()), passed);
  if (tour_->over()) nextStop(context);
  return false;
}

void TourMode::leave(FlightContext& context) {
  if (!tour_) return;
  std::optional<Flight>& flight = context.flightManager.flight();
  const Flight shown = std::move(*flight);
  BeforeTour before = tour_->leave();
  tour_.reset();
  flight.emplace(std::move(before.flight));
  // Trees built meanwhile are for the same models
  if (shown.sharedShapes() != flight->sharedShapes())
    if (auto changed = flight->changeTrees({shown.scene(), shown.sharedShapes()}); !changed)
      context.warn(changed.error().message);
  if (context.flightManager.requestedMethod() != before.wanted)
    context.show(context.flightManager.setMethod(before.wanted));
  context.resetMeasurements();
  context.times.beginFrame();
  context.times.statistics = before.statistics;
  before.ui.view.muted = context.ui.view.muted;
  before.ui.view.reduceFlashing = context.ui.view.reduceFlashing;
  context.ui = before.ui;
  context.view.rig = before.rig;
}

void TourMode::describe(FlightContext& context, OverlayView& view) {
  if (!tour_) return;
  const bool known = view.pair && view.pair->truth;
  view.modes.tour =
      tour_->view(context.flight(), context.ui,
                  known ? std::optional(view.pair->truth->distance.upper) : std::nullopt,
                  context.panels.numbers.flight());
}

}  // namespace nearmiss::app::fly
