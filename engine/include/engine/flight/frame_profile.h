// SPDX-License-Identifier: MIT
/// Where the time of a frame went. Measured by the engine and the app; drawn and written elsewhere.
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

/// One frame. Phases are consecutive and do not overlap. Their sum plus `watching` and `other` is
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
  Duration budget{};  ///< detection's budget on the budget clock; max(): no limit [H96 §4.2]
  Duration spent{};   ///< detection time on the budget clock
  Duration input{}, motion{}, broad{}, narrow{}, response{};
  Duration render{}, swap{}, slack{};  ///< slack: waiting for the end of the frame
  /// Time of a reference detector or of pair calls. Included in frameTime but in no phase, so that
  /// measuring does not affect the budget.
  Duration watching{};
  Duration other{};  ///< time outside all phases: bookkeeping
  Duration frameTime{};
  bool missed = false;     ///< frameTime is over the target by more than 1 %
  bool exhausted = false;  ///< detection ran out of budget: pairs waited or the finest level is
                           ///< incomplete

  std::uint32_t ships = 0;
  std::uint32_t detections = 0;         ///< calls of the detector in this frame
  std::uint32_t detectionsSkipped = 0;  ///< further calls that fixed steps would have made
  /// Earliest simulation time of the next detector call, as known at the end of the frame [s].
  Real nextDetection = 0.0;
  std::uint32_t pairsBroad = 0;   ///< examined, over all detections of the frame
  std::uint32_t pairsNarrow = 0;  ///< of those, the pairs that are not Separate
  std::uint32_t pairsForced = 0;  ///< of those, the pairs that may not be postponed, for any budget
  std::uint32_t pairsPostponed = 0;   ///< bounding spheres meet but not examined, over all
                                      ///< detections
  std::uint32_t bodiesPostponed = 0;  ///< bodies without a neighbour search, over all detections
  Real longestWait = 0.0;             ///< longest wait of any of these so far, simulation seconds
  std::uint32_t maxPassedOver = 0;    ///< maximum number of detections that skipped one of them so
                                      ///< far
  std::uint32_t collisionsLate = 0;   ///< responses to pairs that had been postponed before
  std::uint32_t maxLate = 0;          ///< maximum number of detections that such a pair had waited
  /// Preemptions of the thread while the simulation advanced, if the system reports them.
  std::uint32_t preemptions = 0;
  std::uint64_t steps = 0, sphereTests = 0, triangleTests = 0;
  /// Touches that began, by the level that detection reached for them.
  std::array<std::uint32_t, levels> collisions{};
  /// Pairs passed to the response, by the same levels. A pair that keeps touching counts at every
  /// detection [H96 §11.3, Fig. 18].
  std::array<std::uint32_t, levels> responded{};
  std::uint32_t touching = 0;                ///< pairs still touching at the end of the frame
  std::uint32_t touchesEnded = 0;            ///< in this frame
  std::uint32_t responses = 0;               ///< number of pairs that the response threw apart
  Real worstBound = 0.0, medianBound = 0.0;  ///< metres, over `collisions`; 0 if there are none
};

/// Combines consecutive frames: sums of times and counts, maxima of waits and bounds, and the final
/// state of the last frame.
[[nodiscard]] FrameProfile together(const FrameProfile& before, FrameProfile last) noexcept;

/// Ring buffer of the last frames, oldest first. Does not allocate.
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
