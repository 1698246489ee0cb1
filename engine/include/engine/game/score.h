// SPDX-License-Identifier: MIT
/// Points for near misses, and penalties for hits.
#pragma once

#include <engine/flight/near_misses.h>

#include <cstdint>

namespace nearmiss::engine {

/// Number of events and the sum of their points.
struct ScoreLine {
  std::uint32_t count = 0;
  std::int64_t points = 0;
};

class Score {
 public:
  /// Points for a near miss at the distance limit, and the bonus for one at distance 0, before the
  /// factors for speed and streak.
  static constexpr std::int64_t minPoints = 20, maxForCloseness = 80;
  /// Own speed past the ship at which a near miss has its plain points [m/s]. Points grow in
  /// proportion to it, so that a ship that stands at the wall earns none.
  static constexpr Real plainSpeed = 0.8;
  /// Maximum streak factor: consecutive near misses count once, twice, and so on up to this factor.
  static constexpr std::uint32_t maxTimes = 8;
  /// Points lost by a hit; the total never falls below 0.
  static constexpr std::int64_t hitCost = 300, falseHitCost = 100;

  /// Adds a near miss and returns its points. One without points does not count. `radius`: of the
  /// user's ship, metres.
  std::int64_t take(const NearMiss& miss, Real radius);
  /// Ends the streak and returns the points lost, at most 0.
  std::int64_t take(const Hit& hit);

  [[nodiscard]] std::int64_t points() const noexcept {
    return nearMisses_.points + hits_.points + falseHits_.points;
  }
  /// Near misses since the last hit.
  [[nodiscard]] std::uint32_t streak() const noexcept { return streak_; }
  [[nodiscard]] std::uint32_t longestStreak() const noexcept { return longest_; }
  /// Factor of the next near miss.
  [[nodiscard]] std::uint32_t times() const noexcept;
  [[nodiscard]] const ScoreLine& nearMisses() const noexcept { return nearMisses_; }
  [[nodiscard]] const ScoreLine& hits() const noexcept { return hits_; }  ///< excluding false hits
  [[nodiscard]] const ScoreLine& falseHits() const noexcept { return falseHits_; }

 private:
  ScoreLine nearMisses_, hits_, falseHits_;
  std::uint32_t streak_ = 0, longest_ = 0;
};

}  // namespace nearmiss::engine
