// SPDX-License-Identifier: MIT
/// Building blocks of synthesised sound. All of them are cheap and never allocate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nearmiss::app::fly {

inline constexpr float samplesPerSecond = 44100.0f;

/// Returns sin(2 pi turns) with an error below 0.002.
[[nodiscard]] inline float sine(float turns) noexcept {
  const float t = turns - std::floor(turns) - 0.5f;
  const float bow = 8.0f * t - 16.0f * t * std::abs(t);
  return -(0.225f * (bow * std::abs(bow) - bow) + bow);
}

/// Limits a sum of sounds to [-1, 1]; nearly linear for quiet sounds.
[[nodiscard]] inline float softLimit(float x) noexcept {
  const float c = std::clamp(x, -3.0f, 3.0f);
  return std::clamp(c * (27.0f + c * c) / (27.0f + 9.0f * c * c), -1.0f, 1.0f);
}

/// A tone whose pitch may change without a click.
class Oscillator {
 public:
  /// Returns the phase in turns and advances it.
  float next(float hertz) noexcept {
    const float now = turns_;
    turns_ += hertz / samplesPerSecond;
    turns_ -= std::floor(turns_);
    return now;
  }

 private:
  float turns_ = 0.0f;
};

/// A value that follows its target within a time constant, so that steps do not click.
class Glide {
 public:
  explicit Glide(float seconds, float start = 0.0f) noexcept
      : share_(1.0f - std::exp(-1.0f / (seconds * samplesPerSecond))), value_(start) {}
  float next(float target) noexcept {
    value_ += share_ * (target - value_);
    // Reaches it, so that silence is exact
    if (std::abs(target - value_) < 1e-5f) value_ = target;
    return value_;
  }
  [[nodiscard]] float value() const noexcept { return value_; }

 private:
  float share_, value_;
};

/// White noise in [-1, 1].
class WhiteNoise {
 public:
  explicit WhiteNoise(std::uint32_t seed) noexcept : state_(seed) {}
  float next() noexcept {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return static_cast<float>(state_) * (2.0f / 4294967295.0f) - 1.0f;
  }

 private:
  std::uint32_t state_;
};

/// A low-pass filter of first order.
class LowPass {
 public:
  float next(float input, float hertz) noexcept {
    const float share = std::min(6.2831853f * hertz / samplesPerSecond, 1.0f);
    value_ += share * (input - value_);
    return value_;
  }

 private:
  float value_ = 0.0f;
};

}  // namespace nearmiss::app::fly
