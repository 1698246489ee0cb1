// SPDX-License-Identifier: MIT
#include "fly/modes/game/player_face.h"

#include <fmt/format.h>

#include <glm/geometric.hpp>

#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

/// The most urgent sentence.
std::string lineOf(const FlightContext& context) {
  using enum Action;
  const FlightModes& modes = context.modes;
  if (modes.passes.on()) return modes.passes.line();
  if (context.replays()) return "A replay: drag the bar to go anywhere.";
  if (context.ui.pace.paused) return fmt::format("Paused: {} flies on.", firstKeyName(Pause));
  if (modes.first.on()) return modes.first.line(context);
  if (const std::string_view event = modes.run.recentEvent(context.times.wallSeconds());
      !event.empty())
    return std::string(event);
  if (modes.mission.on()) return modes.mission.line();
  if (modes.duel.on()) return modes.duel.line(context);
  if (modes.run.on()) return modes.run.line();
  if (modes.tow.on()) return modes.tow.line();
  return fmt::format("Pass ships closely for points; {} starts a run, {} a mission.",
                     firstKeyName(Run), firstKeyName(NextMission));
}

}  // namespace

PlayerView playerView(const FlightContext& context) {
  const Flight& flight = context.flight();
  const BodyState& own = flight.output().bodies[flight.simulation().userIndex()];
  const FlightCues& cues = context.view.cues;
  PlayerView view;
  view.speed = glm::length(own.velocity);
  if (cues.nearest()) view.nearest = cues.nearest()->distance.upper;
  view.contact = cues.contactIn();
  const engine::Mission* mission = context.modes.mission.mission();
  view.points = mission ? mission->points() : context.modes.run.points();
  if (const engine::Duel* duel = context.modes.duel.duel()) view.points = duel->points(0);
  view.line = lineOf(context);
  return view;
}

}  // namespace nearmiss::app::fly
