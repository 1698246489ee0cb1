// SPDX-License-Identifier: MIT
/// Points for near misses, and what hits cost.
#pragma once

#include <engine/flight/near_misses.h>

#include <cstdint>

namespace nearmiss::engine {

/// How often something happened, and the points of it all together.
struct ScoreLine {
  std::uint32_t count = 0;
  std::int64_t points = 0;
};

class Score {
 public:
  /// A near miss at the limit of its distance, and more for one without any, before speed and
  /// streak multiply them.
  static constexpr std::int64_t minPoints = 20, maxForCloseness = 80;
  /// m/s of closing speed that double the points.
  static constexpr Real doublingSpeed = 4.0;
  /// Near misses in a row count once, twice, ... and at most this many times.
  static constexpr std::uint32_t maxTimes = 8;
  /// What a hit costs; points never fall below 0.
  static constexpr std::int64_t hitCost = 300, falseHitCost = 100;

  /// `radius`: of the user's ship, metres. Returns the points that it is worth.
  std::int64_t take(const NearMiss& miss, Real radius);
  /// Ends the streak. Returns the points, at most 0.
  std::int64_t take(const Hit& hit);

  [[nodiscard]] std::int64_t points() const noexcept {
    return nearMisses_.points + hits_.points + falseHits_.points;
  }
  /// Near misses since the last hit.
  [[nodiscard]] std::uint32_t streak() const noexcept { return streak_; }
  [[nodiscard]] std::uint32_t longestStreak() const noexcept { return longest_; }
  /// By how much the next near miss is multiplied.
  [[nodiscard]] std::uint32_t times() const noexcept;
  [[nodiscard]] const ScoreLine& nearMisses() const noexcept { return nearMisses_; }
  [[nodiscard]] const ScoreLine& hits() const noexcept { return hits_; }  ///< without false ones
  [[nodiscard]] const ScoreLine& falseHits() const noexcept { return falseHits_; }

 private:
  ScoreLine nearMisses_, hits_, falseHits_;
  std::uint32_t streak_ = 0, longest_ = 0;
};

}  // namespace nearmiss::engine
