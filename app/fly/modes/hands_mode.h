// SPDX-License-Identifier: MIT
/// Moves ships by mouse: the user holds and throws them, places them while paused, and shoots
/// bodies.
#pragma once

#include <nearmiss/math.h>
#include <cstdint>
#include <glm/vec2.hpp>

#include "fly/choices/ui_state.h"
#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

/// Returns true and shows a message if hands have no effect now.
[[nodiscard]] bool refusesHands(FlightContext& context);

class HandsMode : public Mode {
 public:
  /// Returns true while the user holds a ship.
  [[nodiscard]] bool holds() const noexcept { return held_; }
  void shoot(FlightContext& context);

  /// Selects the ship at that pixel for a pull; a click alone picks it.
  bool grab(FlightContext& context, const glm::vec2& at) override;
  bool pull(FlightContext& context, const glm::vec2& by, bool turns) override;
  void letGo(FlightContext& context) override;
  /// Moves the held ship with the pointer, parallel to the picture.
  bool advance(FlightContext& context) override;

 private:
  bool take(FlightContext& context);
  [[nodiscard]] Vec3 placeOf(const FlightContext& context) const;

  std::uint32_t ship_ = 0;  ///< key of the ship; 0: none
  bool held_ = false;
  glm::vec2 pointer_{0.0f}, pulled_{0.0f};  ///< pixels: position, and distance pulled since grab()
  PickedShips pickedBefore_;
  double depth_ = 0.0;  ///< distance from the eye, metres
  Vec3 offset_{0.0};    ///< from the point under the pointer to the ship's origin
  Vec3 place_{0.0};     ///< the last position
  Vec3 velocity_{0.0};  ///< smoothed velocity of the pointer in that plane, m/s
};

}  // namespace nearmiss::app::fly
