// SPDX-License-Identifier: MIT
/// The user's own flight: one detector, one view.
#pragma once

#include "fly/mode.h"
#include "fly/pace.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// The flight that is flown and drawn where no other mode does so.
class OwnFlight : public Mode {
 public:
  bool advance(FlightContext& context) override;
  bool draw(FlightContext& context, Canvas& canvas) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;
};

// What every flight in the window shares

/// True if a frame flies in this turn: not while paused, but for the steps that were asked for.
[[nodiscard]] bool takeStep(UiState& ui) noexcept;
/// The next frame's, all but what detection may have.
[[nodiscard]] engine::FrameInput frameInput(FlightContext& context, const FrameStep& step);
/// Marks the collisions of the last frame.
void mark(FlightContext& context);
/// Sparks and sound of every hit of the last frame; those of the user's ship shake the eye and a
/// controller as well.
void feelHits(FlightContext& context);

}  // namespace nearmiss::app::fly
