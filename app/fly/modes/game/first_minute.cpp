// SPDX-License-Identifier: MIT
#include "fly/modes/game/first_minute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "fly/flight_context.h"
#include "fly/modes/game/mission_mode.h"

namespace nearmiss::app::fly {
namespace {

constexpr double thrustSeconds = 0.4, turnSeconds = 0.3, settleSeconds = 1.5, offerSeconds = 30.0;
/// Where the ring is placed, in the ship's axes, metres: ahead, and so far aside that one must
/// turn.
constexpr Vec3 ringPlace{2.0, 1.2, -11.0};
/// Distances, metres, from which a ring counts as lost or missed. Then it is placed again.
constexpr double lost = 30.0, passedBy = 3.0;

std::string withPad(const FlightContext& context, std::string keys, std::string_view pad) {
  if (!context.input.gamepad().connected()) return keys;
  return fmt::format("{} or {}", keys, pad);
}

}  // namespace

void FirstMinute::enter(Lesson lesson) noexcept {
  lesson_ = lesson;
  done_ = 0.0;
  placed_ = false;
}

void FirstMinute::toggle(FlightContext& context) {
  if (on()) return enter(Lesson::Over);
  context.ui.view.overlay = OverlayMode::Player;
  context.ui.view.folded = false;
  begin();
}

/// Ahead, and within the arena.
void FirstMinute::placeRing(const BodyState& own, double arena) noexcept {
  constexpr double inside = 0.75, nearest = 4.0;  // of the radius; metres from the ship
  ring_.centre = transformed(own.pose, ringPlace);
  if (const double out = glm::length(ring_.centre); out > inside * arena)
    ring_.centre *= inside * arena / out;
  if (glm::distance(ring_.centre, own.pose.position) < nearest)
    ring_.centre = -0.5 * own.pose.position;
  ring_.axis = glm::normalize(ring_.centre - own.pose.position);
  from_ = own.pose.position;
  placed_ = true;
}

bool FirstMinute::fliesThrough(const BodyState& own, double arena) {
  const Vec3& place = own.pose.position;
  if (!placed_) placeRing(own, arena);
  if (engine::leadsThrough(ring_, std::exchange(from_, place), place)) return true;
  const Vec3 beyond = place - ring_.centre;
  if (glm::length(beyond) > lost || glm::dot(beyond, ring_.axis) > passedBy) placeRing(own, arena);
  return false;
}

bool FirstMinute::learned(const FlightContext& context, double dt) {
  const engine::ShipControl& control = context.steering.control;
  const auto does = [&](bool now, double enough) {
    if (now) done_ += dt;
    return done_ >= enough;
  };
  switch (lesson_) {
    case Lesson::Thrust:
      return does(control.thrust > 0.0, thrustSeconds);
    case Lesson::Turn:
      return does(std::abs(control.yaw) + std::abs(control.pitch) > 0.1, turnSeconds);
    case Lesson::Ring: {
      // Not beside a user who is still turning
      done_ += dt;
      if (!placed_ && done_ < settleSeconds &&
          std::abs(control.yaw) + std::abs(control.pitch) > 0.1)
        return false;
      const Flight& flight = context.flight();
      return fliesThrough(flight.output().bodies[flight.simulation().userIndex()],
                          flight.world().ships().arena().radius);
    }
    case Lesson::NearMiss:
      return !context.modes.run.passes().empty();
    case Lesson::Hit:
      return !context.modes.run.hits().empty();
    case Lesson::Offer:
      return does(true, offerSeconds);
    case Lesson::Over:
      break;
  }
  return false;
}

void FirstMinute::follow(FlightContext& context) {
  if (!on()) return;
  const double now = context.flight().world().time();
  // The flight may have waited for another mode, or begun again
  const double dt = lastTime_ ? std::clamp(now - *lastTime_, 0.0, 0.2) : 0.0;
  lastTime_ = now;
  if (!learned(context, dt)) return;
  if (lesson_ < Lesson::Offer) context.hear({Cue::NearMiss, static_cast<float>(lesson_) + 1.0f});
  enter(static_cast<Lesson>(static_cast<int>(lesson_) + 1));
}

std::string FirstMinute::line(const FlightContext& context) const {
  using enum Action;
  const auto key = [](Action action) { return firstKeyName(action); };
  const std::string_view skip = " (Enter skips)";
  switch (lesson_) {
    case Lesson::Thrust:
      return fmt::format("Hold {} to thrust.{}", withPad(context, key(ThrustForward), "RT"), skip);
    case Lesson::Turn:
      return fmt::format("Hold {} to turn.{}",
                         withPad(context,
                                 fmt::format("{}, {}, {} or {}", key(YawLeft), key(YawRight),
                                             key(PitchUp), key(PitchDown)),
                                 "the left stick"),
                         skip);
    case Lesson::Ring:
      return fmt::format("Fly through the bright ring.{}", skip);
    case Lesson::NearMiss:
      return fmt::format("Pass a ship closely without touching it: that earns points.{}", skip);
    case Lesson::Hit:
      return fmt::format("Now touch a ship: hits cost points.{}", skip);
    case Lesson::Offer:
      return fmt::format("Play: {}   Tour: {}   Lab: {}", key(Run), key(Tour), key(NextOverlay));
    case Lesson::Over:
      break;
  }
  return {};
}

bool FirstMinute::handle(FlightContext& context, Action action) {
  if (!on() || context.ui.pages.pageOpen()) return false;
  using enum Action;
  if (action == Confirm && context.ui.view.overlay == OverlayMode::Player) {
    enter(static_cast<Lesson>(static_cast<int>(lesson_) + 1));
    return true;
  }
  const bool chosen = action == Run || action == NextMission || action == Tour;
  if (chosen || (lesson_ == Lesson::Offer && action == NextOverlay)) enter(Lesson::Over);
  return false;
}

bool FirstMinute::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                        std::span<const Ground>) {
  if (!gates().empty()) pointTo(context, ink, window, ring_.centre);
  return false;
}

}  // namespace nearmiss::app::fly
