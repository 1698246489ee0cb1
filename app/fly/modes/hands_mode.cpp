// SPDX-License-Identifier: MIT
#include "fly/modes/hands_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

constexpr float pullPixels = 5.0f;     // dead zone for a trembling hand
constexpr double handSeconds = 0.06;   // smoothing of the pointer's speed
constexpr double fastestThrow = 30.0;  // m/s

}  // namespace

bool refusesHands(FlightContext& context) {
  if (ReplayMode::refuses(context)) return true;
  if (context.modes.split.on())
    context.say("hands", "ships cannot be moved by hand in split view");
  else if (context.modes.countsPoints())
    context.say("hands", "a run for points is flown without hands");
  else
    return false;
  return true;
}

bool HandsMode::grab(FlightContext& context, const glm::vec2& at) {
  ship_ = 0;
  held_ = false;
  if (context.modes.tour.on() || context.panels.overlay.takesClick(at)) return false;
  const Flight& flight = context.flight();
  // In a split view, a pull is refused later, which requires a selected ship
  const PickedShips there = context.modes.split.on()
                                ? context.modes.split.pick(context, {}, at)
                                : pickAt(flight, {}, context.view.camera, context.screen.width,
                                         context.screen.height, at);
  const std::uint32_t key = there.a;
  const BodyState& own = flight.output().bodies[flight.simulation().userIndex()];
  if (key == 0 || key == own.key) return false;
  ship_ = key;
  pointer_ = at;
  pulled_ = glm::vec2(0.0f);
  pickedBefore_ = context.ui.view.picked;
  return false;
}

bool HandsMode::pull(FlightContext& context, const glm::vec2& by, bool) {
  if (ship_ == 0) return false;
  pointer_ += by;
  pulled_ += by;
  if (held_ || glm::length(pulled_) < pullPixels) return held_;
  if (refusesHands(context)) {
    ship_ = 0;
    return false;
  }
  return take(context);
}

bool HandsMode::take(FlightContext& context) {
  const Flight& flight = context.flight();
  const auto index = indexOf(flight, ship_);
  if (!index) return false;
  const Camera& camera = context.view.camera;
  const Vec3& place = flight.output().bodies[*index].pose.position;
  depth_ = -(glm::conjugate(camera.pose.rotation) * (place - camera.pose.position)).z;
  if (depth_ < camera.nearPlane) return false;
  offset_ = place - unproject(camera, context.screen.width, context.screen.height,
                              pointer_ - pulled_, depth_);
  held_ = true;
  place_ = place;
  velocity_ = Vec3(0.0);
  // The press that started the pull was not a pick
  context.ui.view.picked = pickedBefore_;
  return true;
}

void HandsMode::letGo(FlightContext& context) {
  if (held_ && !context.ui.isFrozen() && glm::length(velocity_) > 0.5)
    context.say("hands", fmt::format("thrown at {:.1f} m/s", glm::length(velocity_)));
  held_ = false;
  ship_ = 0;
}

Vec3 HandsMode::placeOf(const FlightContext& context) const {
  return offset_ + unproject(context.view.camera, context.screen.width, context.screen.height,
                             pointer_, depth_);
}

bool HandsMode::advance(FlightContext& context) {
  if (!held_) return false;
  Flight& flight = context.flight();
  const auto index = indexOf(flight, ship_);
  if (!index || context.replays() || context.modes.split.on() || context.modes.countsPoints()) {
    letGo(context);
    return false;
  }
  const Vec3 place = placeOf(context);
  engine::HandAct act;
  act.ship = ship_;
  act.position = place;
  if (context.ui.isFrozen()) {
    // Placed: the ship keeps its velocity
    act.velocity = flight.output().bodies[*index].velocity;
    if (place == place_) return false;
    context.inspection.forget();
    context.view.cues.forget();
  } else {
    const double passed = std::clamp(context.times.turnSeconds, 1e-3, longestRealFrame);
    const double share = 1.0 - std::exp(-passed / handSeconds);
    velocity_ += share * ((place - place_) / passed - velocity_);
    const double speed = glm::length(velocity_);
    act.velocity = speed > fastestThrow ? velocity_ * (fastestThrow / speed) : velocity_;
  }
  place_ = place;
  flight.simulation().put(act);
  flight.acts().add(act);
  return false;
}

void HandsMode::shoot(FlightContext& context) {
  if (context.modes.split.on()) {
    (void)refusesHands(context);
  } else if (!context.flight().simulation().shots().armed()) {
    context.say("hands", "shooting is off in this flight");
  } else if (context.ui.isFrozen()) {
    context.say("hands", fmt::format("the flight is paused; press {} to let the shot fly",
                                     firstKeyName(Action::Pause)));
  } else if (context.modes.duel.takeShot()) {
    engine::HandAct act;
    act.kind = engine::HandAct::Kind::Shoot;
    context.flight().acts().add(act);
    context.hear(launchSound);
  }
}

}  // namespace nearmiss::app::fly
