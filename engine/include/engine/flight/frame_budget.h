// SPDX-License-Identifier: MIT
/// How much of a frame detection may have: the target less a running prediction of all the rest
/// [H96 §4.2].
#pragma once

#include <engine/flight/budget.h>
#include <engine/flight/frame_profile.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace nearmiss::engine {

class FrameBudget {
 public:
  using Duration = std::chrono::nanoseconds;
  static constexpr std::size_t window = 30;  ///< frames that the prediction is the mean of
  static constexpr std::size_t warmUp = 10;  ///< first frames that do not count: caches, shaders

  /// What everything but detection is expected to take in the next frame; 0 before any is known.
  [[nodiscard]] Duration predictedRest() const noexcept;
  /// Tells what everything but detection and slack took in the frame that has just ended.
  void record(Duration rest) noexcept;
  /// Completes a frame of which all times are known: sets whether it missed its target, and records
  /// its rest, without its `watching`.
  void settle(FrameProfile& frame) noexcept;
  void reset() noexcept { *this = FrameBudget(); }

 private:
  std::array<Duration, window> rest_{};
  std::size_t seen_ = 0;
};

/// Waits until `end` on the steady clock: sleeps to half a millisecond before it, then spins.
void idleUntil(std::chrono::steady_clock::time_point end) noexcept;

}  // namespace nearmiss::engine
