// SPDX-License-Identifier: MIT
/// Distances between the user's ship and others, and which of them it will hit first.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {

struct NearShip {
  std::size_t index = 0;    ///< index of its body
  DistanceBounds distance;  ///< between the surfaces
  double closing = 0.0;     ///< speed at which the centres approach, m/s
  /// Seconds until the surfaces meet at constant velocity; `nullopt` if not within
  /// Surroundings::horizon.
  std::optional<double> contact;
};

/// Compares surfaces with a fixed amount of counted work per pair, so that equal flights have equal
/// markers; if it runs out, the result is a bound.
class Surroundings {
 public:
  static constexpr std::size_t maxShips = 5;
  static constexpr double horizon = 5.0;  ///< simulation seconds

  /// Simulation seconds for which a result is reused, so that it is readable and cheap.
  static constexpr double held = 1.0 / 15.0;

  /// Returns the nearest ships at that time, sorted by the distance of their surfaces. Valid until
  /// the next call.
  std::span<const NearShip> look(std::span<const BodyState> bodies, std::size_t own,
                                 const Shapes& shapes, double time);
  /// Call if ships were moved without simulation time: the next look() does not reuse results.
  void forget() noexcept { of_ = nullptr; }
  /// Leaves a ship out of look(), by its key; 0: none.
  void leaveOut(std::uint32_t key) noexcept {
    if (key != leftOut_) forget();
    leftOut_ = key;
  }
  /// Distance of that ship from the user's, as of the last look().
  [[nodiscard]] DistanceBounds distanceTo(std::span<const BodyState> bodies, std::size_t own,
                                          std::size_t other, const Shapes& shapes);
  /// Distance of the surfaces of two ships.
  [[nodiscard]] DistanceBounds between(const BodyState& a, const BodyState& b,
                                       const Shapes& shapes);

 private:
  [[nodiscard]] std::optional<double> contact(const BodyState& a, const BodyState& b,
                                              const Shapes& shapes);

  DistanceQuery query_;
  WorkClock clock_;
  std::vector<NearShip> near_;
  std::vector<std::pair<std::size_t, DistanceBounds>> others_;  ///< queried since the last look()
  const BodyState* of_ = nullptr;                               ///< identifies the bodies of the
                                                                ///< cached results
  double time_ = 0.0;
  std::uint32_t leftOut_ = 0;
};

/// Returns the ship that is hit first; null: none.
[[nodiscard]] const NearShip* firstHit(std::span<const NearShip> ships) noexcept;

/// "touching", a distance, or an upper bound: "≤ 2.14 m".
[[nodiscard]] std::string distanceText(const DistanceBounds& distance);

}  // namespace nearmiss::app::fly
