// SPDX-License-Identifier: MIT
/// Simulation time in ticks of about the time between two calls.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <cstdint>

namespace nearmiss {

class TickClock {
 public:
  /// Fixes the length of a tick from the next restart on; ignored unless above 0 and finite.
  void setResolution(Real seconds) noexcept {
    if (seconds > 0.0 && std::isfinite(seconds)) resolution_ = seconds;
  }

  /// Whether ticks of that length still suit the calls, the next of which comes at `time`.
  [[nodiscard]] bool keepPace(Real time) noexcept {
    const Real step = time - time_;
    if (!(step >= 0.0) || !(time - origin_ < 1e6 * length_)) return false;
    if (resolution_ > 0.0) return length_ == resolution_;
    if (step == 0.0) return true;
    // The second call shows the interval of calls; later ones may vary a good deal
    const Real most = secondCall_ ? 1.25 : 4.0;
    secondCall_ = false;
    return step < most * length_ && step > length_ / most;
  }

  void goOn(Real time) noexcept {
    time_ = time;
    present_ = static_cast<std::int64_t>(std::floor(since(time)));
  }

  /// Begins anew at `time`, tick 0, with ticks as long as the time since the last call.
  void restart(Real time) noexcept {
    const Real step = time - time_;
    secondCall_ = !started_;
    if (started_ && step > 0.0 && std::isfinite(step)) length_ = step;
    if (resolution_ > 0.0) length_ = resolution_;
    started_ = true;
    time_ = origin_ = time;
    present_ = 0;
  }

  [[nodiscard]] Real time() const noexcept { return time_; }
  [[nodiscard]] Real length() const noexcept { return length_; }
  [[nodiscard]] std::int64_t present() const noexcept { return present_; }
  /// In ticks.
  [[nodiscard]] Real since(Real time) const noexcept { return (time - origin_) / length_; }
  /// Never after the first moment of the tick, whatever the rounding.
  [[nodiscard]] Real timeOf(std::int64_t tick) const noexcept {
    return origin_ + static_cast<Real>(tick) * length_ * (1.0 - 1e-12) - 1e-12 * std::abs(origin_);
  }

 private:
  /// The call length assumed before the second call, seconds.
  static constexpr Real firstTick = 0.05;

  Real time_ = 0.0, origin_ = 0.0, length_ = firstTick;
  Real resolution_ = 0.0;  ///< 0 until it is set
  std::int64_t present_ = 0;
  bool started_ = false, secondCall_ = false;
};

}  // namespace nearmiss
