// SPDX-License-Identifier: MIT
#include "fly/view/flight_view.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "fly/overlay/ink.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

std::optional<Pose> EyeTrail::before(const Pose& eye, double seconds) {
  constexpr double maxSpeed = 60.0;  // m/s; faster motion is a jump
  constexpr double minCosine = 0.97;
  const std::optional<Pose> last = std::exchange(last_, eye);
  if (!last || !(seconds > 0.0)) return std::nullopt;
  const Vec3 moved = eye.position - last->position;
  const double cosine = std::abs(glm::dot(eye.rotation, last->rotation));
  if (glm::length(moved) > maxSpeed * seconds || cosine < minCosine) return std::nullopt;

  const double times = exposure / seconds;
  Pose before;
  before.position = eye.position - times * moved;
  // slerp() also extrapolates
  before.rotation = glm::normalize(glm::slerp(eye.rotation, last->rotation, times));
  return before;
}

void FlightView::clearMarks() noexcept {
  marks.clear();
  impacts.clear();
}

void FlightView::look(const Flight& flight, const UiState& ui, double seconds) {
  const BodyState& ship = flight.output().bodies[flight.simulation().userIndex()];
  rig.lookAt(focusOf(flight, ui.view.picked));
  camera = rig.update(ship.pose, ship.shape.radius(), seconds);
  if (rig.effectiveMode() == CameraMode::Chase)
    camera.pose.position =
        outsideShips(flight.output().bodies, flight.simulation().userIndex(), camera.pose.position);
}

Vec3 outsideShips(std::span<const BodyState> bodies, std::size_t own, Vec3 eye) noexcept {
  constexpr double room = 1.05;  // relative to a ship's radius
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == own) continue;
    const Vec3 from = eye - bodies[i].pose.position;
    const double away = glm::length(from), enough = room * bodies[i].shape.radius();
    if (away >= enough) continue;
    // Move out radially; from the centre upwards
    const Vec3 way = away > 1e-9 ? from / away : Vec3(0.0, 1.0, 0.0);
    eye = bodies[i].pose.position + enough * way;
  }
  return eye;
}

DrawFrame FlightView::compose(const Flight& flight, const UiState& ui, double seconds, double now) {
  DrawFrame frame = scene.compose(flight, marks, impacts, ui, camera, rig.effectiveMode(), now);
  const auto before = trail.before(camera.pose, seconds);
  if (ui.view.cues) frame.eyeBefore = before;
  return frame;
}

void FlightView::label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
                       const Rect& area, std::span<const Ground> panels,
                       const std::optional<NearestPoints>& nearest, const ContactManifold* picked) {
  const auto words = scene.label(ink, marks, ui, window, panels, nearest, picked);
  if (ui.view.cues && ui.view.overlay != OverlayMode::Off)
    cues.draw(ink, flight, camera, rig.looksAhead(), window, area, panels, words,
              ui.view.overlay == OverlayMode::Player);
  else if (ui.view.overlay == OverlayMode::Player)
    (void)cues.look(flight);
}

}  // namespace nearmiss::app::fly
