// SPDX-License-Identifier: MIT
#include "fly/modes/split/ghost.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <utility>

#include "console/text.h"
#include "fly/flight_context.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

Result<Ghost> Ghost::begin(const Flight& flight) {
  auto exact = flight.branch(narrowPhaseOf(flight));
  if (!exact) return exact.error();
  return Ghost(*std::move(exact));
}

void Ghost::follow(const Flight& flight, const engine::FrameInput& input) {
  engine::FrameInput unhurried = input;
  unhurried.detectionBudget = Clock::Duration::max();
  unhurried.levelCap = Detector::noLevelCap;
  for (const engine::HandAct& act : flight.acts().last()) flight_.acts().add(act);
  (void)flight_.advance(unhurried);

  const auto hurried = flight.output().bodies, exact = flight_.output().bodies;
  last_ = {};
  for (std::size_t i = 0; i < std::min(hurried.size(), exact.size()); ++i) {
    const double apart = glm::distance(hurried[i].pose.position, exact[i].pose.position);
    last_.farthest = std::max(last_.farthest, apart);
    if (i == flight.simulation().userIndex()) last_.own = apart;
  }
  if (course_.size() < ghostFrames)
    course_.push_back(last_);
  else
    course_[std::exchange(next_, (next_ + 1) % ghostFrames)] = last_;
}

std::span<const ShipInstance> Ghost::shipsToDraw(const Flight& flight) {
  // In ship radii: closer ships are indistinguishable, farther ones are not comparable
  constexpr double minApart = 0.02, maxApart = 3.0;
  ships_.clear();
  const auto hurried = flight.output().bodies, exact = flight_.output().bodies;
  const std::size_t user = flight.simulation().userIndex();
  for (std::size_t i = 0; i < std::min(hurried.size(), exact.size()); ++i) {
    const BodyState& body = exact[i];
    const double apart = glm::distance(hurried[i].pose.position, body.pose.position);
    const double radius = body.shape.radius();
    if (apart < minApart * radius || (apart > maxApart * radius && i != user)) continue;
    ShipInstance ship;
    ship.tint = linear(i == user ? palette::own : palette::drone);
    ship.outline = 1.0f;
    ship.outlineColour = srgb(palette::text);
    for (std::uint32_t link = 0; link < linkCount(body); ++link) {
      const Link part = linkOf(body, link);
      ship.shape = part.shape.index();
      ship.pose = part.pose;
      ships_.push_back(ship);
    }
  }
  return ships_;
}

GhostView Ghost::view() const { return {last_, course_, next_}; }

const Vec3& Ghost::ownPlace() const noexcept {
  return flight_.output().bodies[flight_.simulation().userIndex()].pose.position;
}

void GhostMode::toggle(FlightContext& context) {
  if (ghost_) {
    leave();
    context.say("ghost", "exact ghost: off");
    return;
  }
  begin(context);
  if (ghost_)
    context.say("ghost",
                "ghost: the same flight with unlimited time; transparent where it differs");
}

void GhostMode::begin(FlightContext& context) {
  ghost_.reset();
  if (auto begun = Ghost::begin(context.flight()); begun)
    ghost_.emplace(*std::move(begun));
  else
    context.warn(begun.error().message);
}

void GhostMode::beginAgain(FlightContext& context) {
  if (ghost_) begin(context);
}

void GhostMode::labelShips(const FlightContext& context, const Ink& ink, glm::vec2 window) const {
  constexpr double minApart = 0.02;  // in ship radii
  const Flight& flight = context.flight();
  if (!ghost_ || context.ui.view.overlay == OverlayMode::Off ||
      ghost_->ownApart() < minApart * shipRadius(flight))
    return;
  const BodyState& ship = flight.output().bodies[flight.simulation().userIndex()];
  context.view.scene.joinWith(ink, {ship.pose.position, ghost_->ownPlace()},
                              fmt::format("exact result: {} away", gapText(ghost_->ownApart())),
                              window);
}

void GhostMode::describe(FlightContext&, OverlayView& view) {
  if (ghost_) view.modes.ghost = ghost_->view();
}

}  // namespace nearmiss::app::fly
