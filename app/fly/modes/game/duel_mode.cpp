// SPDX-License-Identifier: MIT
#include "fly/modes/game/duel_mode.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

using engine::Duel;
using engine::DuelState;

}  // namespace

bool DuelMode::shown(const FlightContext& context) const noexcept {
  const FlightModes& modes = context.modes;
  return duel_ && context.hasFlight() && !context.replays() && !modes.tour.on() &&
         !modes.bench.on();
}

bool DuelMode::splits(const FlightContext& context) const noexcept {
  return shown(context) && (second_.human() || context.ui.view.twoViews) &&
         !context.modes.photo.on();
}

void DuelMode::beginAgain(FlightContext& context) {
  const bool page = ended() && context.ui.pages.runEnd;
  duel_.reset();
  second_.release();
  if (page) context.ui.pages.runEnd = context.ui.pace.paused = false;
  const Flight& flight = context.flight();
  const auto bodies = flight.output().bodies;
  const std::size_t user = flight.simulation().userIndex();
  if (flight.scene().name != Duel::scene || !flight.scene().arena.flown || context.replays() ||
      context.modes.split.on() || bodies.size() <= Duel::rival || user == Duel::rival)
    return;
  duel_.emplace().begin(bodies, user, Duel::rival);
  second_ = SecondPlayer();
  (void)second_.choose(context.input.gamepad());
  twoPeople_ = second_.human();
  flownBack_ = shot_ = false;
  view_.begin(Duel::rival);
  // Points are for normal speed
  context.ui.pace.speedExponent = 0;
  sayWhoFlies(context);
}

void DuelMode::sayWhoFlies(FlightContext& context) const {
  context.say("controller",
              second_.human()
                  ? fmt::format("a duel of two players: the controller steers the second ship; {} "
                                "shows its buttons",
                                localKeyName(Action::Help))
                  : std::string("a duel against the computer; connect a controller for a second "
                                "player"));
}

bool DuelMode::advance(FlightContext& context) {
  if (!shown(context)) return false;
  const Gamepad& pad = context.input.gamepad();
  if (pad.held(PadButton::ResetCamera)) view_.second().rig.reset();
  if (!second_.choose(pad)) return false;
  twoPeople_ = twoPeople_ || second_.human();
  sayWhoFlies(context);
  return false;
}

void DuelMode::steer(FlightContext& context, double dt) {
  if (!shown(context)) return;
  Flight& flight = context.flight();
  if (flight.world().time() < duel_->time()) {
    duel_->flyBack(flight.world().time());
    second_.release();
    flownBack_ = true;
  }
  second_.act(flight, *duel_, context.input.gamepad(), notTowed(flight), dt);
  if (second_.launched()) context.hear(launchSound);
}

void DuelMode::follow(FlightContext& context) {
  if (!duel_) return;
  const Flight& flight = context.flight();
  const bool flying = on();
  const engine::DuelHit* last = duel_->lastHit();
  const Real before = last ? last->time : -1.0;
  const DuelState state = duel_->take(flight.output(), flight.acts().last());
  shot_ = false;
  view_.follow(context);
  last = duel_->lastHit();
  if (last && last->time > before)
    context.hear({Cue::NearMiss, static_cast<float>(duel_->hits(last->player).total())});
  if (flying && state != DuelState::Flying) end(context);
}

bool DuelMode::takeShot() noexcept {
  if (!duel_) return true;
  return duel_->mayShoot(0) && !std::exchange(shot_, true);
}

void DuelMode::noteThrow(std::uint32_t body) {
  if (duel_) duel_->noteThrow(0, body);
}

std::span<const std::uint32_t> DuelMode::notTowed(const Flight& flight) {
  if (!duel_) return {};
  const auto bodies = flight.output().bodies;
  notTowed_ = {bodies[duel_->ship(0)].key, bodies[duel_->ship(1)].key};
  std::size_t count = 2;
  for (const BodyState& shot : bodies.subspan(shipsOf(flight).size()))
    if (count < notTowed_.size()) notTowed_[count++] = shot.key;
  return std::span(notTowed_).first(count);
}

void DuelMode::shake(FlightContext& context, const Impact& impact, double strength) {
  constexpr double maxKick = 0.35;  // ship radii
  if (!shown(context)) return;
  const std::size_t ship = duel_->ship(1);
  if (impact.a != ship && impact.b != ship) return;
  if (second_.human()) context.input.gamepad().shake(strength);
  if (!context.ui.view.reduceFlashing)
    view_.second().rig.kick((impact.a == ship ? maxKick : -maxKick) * strength * impact.normal);
}

std::string DuelMode::event(const FlightContext& context) const {
  constexpr Real recent = 2.0;  // simulation seconds
  if (context.ui.pace.paused && !context.ui.pages.runEnd)
    return fmt::format("Paused: {} flies on", firstKeyName(Action::Pause));
  if (const engine::DuelHit* hit = duel_->lastHit(); hit && duel_->time() < hit->time + recent)
    return fmt::format("{} hits with a {}", names()[hit->player], hit->thrown ? "rock" : "shot");
  if (const Real left = Duel::warmUp - duel_->time(); left > 0.0)
    return fmt::format("Weapons are ready in {:.0f} s", std::ceil(left));
  return {};
}

DuelFacts DuelMode::facts(const FlightContext& context) const {
  return {*duel_, names(), event(context), second_.human() ? &second_.throttle() : nullptr};
}

std::string DuelMode::line(const FlightContext& context) const {
  if (!on()) return {};
  if (context.modes.tow.on()) return context.modes.tow.line();
  return fmt::format("Hit {} {} times: [{}] shoots, [{}] tows a rock to throw.",
                     second_.human() ? "Player 2" : "the computer",
                     Duel::goal - duel_->hits(0).total(), firstKeyName(Action::Shoot),
                     firstKeyName(Action::Tow));
}

Rect DuelMode::below(const FlightContext& context, const Rect& area) const {
  const bool scored = shown(context) && !splits(context);
  return scored && context.ui.view.overlay != OverlayMode::Off ? belowScore(area, textSize())
                                                               : area;
}

void DuelMode::addShipAreas(const FlightContext& context, glm::vec2 window,
                            std::vector<Rect>& out) const {
  if (splits(context)) return view_.addShipAreas(context, window, out);
  context.view.addShipAreas(context.flight(), window, 0.0f, out);
  const Rect score = scorePlace(context.panels.overlay.sceneArea(), textSize());
  if (score.shown()) out.push_back(score);
}

bool DuelMode::grab(FlightContext& context, const glm::vec2& at) {
  return splits(context) && !context.panels.overlay.takesClick(at);
}

bool DuelMode::draw(FlightContext& context, Canvas& canvas) {
  if (!splits(context)) return false;
  view_.draw(context, canvas);
  return true;
}

bool DuelMode::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                     std::span<const Ground> grounds) {
  if (!shown(context)) return false;
  if (splits(context)) {
    view_.label(context, ink, window, grounds, facts(context));
    return true;
  }
  if (context.ui.view.overlay == OverlayMode::Off) return false;
  context.view.cues.leaveOut(duel_->ship(1));
  const Rect& area = context.panels.overlay.sceneArea();
  const DuelFacts now = facts(context);
  const OtherMark mark =
      markOf(ink, context.view, context.flight(), window, belowScore(area, ink.em()), now, 0);
  std::vector<Ground> taken(grounds.begin(), grounds.end());
  if (mark.plate.shown()) taken.push_back({mark.plate, palette::panel});
  // Score and name lie above the marks of the flight
  (void)context.modes.own.label(context, ink, window, taken);
  drawScore(ink, area, now, 0);
  drawMark(ink, mark, 0);
  return true;
}

void DuelMode::end(FlightContext& context) {
  // No rewinding into a duel that is over
  if (engine::FlightPast* past = context.flight().past()) past->clear();
  title_ = duelTitle(*duel_, names());
  page_ = duelPage(*duel_, names(), twoPeople_);
  engine::BestRun run = context.modes.run.result(context);
  run.points = duel_->points(0);
  run.hits = duel_->hits(1).total();
  if (flownBack_)
    context.note("flown back: the duel is not among the best runs");
  else if (!twoPeople_) {
    const engine::StoredRun kept = keepRun(context, run);
    page_.push_back(bestRunsGroup(kept.table, kept.rank, Duel::scene));
  }
  context.ui.pages.runEnd = context.ui.pace.paused = true;
  context.ui.pages.scroll = 0.0f;
}

void DuelMode::describe(FlightContext& context, OverlayView& view) {
  view.modes.twoViews = splits(context);
  if (ended() && context.ui.pages.runEnd) view.modes.runEnd = {title_, page_};
}

}  // namespace nearmiss::app::fly
