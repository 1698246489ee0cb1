// SPDX-License-Identifier: MIT
/// Thrust of the user's ship in attended flights: mass that can be felt, boost, flight assist.
#pragma once

#include <engine/flight/ship.h>
#include <engine/scene/scene_settings.h>
#include <nearmiss/advanced/body_state.h>

namespace nearmiss::app::fly {

/// Limits of the user's ship in attended flights. Compared with engine::briskLimits it gains speed
/// six times as slowly and drifts; full thrust is the boost.
inline constexpr engine::ShipLimits heavyLimits{
    .accelerationMax = 7.2, .reverseMax = 7.2, .turnMax = 1.68, .drag = 0.5};

/// Gives the user's ship these limits, unless the scene has its own.
void makeHeavy(engine::Scene& scene) noexcept;
[[nodiscard]] bool isHeavy(const engine::Scene& scene) noexcept;

/// Converts the thrust stick to thrust. Acts on heavy ships only, by control values, so that
/// recorded sessions contain its effect.
class Throttle {
 public:
  /// Fraction of the full thrust without boost.
  static constexpr double cruiseShare = 0.55;
  /// Speeds that the assist holds at full stick, m/s.
  static constexpr double cruiseSpeed = 4.4, boostSpeed = 7.6;
  /// Seconds of boost in a full reserve, and seconds to refill it.
  static constexpr double boostSeconds = 3.0, refillSeconds = 7.0;

  /// Returns the thrust for a stick in [-1, 1], for a frame of `seconds`. With `assist` it holds a
  /// speed along the nose in proportion to the stick, so that a released stick brakes; without, it
  /// sets the thrust and the ship drifts.
  [[nodiscard]] double apply(double stick, bool boost, bool assist, const BodyState& ship,
                             double seconds) noexcept;
  /// 0 to 1.
  [[nodiscard]] double reserve() const noexcept { return reserve_; }
  /// Returns true if the last thrust was boosted.
  [[nodiscard]] bool boosting() const noexcept { return boosting_; }

 private:
  double reserve_ = 1.0;
  bool boosting_ = false;
  bool empty_ = false;  ///< until the boost is released
};

}  // namespace nearmiss::app::fly
