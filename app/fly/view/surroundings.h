// SPDX-License-Identifier: MIT
/// How far the surfaces of other ships are from the user's own, and which of them it will hit
/// first.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/distance.h>
#include <nearmiss/shape.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {

struct NearShip {
  std::size_t index = 0;    ///< of its body
  DistanceBounds distance;  ///< between the surfaces
  double closing = 0.0;     ///< m/s at which the middles approach
  /// Seconds until the surfaces meet if both keep their velocities; nothing where they do not
  /// within Surroundings::horizon.
  std::optional<double> contact;
};

/// Compares surfaces within a fixed amount of counted work per pair, so that equal flights have
/// equal marks; what that leaves open is a bound.
class Surroundings {
 public:
  static constexpr std::size_t maxShips = 5;
  static constexpr double horizon = 5.0;  ///< simulation seconds

  /// Simulation seconds for which an answer stands: it can be read, and costs less than a frame.
  static constexpr double held = 1.0 / 15.0;

  /// The nearest ships at that time, those whose surfaces are nearest first. Valid until the next
  /// call.
  std::span<const NearShip> look(std::span<const BodyState> bodies, std::size_t own,
                                 const Shapes& shapes, double time);
  /// Ships were moved although no time passed: the next look() does not repeat what it said.
  void forget() noexcept { of_ = nullptr; }
  /// How far that ship is from the own one, as of the last look().
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
  std::vector<std::pair<std::size_t, DistanceBounds>> others_;  ///< asked for since
  const BodyState* of_ = nullptr;                               ///< whose bodies they are
  double time_ = 0.0;
};

/// The one that is hit first; null where none is.
[[nodiscard]] const NearShip* firstHit(std::span<const NearShip> ships) noexcept;

/// "touching", a distance, or a bound on one: "≤ 2.14 m".
[[nodiscard]] std::string distanceText(const DistanceBounds& distance);

}  // namespace nearmiss::app::fly
