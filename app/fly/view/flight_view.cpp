// SPDX-License-Identifier: MIT
#include "fly/view/flight_view.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "fly/overlay/ink.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

std::optional<Pose> EyeTrail::before(const Pose& eye, double seconds) {
  constexpr double maxSpeed = 60.0;  // metres per second; what is faster was put elsewhere
  constexpr double minCosine = 0.97;
  const std::optional<Pose> last = std::exchange(last_, eye);
  if (!last || !(seconds > 0.0)) return std::nullopt;
  const Vec3 moved = eye.position - last->position;
  const double cosine = std::abs(glm::dot(eye.rotation, last->rotation));
  if (glm::length(moved) > maxSpeed * seconds || cosine < minCosine) return std::nullopt;

  const double times = exposure / seconds;
  Pose before;
  before.position = eye.position - times * moved;
  // Beyond its ends slerp() goes on along the same turn
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
}

DrawFrame FlightView::compose(const Flight& flight, const UiState& ui, double seconds, double now) {
  DrawFrame frame = scene.compose(flight, marks, impacts, ui, camera, rig.seenBy(), now);
  const auto before = trail.before(camera.pose, seconds);
  if (ui.view.cues) frame.eyeBefore = before;
  return frame;
}

void FlightView::label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
                       const Rect& area, std::span<const Ground> panels,
                       const std::optional<NearestPoints>& nearest) {
  scene.label(ink, marks, ui, window, panels, nearest);
  if (ui.view.cues && ui.view.overlay != OverlayMode::Off)
    cues.draw(ink, flight, camera, rig.looksAhead(), window, area);
}

}  // namespace nearmiss::app::fly
