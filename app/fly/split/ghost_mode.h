// SPDX-License-Identifier: MIT
/// The exact ghost in the window, beside the user's flight or the right half of a split view.
#pragma once

#include <optional>

#include "fly/mode.h"
#include "fly/split/ghost.h"

namespace nearmiss::app {

class GhostMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return ghost_.has_value(); }
  void toggle(FlightContext& context);
  void leave() noexcept { ghost_.reset(); }
  /// From where the flight stands; nothing where it is off.
  void beginAgain(FlightContext& context);
  /// Flies the frame that `flight` has just flown of that input.
  void follow(const Flight& flight, const engine::FrameInput& input) {
    if (ghost_) ghost_->follow(flight, input);
  }
  /// As Ghost::shipsBeside(); none where it is off.
  [[nodiscard]] std::span<const ShipInstance> shipsBeside(const Flight& flight) {
    return ghost_ ? ghost_->shipsBeside(flight) : std::span<const ShipInstance>();
  }
  /// Says how far the user's two ships are apart.
  void labelShips(const FlightContext& context, const Ink& ink, glm::vec2 window) const;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void begin(FlightContext& context);

  std::optional<Ghost> ghost_;
};

}  // namespace nearmiss::app
