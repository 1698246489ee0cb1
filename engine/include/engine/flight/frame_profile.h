// SPDX-License-Identifier: MIT
/// Where a frame's time went: measured by the engine and the app, drawn and written by others.
#pragma once

#include <engine/flight/depth.h>
#include <nearmiss/math.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// One frame. Phases follow one another, do not overlap, and sum with `watching` and `other` to
/// `frameTime`.
struct FrameProfile {
  using Duration = std::chrono::nanoseconds;
  static constexpr int levels = depths;

  std::uint64_t frame = 0;
  double wallSeconds = 0.0;   ///< since the first frame
  Real simTime = 0.0;         ///< simulation seconds at the end of the frame
  std::string_view detector;  ///< name of the narrow phase in the catalogue

  Duration target{};         ///< target time of the frame
  Duration predictedRest{};  ///< predicted time of everything but detection
  Duration budget{};  ///< detection's allowance on the budget clock; max(): no limit [H96 §4.2]
  Duration spent{};   ///< detection time on the budget clock
  Duration input{}, motion{}, broad{}, narrow{}, response{};
  Duration render{}, swap{}, slack{};  ///< slack is waiting for the frame's end
  /// A reference detector or pair calls beside the driver: part of frameTime, and of no phase, so
  /// that watching does not spoil the budget.
  Duration watching{};
  Duration other{};  ///< time outside all phases: bookkeeping
  Duration frameTime{};
  bool missed = false;     ///< frameTime is over the target by more than 1 %
  bool exhausted = false;  ///< detection ran out of budget: some waited, or the finest level did

  std::uint32_t ships = 0;
  std::uint32_t detections = 0;         ///< calls of the detector in this frame
  std::uint32_t detectionsSkipped = 0;  ///< additional ones that fixed steps would have made
  /// When the detector will be called next at the earliest, as far as is known at the end of the
  /// frame, in simulation seconds.
  Real nextDetection = 0.0;
  std::uint32_t pairsBroad = 0;   ///< looked at, over all detections of the frame
  std::uint32_t pairsNarrow = 0;  ///< of those, the ones not Separate
  std::uint32_t pairsForced = 0;  ///< of those, the ones that might not wait, whatever the budget
  std::uint32_t pairsPostponed = 0;   ///< meeting and not looked at, over all detections
  std::uint32_t bodiesPostponed = 0;  ///< whose neighbours were not looked for, over all detections
  Real longestWait = 0.0;             ///< of one of all those so far, simulation seconds
  std::uint32_t maxPassedOver = 0;    ///< detections that have left out one of them so far
  std::uint32_t collisionsLate = 0;   ///< responses to a pair that had waited until then
  std::uint32_t maxLate = 0;          ///< detections that one of those had waited
  /// Times that the machine took the core away while the simulation advanced, where that is known.
  std::uint32_t preemptions = 0;
  std::uint64_t steps = 0, sphereTests = 0, triangleTests = 0;
  /// Touches that began, by the level that detection reached for them.
  std::array<std::uint32_t, levels> collisions{};
  /// Pairs handed to the response, by the same: a pair that touches on counts at every
  /// detection [H96 §11.3, Fig. 18].
  std::array<std::uint32_t, levels> responded{};
  std::uint32_t touching = 0;                ///< pairs whose touch goes on at the end of the frame
  std::uint32_t touchesEnded = 0;            ///< in this frame
  std::uint32_t responses = 0;               ///< times that the response threw a pair apart
  Real worstBound = 0.0, medianBound = 0.0;  ///< metres, over those collisions; 0 without any
};

/// What several frames in a row measure: times and counts of all, the largest waits and bounds, and
/// the state that the last leaves.
[[nodiscard]] FrameProfile together(const FrameProfile& before, FrameProfile last) noexcept;

/// The last frames, oldest first, in a ring: no allocation while running.
class FrameHistory {
 public:
  static constexpr std::size_t capacity = 512;
  void push(const FrameProfile& frame) noexcept;
  void clear() noexcept { begin_ = size_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const FrameProfile& operator[](std::size_t i) const noexcept;  ///< 0 is the oldest

 private:
  std::array<FrameProfile, capacity> frames_{};
  std::size_t begin_ = 0, size_ = 0;
};

}  // namespace nearmiss::engine
