// SPDX-License-Identifier: MIT
/// Ships in the user's hand: held and thrown by the mouse, placed while the flight is paused; and
/// what the user's own ship shoots.
#pragma once

#include <nearmiss/math.h>
#include <cstdint>
#include <glm/vec2.hpp>

#include "fly/mode.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

class HandsMode : public Mode {
 public:
  /// True while a ship is held.
  [[nodiscard]] bool holds() const noexcept { return held_; }
  void shoot(FlightContext& context);

  /// Notes the ship there, which a pull then takes; clicked alone it is picked as usual.
  bool grab(FlightContext& context, const glm::vec2& at) override;
  bool pull(FlightContext& context, const glm::vec2& by, bool turns) override;
  void letGo(FlightContext& context) override;
  /// What is held follows the pointer in the plane of the view.
  bool advance(FlightContext& context) override;

 private:
  bool take(FlightContext& context);
  [[nodiscard]] Vec3 placeOf(const FlightContext& context) const;

  std::uint32_t ship_ = 0;  ///< its key; 0: none
  bool held_ = false;
  glm::vec2 pointer_{0.0f}, pulled_{0.0f};  ///< pixels: where it is, and the way since it was noted
  PickedShips pickedBefore_;
  double depth_ = 0.0;  ///< metres before the eye
  Vec3 offset_{0.0};    ///< from the point under the pointer to the ship's origin
  Vec3 place_{0.0};     ///< the last
  Vec3 velocity_{0.0};  ///< m/s, of the pointer in that plane, smoothed
};

}  // namespace nearmiss::app::fly
