// SPDX-License-Identifier: MIT
#include "fly/modes/tour/tour_mode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// The eye sways to show depth: maximum rate [rad/s], and rate of its changes of direction.
constexpr double swayRate = 0.08, swayTurns = 0.5;
constexpr double slideRate = 0.35;  // of the slider's length per second, by keys

/// The settings of every stop: few panels, unlimited detection time.
UiState plain(const UiState& before) {
  UiState ui;
  ui.view.muted = before.view.muted;
  ui.view.volumes = before.view.volumes;
  ui.view.reduceFlashing = before.view.reduceFlashing;
  ui.view.overlay = OverlayMode::Compact;
  ui.view.drawLevel = DrawLevel::Off;
  ui.view.cues = false;
  ui.view.spotlight = true;
  ui.detection.budget.kind = BudgetKind::Unlimited;
  return ui;
}

}  // namespace

void TourMode::toggle(FlightContext& context) {
  if (tour_)
    leave(context);
  else
    enter(context);
}

void TourMode::enter(FlightContext& context) {
  if (context.modes.duel.duel()) {
    context.say("tour", "a duel has no tour: choose another scene first");
    return;
  }
  const ModelWorker& worker = context.flightManager.worker();
  const bool loading = worker.busy() && !worker.isBuilding();
  const FlightRecords& records = context.records;
  if (context.modes.run.on() || context.flight().calls() || records.recorder.recordsFrames() ||
      filmsScene(context) || loading) {
    context.say("tour", "end the run or the recording first: the tour uses a flight of its own");
    return;
  }
  auto shown = tourFlight(context.flight());
  if (context.warnIfFailed(shown)) return;
  context.modes.photo.leave(context);
  context.modes.split.leave(context);
  context.modes.ghost.leave();
  UiState& ui = context.ui;
  // A result page has paused the flight
  if (std::exchange(ui.pages.runEnd, false)) ui.pace.paused = false;
  ui.pages.help = ui.pages.numbers = ui.pages.messages = false;
  const Method wanted = context.flightManager.requestedMethod();
  FlightView& view = context.view;
  tour_.emplace(BeforeTour{std::move(context.flight()), wanted, ui, view.rig, view.camera,
                           context.times.statistics});
  context.flightManager.flight().emplace(*std::move(shown));
  view.rig = CameraRig();
  encounter_.reset();
  beginStop(context);
}

void TourMode::beginStop(FlightContext& context) {
  way_.reset();
  context.modes.split.leave(context);
  if (context.flightManager.isMethodPending())
    context.show(context.flightManager.setMethod(Method::SphereTree));
  Flight& flight = context.flight();
  // Other trees lead to other flights
  if (encounter_ && trees_ == flight.sharedShapes()) {
    if (context.warnIfFailed(flyTo(flight, *encounter_))) return;
  } else if (auto found = flyToEncounter(flight)) {
    encounter_ = *found;
    trees_ = flight.sharedShapes();
  } else {
    leave(context);
    context.warn(found.error().message);
    return;
  }
  context.resetMeasurements();
  context.times.beginFrame();
  context.ui = plain(context.ui);
  context.ui.view.picked = encounter_->pair;
  const TourStop& stop = tour_->stop();
  context.ui.pace.paused = stop.variable != TourVariable::Budget;
  // Half as fast, so that the pass can be seen
  if (!context.ui.pace.paused) context.ui.pace.speedExponent = -1;
  if (stop.split()) context.ui.view.overlay = OverlayMode::Full;
  level_ = 0;
  for (std::size_t i = 0; i < stop.keyCount; ++i) press(context, stop.keys[i]);
  context.toasts.clear();
  CameraRig& rig = context.view.rig;
  rig.setMode(CameraMode::Orbit);
  const OrbitAngles from = clearView(flight, encounter_->pair);
  rig.face(from.yaw, from.pitch);
  rig.beginLook();
  if (stop.variable == TourVariable::Budget) beginRound(context);
  useSlider(context);
}

void TourMode::showMoment(FlightContext& context, std::uint64_t position) {
  Flight& flight = context.flight();
  if (flight.past()->end() != encounter_->nearest) return;
  if (!way_) {
    if (auto way = engine::Rewinder::begin(*flight.past(), flight.simulation()))
      way_.emplace(*std::move(way));
    else
      return;
  }
  if (way_->position() == position || context.warnIfFailed(way_->goTo(position))) return;
  flight.show(*way_);
  context.view.clearMarks();
  context.inspection.forget();
}

void TourMode::useSlider(FlightContext& context) {
  UiState& ui = context.ui;
  const double place = tour_->place();
  switch (tour_->stop().variable) {
    case TourVariable::Distance:
      showMoment(context, encounter_->at(place));
      break;
    case TourVariable::Level:
      ui.view.drawLevel =
          static_cast<DrawLevel>(static_cast<int>(DrawLevel::Contact) + tourLevelAt(place));
      if (std::exchange(level_, tourLevelAt(place)) == level_) break;
      context.warnIfFailed(detectAgain(context.flight(), *encounter_, level_));
      context.inspection.forget();
      break;
    case TourVariable::Budget:
      ui.detection.budget.kind = BudgetKind::Fixed;
      ui.detection.budget.fixed = tourBudgetAt(place);
      break;
  }
}

void TourMode::beginRound(FlightContext& context) {
  Flight& flight = context.flight();
  tour_->beginRound();
  if (context.warnIfFailed(flyOnFrom(flight, encounter_->first))) return;
  context.view.clearMarks();
  context.times.beginFrame();
  watched_ = flight.past()->end();
  if (!tour_->stop().split()) return;
  const bool bsp = flight.shapes().hasBspTrees();
  HalfChoice exact;
  exact.narrow = bsp ? "bsp" : "sphere-tree";
  exact.budget.kind = BudgetKind::Unlimited;
  context.modes.split.show(context, exact);
}

/// Collects the collisions of the frames flown since the last call, and starts the next round.
void TourMode::watchRound(FlightContext& context) {
  const Flight& flight = context.flight();
  const std::uint64_t flown = flight.past()->end();
  if (flown != watched_) {
    watched_ = flown;
    tour_->watch(flight, encounter_->pair, 1);
  }
  if (const Flight* left = context.modes.split.left()) tour_->watch(*left, encounter_->pair, 0);
  if (flight.world().time() > encounter_->time + Encounter::afterSeconds) beginRound(context);
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
  // The pair and its encounter stay the same
  using enum Action;
  if (action == NextPair || action == Step || action == StepBack || action == Shoot ||
      action == StopRotation) {
    tour_->hold();
    return true;
  }
  const Command& command = commandOf(action);
  if (command.endsTour)
    leave(context);
  else if (!command.isSafeIn(SafeIn::Tour))
    tour_->hold();
  return false;
}

bool TourMode::grab(FlightContext& context, const glm::vec2& at) {
  if (!tour_) return false;
  const Rect& panel = context.panels.overlay.areaOf(Panel::Tour);
  const Rect slider = tourSliderArea(panel, textSize());
  slides_ = panel.shown() && meets(slider, {at.x, at.y, 1.0f, 1.0f});
  if (slides_) tour_->slideTo(double{(at.x - slider.x) / slider.width});
  return slides_ || !context.panels.overlay.takesClick(at);
}

bool TourMode::pull(FlightContext& context, const glm::vec2& by, bool) {
  if (!tour_) return false;
  const Rect slider = tourSliderArea(context.panels.overlay.areaOf(Panel::Tour), textSize());
  if (slides_)
    tour_->slideTo(tour_->place() + double{by.x / std::max(1.0f, slider.width)});
  else
    context.view.rig.drag(double{by.x}, double{by.y});
  return true;
}

bool TourMode::advance(FlightContext& context) {
  UiState& ui = context.ui;
  if (!tour_ || ui.pages.help || ui.pages.numbers || ui.pages.messages || ui.pages.quitQuestion)
    return false;
  CameraRig& rig = context.view.rig;
  const double passed = std::min(context.times.turnSeconds, longestRealFrame);
  engine::ShipControl& sticks = context.steering.control;
  if (sticks.yaw != 0.0) tour_->slideTo(tour_->place() - slideRate * passed * sticks.yaw);
  // The ships of the tour fly by themselves
  if (sticks.thrust != 0.0 || sticks.pitch != 0.0 || sticks.roll != 0.0) tour_->hold();
  sticks = {};
  tour_->pass(passed);
  if (tour_->stop().variable == TourVariable::Budget) watchRound(context);
  useSlider(context);
  if (!tour_->held())
    rig.glide(tour_->stop().distance, swayRate * std::cos(swayTurns * tour_->passed()), passed);
  if (tour_->over()) nextStop(context);
  return false;
}

void TourMode::leave(FlightContext& context) {
  if (!tour_) return;
  way_.reset();
  context.modes.split.leave(context);
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
  before.ui.view.volumes = context.ui.view.volumes;
  before.ui.view.reduceFlashing = context.ui.view.reduceFlashing;
  context.ui = before.ui;
  context.view.rig = before.rig;
}

void TourMode::describe(FlightContext& context, OverlayView& view) {
  if (!tour_) return;
  view.modes.tour = tour_->view(context.flight(), context.ui, context.panels.numbers.flight());
}

}  // namespace nearmiss::app::fly
