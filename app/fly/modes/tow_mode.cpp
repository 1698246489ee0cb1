// SPDX-License-Identifier: MIT
#include "fly/modes/tow_mode.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>

#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

constexpr OneShot attachSound{.strength = 0.4f, .loudness = 0.15f};
constexpr OneShot breakSound{.cue = Cue::Electric, .strength = 1.0f, .loudness = 0.3f, .level = 3};

bool salvages(const FlightContext& context) noexcept {
  const engine::Mission* mission = context.modes.mission.mission();
  return context.modes.mission.on() && mission->rules().kind == engine::MissionKind::Salvage;
}

/// Returns true and shows a message if the beam has no effect now.
bool refusesTow(FlightContext& context) {
  return salvages(context) || context.modes.duel.duel() ? ReplayMode::refuses(context)
                                                        : refusesHands(context);
}

void add(FlightContext& context, std::span<const engine::HandAct> acts) {
  for (const engine::HandAct& act : acts) context.flight().acts().add(act);
}

}  // namespace

void TowMode::toggle(FlightContext& context) {
  if (on()) {
    release();
    context.say("tow", "the tow beam is off");
    return;
  }
  if (refusesTow(context)) return;
  // A piece in the bay stays there
  const std::span<const std::uint32_t> excluded =
      salvages(context) ? context.modes.mission.mission()->delivered()
                        : context.modes.duel.notTowed(context.flight());
  const engine::Simulation& simulation = context.flight().simulation();
  if (!beam_.attach(simulation.world().ships(), simulation.userIndex(), excluded)) {
    context.say("tow", fmt::format("nothing to tow: point the nose at a body that can move, from "
                                   "at most {} m",
                                   engine::TowBeam::reach));
    return;
  }
  context.hear(attachSound);
  context.say("tow", line());
}

bool TowMode::throwAhead(FlightContext& context) {
  if (!on()) return false;
  if (context.ui.isFrozen()) {
    context.say("tow", fmt::format("the flight is paused; press {} before you throw",
                                   firstKeyName(Action::Pause)));
    return true;
  }
  context.modes.duel.noteThrow(beam_.body());
  add(context, beam_.throwAhead(context.flight().world().ships()));
  context.hear(launchSound);
  context.say("tow", "thrown");
  return true;
}

void TowMode::addPushes(FlightContext& context, double dt) {
  if (!on()) return;
  add(context, beam_.pull(context.flight().world().ships(), dt));
  if (on()) return;
  context.hear(breakSound);
  context.say("tow", beam_.state() == engine::TowBeam::State::Broken
                         ? "the tow beam broke: it was stretched too far"
                         : "the tow beam is off: its body no longer exists");
}

std::string TowMode::line() const {
  return fmt::format("Towing: [{}] throws the body, [{}] releases it.", firstKeyName(Action::Shoot),
                     firstKeyName(Action::Tow));
}

bool TowMode::advance(FlightContext& context) {
  const FlightModes& modes = context.modes;
  const bool forPoints = modes.run.on() || (modes.mission.on() && !salvages(context));
  if (on() && (context.replays() || modes.split.on() || modes.tour.on() || forPoints)) release();
  return false;
}

}  // namespace nearmiss::app::fly
