// SPDX-License-Identifier: MIT
/// The computer as a player of a duel: controls and shots as functions of the state, equal on every
/// machine.
#pragma once

#include <engine/flight/ship.h>
#include <nearmiss/advanced/body_state.h>

#include <cstddef>
#include <span>

namespace nearmiss::engine {

struct DuelPilot {
  /// It shoots at ships whose centre is at most this far away [m].
  static constexpr Real range = 14.0;
  /// It shoots if its nose points to where the shot would hit: minimum cosine of the angle between.
  static constexpr Real aimCosine = 0.98;
  /// Time between two shots, simulation seconds. Longer than that of a player, whose aim is worse.
  static constexpr Real reload = 1.25;
  /// Speed that it holds, m/s.
  static constexpr Real cruise = 4.5;

  /// Returns the controls of ship `own`, which attacks ship `target`: it turns to where a shot
  /// would hit, wanders a little, stays a few metres away, and turns aside before other bodies.
  /// `ships` contains no shots. `time` in simulation seconds.
  /// @pre both indices are valid and different
  [[nodiscard]] static ShipControl control(std::span<const BodyState> ships, std::size_t own,
                                           std::size_t target, Real time) noexcept;
  /// Returns true if it shoots as soon as its weapon is ready: `target` is within range, before the
  /// nose, and nothing is between. Parameters as for control().
  [[nodiscard]] static bool hasAim(std::span<const BodyState> ships, std::size_t own,
                                   std::size_t target) noexcept;
};

}  // namespace nearmiss::engine
