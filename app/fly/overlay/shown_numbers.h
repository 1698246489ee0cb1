// SPDX-License-Identifier: MIT
/// The displayed numbers. Panels, bars, legend, status bar, table and tour all read them from here,
/// so that they are consistent.
#pragma once

#include <engine/flight/frame_profile.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "fly/loop/frame_times.h"
#include "fly/overlay/frame_statistics.h"

namespace nearmiss::app::fly {

/// Number of frames in the plot of the frame panel and in running numbers.
inline constexpr std::size_t stripFrames = 400;

/// State of a flight that is not part of its frames.
struct ShownInstant {
  double simTime = 0.0;  ///< simulation seconds
  /// Simulation seconds until the earliest possible contact; 0 if some ships may touch; `nullopt`
  /// if the broad phase does not look ahead.
  std::optional<double> earliestMeeting;
  std::optional<std::uint64_t> replayed;  ///< number of replayed frames; only in a replay
  /// True if budgets are counted work and phases are measured time.
  bool countedWork = false;
  std::string budget = "auto";  ///< the budget rule
};

/// One frame and the measurements up to it. Times in milliseconds.
struct ShownNumbers {
  bool measured = false;       ///< false: no frame yet; its values are shown as dashes
  engine::FrameProfile frame;  ///< the last frame
  double frameTime = 0.0;      ///< of that frame, excluding the reference
  double target = 0.0;
  double detect = 0.0;                         ///< time for detection, on the budget clock
  std::optional<double> allowed;               ///< its budget; `nullopt`: no limit
  std::optional<double> used;                  ///< fraction of the budget; above 1: overrun
  std::optional<double> p50, p95, p99, p99_9;  ///< `nullopt` until there are enough frames
  FrameStatistics since;                       ///< since the last reset
  /// Number of frames since the reset, at most stripFrames.
  std::size_t runningFrames = 0;
  std::array<std::uint32_t, engine::FrameProfile::levels> running{};
  double runningWorst = 0.0, runningMedian = 0.0;  ///< metres; the median is the median of the
                                                   ///< frames' medians
  Pace pace;
  double predictionError = 0.0;  ///< mean |predicted rest - rest|
  ShownInstant instant;
};

/// Returns the measurements up to now.
[[nodiscard]] ShownNumbers numbersOf(const engine::FrameHistory& history,
                                     const FrameStatistics& statistics,
                                     const ShownInstant& instant = {});

/// Number of frames needed for a percentile: at least ten values lie above it.
[[nodiscard]] std::uint64_t framesForPercentile(double percent) noexcept;

/// The measurements of one flight.
struct Measured {
  const engine::FrameHistory* history = nullptr;
  const FrameStatistics* statistics = nullptr;
};

/// Holds numbers for a quarter of a second so that they are readable, or until the budget rule
/// changes. While paused they are those of the visible frame.
class HeldNumbers {
 public:
  /// `halves`: of a split view, if there is one.
  void update(const Measured& flight, const std::optional<std::array<Measured, 2>>& halves,
              const ShownInstant& instant, bool isFrozen, double wallSeconds);
  [[nodiscard]] const ShownNumbers& flight() const noexcept { return flight_; }
  [[nodiscard]] const ShownNumbers& half(std::size_t side) const noexcept { return halves_[side]; }

 private:
  ShownNumbers flight_;
  std::array<ShownNumbers, 2> halves_;
  double next_ = 0.0;
};

}  // namespace nearmiss::app::fly
