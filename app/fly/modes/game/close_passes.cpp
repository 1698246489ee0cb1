// SPDX-License-Identifier: MIT
#include "fly/modes/game/close_passes.h"

#include <engine/game/ghost_track.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "console/text.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();
/// Wall seconds per picture of the film.
constexpr double filmStep = 1.0 / 60.0;

/// Returns detection's bound on the distance of two ships, metres; infinite without one.
double boundOf(const engine::FrameOutput& output, std::size_t user, std::size_t ship) {
  if (!output.detection) return none;
  for (const DetectedPair& pair : output.detection->pairs)
    if (std::minmax<std::size_t>(pair.bodies.a, pair.bodies.b) == std::minmax(user, ship))
      return pair.refinement.separationBound;
  return none;
}

}  // namespace

std::string ClosePass::words() const {
  const std::string gap = "true gap " + gapText(miss.distance);
  return std::isfinite(bound) ? fmt::format("bound {}, {}", gapText(bound), gap) : gap;
}

void ClosePasses::clear() {
  recent_.clear();
  pending_.clear();
  best_.clear();
}

void ClosePasses::take(const engine::FrameOutput& output, std::size_t user,
                       std::span<const engine::NearMiss> passes) {
  const std::size_t count = output.bodies.size() - output.shots;
  if (count > maxShips) return;
  const double now = output.profile.simTime;
  // Drop the frames and passes that a rewind has undone
  if (!recent_.empty() && now <= recent_.back().time) {
    const auto undone = [now](const ClosePass& pass) { return pass.miss.time >= now; };
    std::erase_if(recent_, [now](const PosedFrame& each) { return each.time >= now; });
    std::erase_if(pending_, undone);
    std::erase_if(best_, undone);
  }
  // The oldest frame lends its memory to the new one
  PosedFrame frame;
  while (!recent_.empty() && recent_.front().time < now - 2.0 * around) {
    frame = std::move(recent_.front());
    recent_.pop_front();
  }
  frame.time = now;
  frame.poses.clear();
  for (const BodyState& body : output.bodies.first(count)) frame.poses.push_back(body.pose);
  recent_.push_back(std::move(frame));

  for (ClosePass& pass : pending_)
    pass.bound = std::min(pass.bound, boundOf(output, user, pass.miss.ship));
  for (const engine::NearMiss& miss : passes)
    pending_.push_back({miss, boundOf(output, user, miss.ship), {}});
  const auto complete = [&](const ClosePass& pass) { return now >= pass.miss.time + around; };
  for (const ClosePass& pass : pending_)
    if (complete(pass)) keep(pass);
  std::erase_if(pending_, complete);
}

void ClosePasses::finish() {
  for (const ClosePass& pass : pending_) keep(pass);
  pending_.clear();
}

void ClosePasses::keep(const ClosePass& pass) {
  const auto place = std::ranges::upper_bound(
      best_, pass.miss.distance, {}, [](const ClosePass& each) { return each.miss.distance; });
  if (place == best_.end() && best_.size() == most) return;
  ClosePass kept = pass;
  for (const PosedFrame& frame : recent_)
    if (std::abs(frame.time - pass.miss.time) <= around) kept.frames.push_back(frame);
  // If ships stay close for long, the pass is reported after its frames were dropped
  if (kept.frames.empty()) return;
  best_.insert(place, std::move(kept));
  if (best_.size() > most) best_.pop_back();
}

PageGroup passesGroup(const FlightContext& context) {
  PageGroup group{"Closest passes", {}};
  for (const ClosePass& pass : context.modes.passes.passes().best())
    group.rows.push_back({fmt::format("{:.1f} s", pass.miss.time), pass.words()});
  group.rows.push_back(group.rows.empty() ? PageRow{"none", "fly closer to the others"}
                                          : PageRow{"Enter", "replays them in slow motion"});
  return group;
}

void PassReplay::clear(FlightContext& context) {
  leave(context);
  passes_.clear();
}

void PassReplay::follow(FlightContext& context) {
  const Flight& flight = context.flight();
  if (context.modes.run.on() || context.modes.mission.on())
    passes_.take(flight.output(), flight.simulation().userIndex(), context.modes.run.passes());
}

void PassReplay::show(FlightContext& context, std::size_t pass) {
  if (!on()) {
    rig_ = context.view.rig;
    picked_ = context.ui.view.picked;
  }
  const auto& bodies = context.flight().output().bodies;
  const ClosePass& next = passes_.best()[pass];
  // While a pass is shown, the flight's bodies are these
  if (!on()) bodies_.assign(bodies.begin(), bodies.end());
  shown_ = pass;
  time_ = next.frames.front().time;
  context.ui.pages.runEnd = false;
  context.ui.view.picked = {bodies[context.flight().simulation().userIndex()].key,
                            bodies[next.miss.ship].key};
  context.view.rig.beginLook();
  place(context);
}

void PassReplay::leave(FlightContext& context) {
  if (!on()) return;
  endFilm(context);
  shown_.reset();
  context.flight().showBodies(context.flight().world().states());
  context.view.rig = rig_;
  context.ui.view.picked = picked_;
  context.ui.pages.runEnd = true;
}

bool PassReplay::handle(FlightContext& context, Action action) {
  OpenPages& pages = context.ui.pages;
  if (pages.help || pages.numbers || pages.quitQuestion) return false;
  if (!on()) {
    const bool starts =
        action == Action::Confirm && pages.runEnd && !passes_.best().empty() && !context.replays();
    if (starts) show(context, 0);
    return starts;
  }
  if (action == Action::Confirm) {
    endFilm(context);
    if (*shown_ + 1 < passes_.best().size())
      show(context, *shown_ + 1);
    else
      leave(context);
    return true;
  }
  if (action == Action::RecordSession) {
    toggleFilm(context);
    return true;
  }
  const Command& command = commandOf(action);
  if (command.isSafeIn(SafeIn::All) || action == Action::NextOverlay) return false;
  leave(context);
  return action == Action::Back;
}

bool PassReplay::advance(FlightContext& context) {
  if (!on()) return false;
  const ClosePass& pass = passes_.best()[*shown_];
  const double passed = filming_ ? filmStep : std::min(context.times.turnSeconds, longestRealFrame);
  time_ += speed * passed;
  if (time_ > pass.frames.back().time) {
    // Again from the start; a film has it once
    endFilm(context);
    time_ = pass.frames.front().time;
  }
  place(context);
  context.times.advanced = filming_;
  return true;
}

/// Puts the ships between two frames.
void PassReplay::place(FlightContext& context) {
  const std::vector<PosedFrame>& frames = passes_.best()[*shown_].frames;
  const auto after = std::ranges::upper_bound(frames, time_, {}, &PosedFrame::time);
  const std::size_t to =
      std::min(static_cast<std::size_t>(after - frames.begin()), frames.size() - 1);
  const PosedFrame& b = frames[to];
  const PosedFrame& a = frames[to > 0 ? to - 1 : 0];
  const double share =
      b.time > a.time ? std::clamp((time_ - a.time) / (b.time - a.time), 0.0, 1.0) : 0.0;
  for (std::size_t i = 0; i < std::min(bodies_.size(), a.poses.size()); ++i)
    bodies_[i].pose = engine::interpolate(a.poses[i], b.poses[i], share);
  context.flight().showBodies(bodies_);
}

void PassReplay::toggleFilm(FlightContext& context) {
  if (filming_) return endFilm(context);
  if (context.records.film) return;  // by an option
  file_ = freshFile("nearmiss-pass", ".y4m").string();
  auto film = Film::begin(file_, context.screen.width, context.screen.height, filmStep);
  if (context.warnIfFailed(film)) return;
  context.records.film.emplace(*std::move(film));
  filming_ = true;
  time_ = passes_.best()[*shown_].frames.front().time;
  context.say("film", "the pass is filmed once from its start");
}

void PassReplay::endFilm(FlightContext& context) {
  if (!std::exchange(filming_, false) || !context.records.film) return;
  const bool failed = context.warnIfFailed(context.records.film->end());
  context.records.film.reset();
  if (!failed) noteFile(context, "film:", file_);
}

std::string PassReplay::line() const {
  if (!on()) return {};
  return fmt::format("Pass {} of {} at 1/8 speed: {}. Enter: next, {}: film.", *shown_ + 1,
                     passes_.best().size(), passes_.best()[*shown_].words(),
                     firstKeyName(Action::RecordSession));
}

bool PassReplay::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                       std::span<const Ground>) {
  if (!on() || context.ui.view.overlay == OverlayMode::Off) return false;
  const Flight& flight = context.flight();
  const ClosePass& pass = passes_.best()[*shown_];
  const DistanceBounds gap =
      surroundings_.between(bodies_[flight.simulation().userIndex()], bodies_[pass.miss.ship],
                            flight.shapes().collision());
  context.view.scene.joinWith(ink, {gap.pointA, gap.pointB}, "gap " + gapText(gap.upper), window);
  if (context.ui.view.overlay == OverlayMode::Player) return true;
  const std::string words = line();
  const float wide = ink.textWidth(words) + ink.em();
  const Rect plain{0.5f * (window.x - wide), 0.8f * window.y, wide, 1.5f * ink.em()};
  ink.fill(plain, palette::panel, 0.85f, 0.25f * ink.em());
  ink.text({plain.x + 0.5f * ink.em(), plain.y + 0.75f * ink.em()}, words);
  return true;
}

}  // namespace nearmiss::app::fly
