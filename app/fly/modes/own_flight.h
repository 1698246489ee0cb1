// SPDX-License-Identifier: MIT
/// The user's own flight: one simulation, one view.
#pragma once

#include "fly/choices/ui_state.h"
#include "fly/flight/throttle.h"
#include "fly/loop/frame_times.h"
#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

/// Simulates and draws the flight if no other mode does.
class OwnFlight : public Mode {
 public:
  bool advance(FlightContext& context) override;
  bool draw(FlightContext& context, Canvas& canvas) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;
};

// Common to all flights in the window

/// Returns true if a frame is simulated in this turn: if not paused, or if a single step was
/// requested.
[[nodiscard]] bool consumeStep(UiState& ui) noexcept;
/// Makes the input of the next frame, without the detection budget.
[[nodiscard]] engine::FrameInput frameInput(FlightContext& context, const FrameStep& step);
/// Marks the collisions of the last frame.
void mark(FlightContext& context);
/// Shows sparks and plays sounds for every hit of the last frame. Hits of the user's ship also
/// shake the camera and the controller; in a duel the second ship shakes its own.
void showHits(FlightContext& context);
/// Draws the boost's reserve at the bottom of `area` unless the reserve is full. Returns the
/// remaining area.
Rect drawBoost(const Ink& ink, Rect area, const Throttle& throttle);

}  // namespace nearmiss::app::fly
