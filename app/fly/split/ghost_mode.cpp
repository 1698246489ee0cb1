// SPDX-License-Identifier: MIT
#include "fly/split/ghost_mode.h"

#include <fmt/format.h>

#include "console/gap_text.h"
#include "fly/flight_context.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {

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
  constexpr double minApart = 0.02;  // ship radii
  const Flight& flight = context.flight();
  if (!ghost_ || context.ui.overlay == OverlayMode::Off ||
      ghost_->ownApart() < minApart * flight.shipRadius())
    return;
  const BodyState& ship = flight.output().bodies[flight.simulation().userIndex()];
  context.view.scene.joinWith(ink, {ship.pose.position, ghost_->ownPlace()},
                              fmt::format("exact result: {} away", gapText(ghost_->ownApart())),
                              window);
}

void GhostMode::describe(FlightContext&, OverlayView& view) {
  if (ghost_) view.ghost = ghost_->view();
}

}  // namespace nearmiss::app
