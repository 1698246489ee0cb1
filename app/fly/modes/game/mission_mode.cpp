// SPDX-License-Identifier: MIT
#include "fly/modes/game/mission_mode.h"

#include <engine/game/duel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>

#include "console/text.h"
#include "fly/choices/detection_choice.h"
#include "fly/flight_context.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

using engine::Mission;
using engine::MissionKind;
using engine::MissionState;

/// Where the fastest slalom is stored; empty without a home folder.
std::filesystem::path ghostFile(std::uint64_t seed) {
  const std::filesystem::path folder = engine::bestRunsFolder();
  return folder.empty() ? folder : folder / fmt::format("slalom-{}.ghost", seed);
}

std::string_view wordsOf(MissionState state) noexcept {
  switch (state) {
    case MissionState::Won:
      return "won";
    case MissionState::OutOfTime:
      return "out of time";
    case MissionState::Broken:
      return "too many hits";
    case MissionState::Flying:
      break;
  }
  return "";
}

/// The scene of the next mission, then that of the duel, then free flight.
std::string sceneAfter(std::string_view scene) {
  if (scene == engine::Duel::scene) return engine::Scene().name;
  const engine::MissionRules* now = engine::missionOf(scene);
  if (!now) return std::string(engine::missions.front().name);
  return std::string(now == &engine::missions.back() ? engine::Duel::scene : (now + 1)->name);
}

/// Returns true if the picture has marks of the user's flight.
bool hasMarks(const FlightContext& context) noexcept {
  const bool another = context.modes.split.on() || context.modes.tour.on();
  return !another && context.ui.view.overlay != OverlayMode::Off;
}

/// Circles a place in view, with its distance from the user's ship. Near places have no circle.
void circle(const FlightContext& context, const Ink& ink, glm::vec2 window, const Vec3& place) {
  constexpr double near = 5.0;  // metres
  if (!hasMarks(context)) return;
  const Flight& flight = context.flight();
  const BodyState& own = flight.output().bodies[flight.simulation().userIndex()];
  const double distance = glm::distance(own.pose.position, place);
  const Rect area = context.panels.overlay.sceneArea();
  glm::vec2 at;
  if (distance < near || !shows(context.view.camera, window, area, place, at)) return;
  const float em = ink.em(), radius = 1.3f * em;
  ink.circle(at, radius, palette::own, 0.15f * em);
  const std::string words = gapText(distance);
  const Rect ground{at.x + 1.2f * radius, at.y - 0.6f * em,
                    ink.textWidth(words, ink.small()) + 0.6f * em, 1.2f * em};
  ink.fill(ground, palette::panel, 0.8f, 0.25f * em);
  ink.text({ground.x + 0.3f * em, at.y}, words, palette::own, ink.small());
}

}  // namespace

std::optional<EdgeArrow> arrowTo(const Camera& camera, glm::vec2 window, const Rect& area,
                                 const Vec3& place) {
  glm::vec2 at;
  if (shows(camera, window, area, place, at)) return std::nullopt;
  EdgeArrow arrow;
  arrow.way = wayTo(camera, window, area, place);
  arrow.tip = edgeOf(area, arrow.way);
  return arrow;
}

void pointTo(const FlightContext& context, const Ink& ink, glm::vec2 window, const Vec3& place) {
  if (!hasMarks(context)) return;
  const Rect area = context.panels.overlay.sceneArea().inset(ink.em());
  if (const auto arrow = arrowTo(context.view.camera, window, area, place))
    drawArrow(ink, *arrow, 1.4f * ink.em(), palette::own, 1.0f);
}

std::string missionAdvice(const Mission& mission) {
  const MissionState state = mission.state();
  const MissionKind kind = mission.rules().kind;
  if (kind == MissionKind::Docking) {
    if (mission.touchSpeed() >= engine::Bay::dockingSpeed)
      return fmt::format("Brake before you touch: you touched at {:.1f} m/s, {} m/s is the limit.",
                         mission.touchSpeed(), engine::Bay::dockingSpeed);
    if (state != MissionState::Won)
      return "Fly in through the open end of the bay, then let the ship drift to the back wall.";
  }
  if (kind == MissionKind::Salvage && state == MissionState::OutOfTime)
    return "Throw the wreck into the bay from a few metres: it counts once its middle is inside.";
  if (kind == MissionKind::Escape && state == MissionState::Broken)
    return "Keep full thrust and turn across the hunters: they aim at where you will be.";
  if (mission.hits() > 0)
    return fmt::format("Turn earlier before the rocks: {} cost {} points.",
                       mission.hits() == 1 ? "a hit" : fmt::format("{} hits", mission.hits()),
                       -(mission.score().hits().points + mission.score().falseHits().points));
  if (state == MissionState::OutOfTime)
    return "Keep the thrust on through the rings, and look for the next one while you turn.";
  return mission.score().nearMisses().count == 0
             ? "Pass closer to the others: every near miss earns points."
             : "Faster: every second left earns 10 points.";
}

void MissionMode::next(FlightContext& context) {
  context.ui.pages.runEnd = context.ui.pace.paused = false;
  selectScene(context, sceneAfter(context.flight().scene().name));
}

void MissionMode::beginAgain(FlightContext& context) {
  const bool shown = ended() && context.ui.pages.runEnd;
  mission_.reset();
  const Flight& flight = context.flight();
  const engine::MissionRules* rules = engine::missionOf(flight.scene().name);
  if (shown) context.ui.pages.runEnd = context.ui.pace.paused = false;
  if (!rules || !flight.scene().arena.flown || context.replays() || context.modes.split.on())
    return;
  track_ = {flight.scene().seed, {}};
  flownBack_ = false;
  ghost_.reset();
  if (rules->kind == MissionKind::Slalom) ghost_ = engine::readGhost(ghostFile(track_.seed));
  if (ghost_ && ghost_->seed != track_.seed) ghost_.reset();
  mission_.emplace().begin(*rules, flight.output().bodies, flight.simulation().userIndex());
}

void MissionMode::follow(FlightContext& context) {
  if (!on()) return;
  const Flight& flight = context.flight();
  const RunMode& run = context.modes.run;
  flownBack_ = flownBack_ || flight.world().time() < mission_->flown();
  const std::size_t passed = mission_->gatesPassed();
  mission_->setTowed(context.modes.tow.beam().body());
  const std::size_t delivered = mission_->delivered().size();
  const MissionState state =
      mission_->take(flight.output(), flight.simulation().userIndex(), run.passes(), run.hits());
  track_.record(flight.world().time(), flight.output().bodies[flight.simulation().userIndex()].pose,
                state != MissionState::Flying);
  if (mission_->gatesPassed() > passed)
    context.hear({Cue::NearMiss, static_cast<float>(mission_->gatesPassed())});
  if (mission_->delivered().size() > delivered) welcome(context);
  if (state != MissionState::Flying) end(context);
}

/// A piece of wreck has reached the bay.
void MissionMode::welcome(FlightContext& context) {
  const auto delivered = mission_->delivered();
  if (std::ranges::find(delivered, context.modes.tow.beam().body()) != delivered.end())
    context.modes.tow.release();
  context.say("event", fmt::format("wreck {} of {} is in the bay: {:+}", delivered.size(),
                                   engine::Wreck::count, Mission::dockingPoints));
  context.hear({Cue::NearMiss, static_cast<float>(delivered.size())});
}

void MissionMode::end(FlightContext& context) {
  // No rewinding into a mission that is over
  if (engine::FlightPast* past = context.flight().past()) past->clear();
  const Mission& mission = *mission_;
  engine::BestRun run = context.modes.run.result(context);
  setScore(run, mission.score());
  run.points = mission.points();
  engine::StoredRun kept;
  if (flownBack_)
    context.note("flown back: the mission is not among the best runs");
  else
    kept = keepRun(context, run);
  const std::string_view name = mission.rules().name;
  title_ = fmt::format("Mission {}: {}, {} points", name, wordsOf(mission.state()), run.points);
  PageGroup result{"Result", {{"time", fmt::format("{:.1f} s", mission.flown())}}};
  if (mission.rules().kind == MissionKind::Slalom)
    result.rows.push_back(
        {"gates", fmt::format("{} of {}", mission.gatesPassed(), Mission::gateCount)});
  if (mission.rules().kind == MissionKind::Salvage)
    result.rows.push_back(
        {"wrecks", fmt::format("{} of {}", mission.delivered().size(), engine::Wreck::count)});
  raceAgainst(mission, result);
  result.rows.push_back({"hits", fmt::format("{}", mission.hits())});
  result.rows.push_back({"near misses", fmt::format("{}", run.nearMisses)});
  page_ = {std::move(result),
           {"Next time", {{"", missionAdvice(mission)}}},
           bestRunsGroup(kept.table, kept.rank, name)};
  context.modes.passes.finish();
  page_.push_back(passesGroup(context));
  context.ui.pages.runEnd = context.ui.pace.paused = true;
  context.ui.pages.scroll = 0.0f;
}

/// Compares the flight with the ghost, and stores it if it is faster.
void MissionMode::raceAgainst(const Mission& mission, PageGroup& result) {
  if (mission.rules().kind != MissionKind::Slalom || mission.state() != MissionState::Won ||
      flownBack_)
    return;
  if (ghost_) {
    const double ahead = ghost_->seconds() - track_.seconds();
    result.rows.push_back({"your ghost", fmt::format("{:.1f} s {}", std::abs(ahead),
                                                     ahead > 0.0 ? "behind you" : "ahead of you")});
    if (ahead <= 0.0) return;
  }
  // Without a ghost the race is only less fun
  if (const auto file = ghostFile(track_.seed); !file.empty())
    (void)engine::writeGhost(file, track_);
}

std::span<const ShipInstance> MissionMode::ghostShips(const Flight& flight) {
  ghostShips_.clear();
  const auto pose = on() && ghost_ ? ghost_->at(flight.world().time()) : std::nullopt;
  if (!pose) return {};
  const BodyState& own = flight.output().bodies[flight.simulation().userIndex()];
  ShipInstance ship;
  ship.tint = linear(palette::swap);
  ship.outline = 1.0f;
  ship.outlineColour = srgb(palette::swap);
  // Joints are as they are now
  for (std::uint32_t link = 0; link < linkCount(own); ++link) {
    ship.shape = linkOf(own, link).shape.index();
    ship.pose = own.links.empty() ? *pose : composed(*pose, own.links[link].pose);
    ghostShips_.push_back(ship);
  }
  return ghostShips_;
}

std::string MissionMode::line() const {
  if (!on()) return {};
  const Mission& mission = *mission_;
  const std::string left = fmt::format("{:.0f} s and {} hits left", mission.left(),
                                       mission.rules().hull - mission.hits());
  switch (mission.rules().kind) {
    case MissionKind::Slalom:
      return fmt::format("Fly through ring {} of {}: {}.", mission.gatesPassed() + 1,
                         Mission::gateCount, left);
    case MissionKind::Escape:
      return fmt::format("Escape the hunters: {}.", left);
    case MissionKind::Docking:
      return fmt::format("Touch the station inside its bay, slower than {} m/s: {}.",
                         engine::Bay::dockingSpeed, left);
    case MissionKind::Salvage:
      return mission.tows() ? fmt::format("Tow the wreck into the bay, or throw it in [{}]: {}.",
                                          firstKeyName(Action::Shoot), left)
                            : fmt::format("Point the nose at wreck {} of {} and tow it [{}]: {}.",
                                          mission.delivered().size() + 1, engine::Wreck::count,
                                          firstKeyName(Action::Tow), left);
  }
  return {};
}

bool MissionMode::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                        std::span<const Ground>) {
  const Vec3* goal = on() ? mission_->goal() : nullptr;
  if (!goal) return false;
  pointTo(context, ink, window, *goal);
  // Rings need no mark
  if (gates().empty()) circle(context, ink, window, *goal);
  return false;
}

void MissionMode::describe(FlightContext& context, OverlayView& view) {
  if (on()) {
    RunView& run = view.modes.run.emplace();
    run.left = mission_->left();
    run.points = mission_->points();
    run.streak = mission_->score().streak();
    run.times = mission_->score().times();
    line_ = line();
    const std::string_view event = context.modes.run.recentEvent(context.times.wallSeconds());
    run.event = event.empty() ? std::string_view(line_) : event;
    run.level = {0, 0};
  }
  if (ended() && context.ui.pages.runEnd) view.modes.runEnd = {title_, page_};
}

}  // namespace nearmiss::app::fly
