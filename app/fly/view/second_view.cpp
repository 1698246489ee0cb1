// SPDX-License-Identifier: MIT
#include "fly/view/second_view.h"

#include "fly/overlay/ink.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app {

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
