// SPDX-License-Identifier: MIT
/// The numbers that are shown, in one place: panels, bars, legend, status bar, table and tour read
/// them here, so that no two of them differ.
#pragma once

#include <engine/flight/frame_profile.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "fly/overlay/frame_statistics.h"
#include "fly/pace.h"

namespace nearmiss::app::fly {

/// Number of frames in the strip of the frame panel and in running numbers.
inline constexpr std::size_t stripFrames = 400;

/// What is shown of a flight beside its frames.
struct ShownInstant {
  double simTime = 0.0;  ///< simulation seconds
  /// Simulation seconds until two ships can touch at the earliest, 0 while some may; nothing where
  /// the broad phase does not look ahead.
  std::optional<double> earliestMeeting;
  std::optional<std::uint64_t> replayed;  ///< frames of the session, in a replay
  /// True if budgets are spent in counted work, not in the time that phases are measured in.
  bool countedWork = false;
  std::string budget = "auto";  ///< the rule by which detection has its time
};

/// One frame and what was measured up to it. Times are milliseconds.
struct ShownNumbers {
  bool measured = false;       ///< false: there is no frame, and what is known of it is a dash
  engine::FrameProfile frame;  ///< the last one
  double frameTime = 0.0;      ///< of that frame, without the reference
  double target = 0.0;
  double detect = 0.0;                         ///< time for detection, as its budget counts it
  std::optional<double> allowed;               ///< its budget; nothing without a limit
  std::optional<double> used;                  ///< share of the budget; above 1 is overrun
  std::optional<double> p50, p95, p99, p99_9;  ///< nothing until there are frames enough
  FrameStatistics since;                       ///< the last reset
  /// Number of last frames since the reset, at most stripFrames.
  std::size_t runningFrames = 0;
  std::array<std::uint32_t, engine::FrameProfile::levels> running{};
  double runningWorst = 0.0, runningMedian = 0.0;  ///< metres; the median of the frames' medians
  Pace pace;
  double predictionError = 0.0;  ///< mean |predicted rest - rest|
  ShownInstant instant;
};

/// Measurements up to now.
[[nodiscard]] ShownNumbers numbersOf(const engine::FrameHistory& history,
                                     const FrameStatistics& statistics,
                                     const ShownInstant& instant = {});

/// Frames from which on `percent` of them say something: ten lie above.
[[nodiscard]] std::uint64_t framesForPercentile(double percent) noexcept;

/// What is measured of one flight.
struct Measured {
  const engine::FrameHistory* history = nullptr;
  const FrameStatistics* statistics = nullptr;
};

/// Holds numbers for a quarter of a second, so that a person can read them, or until another rule
/// gives detection its time; while time stands still they are those of the frame that is seen.
class HeldNumbers {
 public:
  /// `halves`: of a split view, or none.
  void update(const Measured& flight, const std::optional<std::array<Measured, 2>>& halves,
              const ShownInstant& instant, bool standsStill, double wallSeconds);
  [[nodiscard]] const ShownNumbers& flight() const noexcept { return flight_; }
  [[nodiscard]] const ShownNumbers& half(std::size_t side) const noexcept { return halves_[side]; }

 private:
  ShownNumbers flight_;
  std::array<ShownNumbers, 2> halves_;
  double next_ = 0.0;
};

}  // namespace nearmiss::app::fly
