// SPDX-License-Identifier: MIT
/// Measurements since the last reset, in constant memory: the figures of the panels.
#pragma once

#include <engine/flight/frame_profile.h>

#include <array>
#include <cstdint>
#include <optional>

namespace nearmiss::app::fly {

[[nodiscard]] inline double milliseconds(engine::FrameProfile::Duration duration) noexcept {
  return std::chrono::duration<double, std::milli>(duration).count();
}
/// 0 of nothing.
[[nodiscard]] inline double percentOf(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// Counts of values in bins 1 % wide, from 1 microsecond to over 100 seconds.
class LogHistogram {
 public:
  static constexpr int bins = 1860;
  void add(double milliseconds) noexcept;
  void clear() noexcept { *this = LogHistogram(); }
  /// The lowest bin's upper edge, in milliseconds, that `percent` of all values are not above
  /// (nearest rank): at most 1 % over the exact percentile. 0 without values.
  [[nodiscard]] double percentile(double percent) const noexcept;

 private:
  std::array<std::uint32_t, bins> counts_{};
  std::uint64_t n_ = 0;
};

/// Mean and standard deviation as values come [W62].
class RunningMoments {
 public:
  void add(double value) noexcept;
  [[nodiscard]] std::uint64_t n() const noexcept { return n_; }
  [[nodiscard]] double mean() const noexcept { return mean_; }
  [[nodiscard]] double sd() const noexcept;  ///< of a sample; 0 for fewer than two values
  [[nodiscard]] double max() const noexcept { return max_; }

 private:
  std::uint64_t n_ = 0;
  double mean_ = 0.0, squares_ = 0.0, max_ = 0.0;
};

class FrameStatistics {
 public:
  /// The first frames after a reset warm caches up and are left out.
  static constexpr int skipped = 10;
  void add(const engine::FrameProfile& frame) noexcept;
  void reset() noexcept { *this = FrameStatistics(); }

  RunningMoments frameTime, detection;  ///< milliseconds
  LogHistogram frameTimes;
  std::uint64_t frames = 0, missed = 0, exhausted = 0;
  /// FrameProfile::frame of the first frame since the reset; only from it on do earlier frames
  /// belong to the same methods and trees.
  std::optional<std::uint64_t> firstFrame;
  std::array<std::uint64_t, engine::FrameProfile::levels> collisions{};
  std::uint64_t detections = 0, detectionsSkipped = 0;  ///< called, and needless
  std::uint64_t touchesEnded = 0, responses = 0;
  std::uint64_t missedContacts = 0;  ///< contacts that only the reference found; must stay 0

 private:
  int toSkip_ = skipped;
};

}  // namespace nearmiss::app::fly
