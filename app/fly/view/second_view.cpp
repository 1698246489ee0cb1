// SPDX-License-Identifier: MIT
#include <glm/geometric.hpp>

#include <cmath>
#include <utility>

#include "fly/overlay/ink.h"
#include "fly/view/pair_inspection.h"
#include "fly/view/second_view.h"

namespace nearmiss::app {

std::optional<Pose> EyeTrail::before(const Pose& eye, double seconds) {
  constexpr double fastest = 60.0;  // metres per second; what is faster was put elsewhere
  constexpr double leastCosine = 0.97;
  const std::optional<Pose> last = std::exchange(last_, eye);
  if (!last || !(seconds > 0.0)) return std::nullopt;
  const Vec3 moved = eye.position - last->position;
  const double cosine = std::abs(glm::dot(eye.rotation, last->rotation));
  if (glm::length(moved) > fastest * seconds || cosine < leastCosine) return std::nullopt;

  const double times = exposure / seconds;
  Pose before;
  before.position = eye.position - times * moved;
  // Beyond its ends slerp() goes on along the same turn
  before.rotation = glm::normalize(glm::slerp(eye.rotation, last->rotation, times));
  return before;
}

void SecondView::clear() noexcept {
  marks_.clear();
  impacts_.clear();
  rig_ = CameraRig();
}

void SecondView::take(const Flight& flight, double markNow, double lifetime, double wallSeconds) {
  marks_.update(flight, markNow, lifetime);
  (void)impacts_.take(flight.output(), wallSeconds);
}

const DrawFrame& SecondView::compose(const Flight& flight, const UiState& ui, const CameraRig& rig,
                                     double seconds, double wallSeconds) {
  const BodyState& ship = flight.output().bodies[flight.simulation().userIndex()];
  rig_.moveAs(rig);
  rig_.lookAt(focusOf(flight, ui.picked));
  camera_ = rig_.update(ship.pose, ship.shape.radius(), seconds);
  frame_ = scene_.compose(flight, marks_, impacts_, ui, camera_, rig_.seenBy(), wallSeconds);
  const auto before = trail_.before(camera_.pose, seconds);
  if (ui.cues) frame_.eyeBefore = before;
  return frame_;
}

void SecondView::label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
                       const Rect& area, std::span<const Ground> panels) {
  if (ui.overlay == OverlayMode::Off) return;
  scene_.label(ink, marks_, ui, window, panels);
  if (ui.cues) cues_.draw(ink, flight, camera_, rig_.looksAhead(), window, area);
}

}  // namespace nearmiss::app
