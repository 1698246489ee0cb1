// SPDX-License-Identifier: MIT
#include "fly/modes/own_flight.h"

#include <engine/base/threads.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "console/text.h"
#include "fly/choices/detection_budget.h"
#include "fly/flight/wall_assist.h"
#include "fly/flight_context.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;

/// The cone around the last picture of the window.
engine::View viewOf(const Camera& camera, int width, int height) {
  const double up = std::tan(0.5 * camera.fieldOfView);
  const double aside = up * width / std::max(1, height);
  return {camera.pose.position, camera.pose.rotation * Vec3(0.0, 0.0, -1.0),
          1.0 / std::sqrt(1.0 + up * up + aside * aside)};
}

}  // namespace

bool consumeStep(UiState& ui) noexcept {
  if (!ui.isFrozen()) return true;
  if (!ui.pace.paused || ui.pace.pendingSteps == 0) return false;
  --ui.pace.pendingSteps;
  return true;
}

engine::FrameInput frameInput(FlightContext& context, const FrameStep& step) {
  const engine::Scene& scene = context.flight().scene();
  engine::FrameInput input;
  input.control = context.steering.control;
  const engine::Simulation& simulation = context.flight().simulation();
  const BodyState& own = context.flight().output().bodies[simulation.userIndex()];
  if (engine::hasWall(scene))
    input.control =
        steerAwayFromWall(input.control, own, context.flight().world().ships().arena().radius);
  if (isHeavy(scene))
    input.control.thrust = context.steering.throttle.apply(
        input.control.thrust, context.steering.boosts, context.ui.steering.assist, own, step.dt);
  input.stopShip = std::exchange(context.steering.stopShip, false);
  input.dt = step.dt;
  input.detectStep = step.detectStep;
  input.levelCap = context.ui.detection.levelCap;
  input.tighten = scene.tighten;
  input.coherence = scene.coherence;
  input.order = context.ui.detection.order;
  input.response = context.ui.detection.response;
  input.instants = scene.instants;
  input.importance = scene.importance;
  // The camera depends on wall time, which is not repeatable
  if (scene.clock == engine::ClockKind::Wall) {
    const bool halves = context.modes.split.on() || context.modes.duel.splits(context);
    const int width = context.screen.width / (halves ? 2 : 1);
    input.view = viewOf(context.view.camera, width, context.screen.height);
  }
  return input;
}

void mark(FlightContext& context) {
  context.view.marks.update(context.flight(), context.times.markSeconds, markLifetime(context));
}

namespace {

/// `apart`: from the own ship to the hit.
OneShot soundOf(const Impact& impact, bool own, const Vec3& apart, const Camera& camera) {
  OneShot shot;
  shot.cue = impact.proven ? Cue::Metal : Cue::Electric;
  shot.level = static_cast<std::uint8_t>(impact.level);
  shot.strength = static_cast<float>(impact.speed);
  const double square = glm::dot(apart, apart);
  shot.loudness = static_cast<float>(own ? 1.0 : 0.4 / (1.0 + square));
  if (!own && square > 0.0)
    shot.pan = static_cast<float>(glm::dot(apart, camera.pose.rotation * Vec3(1.0, 0.0, 0.0)) /
                                  std::sqrt(square));
  return shot;
}

}  // namespace

void showHits(FlightContext& context) {
  constexpr double fullSpeed = 4.0, maxKick = 0.35;  // m/s, ship radii
  const Flight& flight = context.flight();
  const std::size_t user = flight.simulation().userIndex();
  const Vec3& place = flight.output().bodies[user].pose.position;
  for (const Impact& impact : context.view.impacts.take(flight.output(), pictureSeconds(context))) {
    const bool own = impact.a == user || impact.b == user;
    const Vec3 apart = impact.place - place;
    context.hear(soundOf(impact, own, apart, context.view.camera));
    const double strength = std::clamp(impact.speed / fullSpeed, 0.1, 1.0);
    context.modes.duel.shake(context, impact, strength);
    if (!own) continue;
    if (!context.input.gamepad().secondPlayer()) context.input.gamepad().shake(strength);
    if (!context.ui.view.reduceFlashing)
      context.view.rig.kick((impact.a == user ? maxKick : -maxKick) * strength * impact.normal);
  }
}

Rect drawBoost(const Ink& ink, Rect area, const Throttle& throttle) {
  if (throttle.reserve() >= 1.0 || !area.shown()) return area;
  const float em = ink.em(), name = ink.textWidth("boost", ink.small()) + 0.6f * em;
  const float bar = std::min(12.0f * em, 0.5f * area.width), wide = name + bar + 0.8f * em;
  area.height -= 2.2f * em;
  const Rect ground{area.x + 0.5f * (area.width - wide), area.bottom() + 0.4f * em, wide,
                    1.3f * em};
  ink.fill(ground, palette::panel, 0.8f, 0.25f * em);
  const float middle = ground.y + 0.5f * ground.height;
  ink.text({ground.x + 0.4f * em, middle}, "boost", palette::text, ink.small());
  const auto left = static_cast<float>(throttle.reserve());
  const Rect full{ground.x + 0.4f * em + name, middle - 0.25f * em, bar, 0.5f * em};
  ink.fill(full, palette::slack, 1.0f, 0.15f * em);
  ink.fill({full.x, full.y, left * bar, full.height},
           throttle.boosting() ? palette::own : palette::text, 1.0f, 0.15f * em);
  return area;
}

bool OwnFlight::advance(FlightContext& context) {
  ageMarks(context);
  UiState& ui = context.ui;
  if (!consumeStep(ui)) return true;
  Flight& flight = context.flight();
  FrameTimes& times = context.times;
  const engine::Scene& scene = flight.scene();
  const auto target = targetOf(flight);

  // Single steps have equal lengths
  const bool measured = inRealTime(context) && !ui.pace.paused;
  engine::FrameInput input = frameInput(
      context,
      nextStep(scene, ui.pace.speed(), measured ? times.frameSeconds : std::optional<double>()));
  context.modes.tow.addPushes(context, input.dt);
  context.modes.duel.steer(context, input.dt);
  input.detectionBudget = times.account.allowance(userBudget(context), scene.clock, target);

  times.book(&FrameProfile::input);
  const std::uint64_t preemptionsBefore = engine::preemptions();
  times.profile = flight.advance(input).profile;
  times.profile.preemptions = static_cast<std::uint32_t>(engine::preemptions() - preemptionsBefore);
  times.account.simulated(times.profile, target, std::chrono::steady_clock::now());
  context.modes.ghost.follow(flight, input);
  times.book(&FrameProfile::other);
  times.statistics.missedContacts += flight.output().missedByDriver.size();
  mark(context);
  context.modes.run.follow(context, input.detectionBudget);
  // The flight of a tour is another one
  if (!context.modes.tour.on()) {
    context.modes.passes.follow(context);
    context.modes.first.follow(context);
    context.modes.mission.follow(context);
    context.modes.duel.follow(context);
  }
  showHits(context);
  times.advanced = true;
  return true;
}

bool OwnFlight::draw(FlightContext& context, Canvas& canvas) {
  const Flight& flight = context.flight();
  FlightView& view = context.view;
  const double step = pictureStep(context);
  view.keepIn(context.panels.overlay.cameraArea(), context.screen.width, context.screen.height,
              false);
  view.look(flight, context.ui, step);
  context.modes.tour.ease(view.camera);
  if (const auto error = context.diagram.update(flight, context.ui, view.camera)) {
    context.ui.view.nearestShips = false;
    context.warn(error->message);
  }
  view.scene.showGates(context.modes.tour.on()    ? std::span<const engine::Gate>()
                       : context.modes.first.on() ? context.modes.first.gates()
                                                  : context.modes.mission.gates());
  const engine::TowBeam& beam = context.modes.tow.beam();
  if (beam.on()) view.scene.showBeam(beam.ship(), beam.body());
  view.cues.setTowed(beam.body());
  DrawFrame frame = view.compose(flight, context.ui, step, pictureSeconds(context));
  frame.plane = context.diagram.plane();
  const bool plain = context.modes.ghost.on() || context.modes.tour.on();
  frame.ghosts = view.scene.withGhosts(plain ? context.modes.ghost.shipsToDraw(flight)
                                             : context.modes.mission.ghostShips(flight));
  canvas.draw(flight.sharedShapes(), frame, context.screen.width, context.screen.height);
  context.modes.photo.photograph(context, canvas, frame);
  addToFilm(context, canvas, false);
  return true;
}

bool OwnFlight::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                      std::span<const Ground> grounds) {
  const Flight& flight = context.flight();
  const auto nearest = context.inspection.nearestPoints(flight, context.ui);
  const auto manifold = context.inspection.manifold(flight, context.ui);
  FlightView& view = context.view;
  Rect area = context.panels.overlay.sceneArea();
  if (isHeavy(flight.scene()) && context.ui.view.overlay != OverlayMode::Off)
    area = drawBoost(ink, area, context.steering.throttle);
  area = context.modes.duel.below(context, area);
  view.label(ink, flight, context.ui, window, area, grounds, nearest,
             manifold ? &*manifold : nullptr);
  if (nearest && context.modes.tour.shows(TourFigures::Bound))
    view.scene.joinWith(ink, *nearest,
                        "true gap " + gapText(glm::distance((*nearest)[0], (*nearest)[1])), window);
  if (const auto& gap = context.diagram.gap(); gap && context.ui.view.overlay != OverlayMode::Off)
    view.scene.joinWith(
        ink, {gap->a, gap->b},
        fmt::format("{} in this plane, at least {}", gapText(gap->upper), gapText(gap->lower)),
        window);
  context.modes.ghost.labelShips(context, ink, window);
  return true;
}

void OwnFlight::describe(FlightContext& context, OverlayView& view) {
  if (!context.modes.split.on())
    view.pair = context.inspection.report(context.flight(), context.ui);
}

}  // namespace nearmiss::app::fly
