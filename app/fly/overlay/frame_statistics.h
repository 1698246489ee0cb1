// SPDX-License-Identifier: MIT
/// Statistics since the last reset, in constant memory, for the panels.
#pragma once

#include <engine/flight/frame_profile.h>

#include <array>
#include <cstdint>
#include <optional>

namespace nearmiss::app::fly {

[[nodiscard]] inline double milliseconds(engine::FrameProfile::Duration duration) noexcept {
  return std::chrono::duration<double, std::milli>(duration).count();
}
/// 0 if `whole` is 0.
[[nodiscard]] inline double percentOf(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// Histogram with bins 1 % wide, from 1 microsecond to over 100 seconds.
class LogHistogram {
 public:
  static constexpr int bins = 1860;
  void add(double milliseconds) noexcept;
  void clear() noexcept { *this = LogHistogram(); }
  /// Returns the upper edge, in milliseconds, of the lowest bin at or above `percent` of all values
  /// (nearest rank). At most 1 % above the exact percentile. 0 without values.
  [[nodiscard]] double percentile(double percent) const noexcept;

 private:
  std::array<std::uint32_t, bins> counts_{};
  std::uint64_t n_ = 0;
};

/// Running mean and standard deviation [W62].
class RunningMoments {
 public:
  void add(double value) noexcept;
  [[nodiscard]] std::uint64_t n() const noexcept { return n_; }
  [[nodiscard]] double mean() const noexcept { return mean_; }
  [[nodiscard]] double sd() const noexcept;  ///< sample deviation; 0 for fewer than two values
  [[nodiscard]] double max() const noexcept { return max_; }

 private:
  std::uint64_t n_ = 0;
  double mean_ = 0.0, squares_ = 0.0, max_ = 0.0;
};

class FrameStatistics {
 public:
  /// Frames ignored after a reset, because caches are cold.
  static constexpr int skipped = 10;
  void add(const engine::FrameProfile& frame) noexcept;
  void reset() noexcept { *this = FrameStatistics(); }

  RunningMoments frameTime, detection;  ///< milliseconds
  LogHistogram frameTimes;
  std::uint64_t frames = 0, missed = 0, exhausted = 0;
  /// FrameProfile::frame of the first frame since the reset; earlier frames may use other methods
  /// and trees.
  std::optional<std::uint64_t> firstFrame;
  std::array<std::uint64_t, engine::FrameProfile::levels> collisions{};
  std::uint64_t detections = 0, detectionsSkipped = 0;  ///< made, and skipped as unnecessary
  std::uint64_t touchesEnded = 0, responses = 0;
  std::uint64_t missedContacts = 0;  ///< contacts found only by the reference; must stay 0

 private:
  int toSkip_ = skipped;
};

}  // namespace nearmiss::app::fly
