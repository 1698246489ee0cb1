// SPDX-License-Identifier: MIT
/// Continuous sounds, one sample at a time. Their arguments may change at any sample.
#pragma once

#include <array>

#include "fly/host/sound/wave.h"

namespace nearmiss::app::fly {

/// Hum of the own engine.
class EngineHum {
 public:
  /// @param thrust  0 to 1
  float next(float thrust) noexcept;

 private:
  Glide level_{0.15f};
  Oscillator low_, high_;
  WhiteNoise noise_{0x51u};
  LowPass rush_;
};

/// Speed of sound in this world, m/s. Slow, so that ships at a few metres per second are heard to
/// pass.
inline constexpr float soundSpeed = 40.0f;
/// Returns the factor on the pitch of a ship that approaches at `closing` m/s.
[[nodiscard]] inline float dopplerRatio(float closing) noexcept {
  return soundSpeed / (soundSpeed - std::clamp(closing, -0.8f * soundSpeed, 0.8f * soundSpeed));
}

/// Whoosh of a ship that passes.
class PassBy {
 public:
  /// @param loudness  0 to 1
  /// @param ratio     see dopplerRatio()
  float next(float loudness, float ratio) noexcept;
  static constexpr float pitch = 118.0f;  ///< of a ship at rest, Hz

 private:
  Glide loudness_{0.08f}, ratio_{0.06f, 1.0f};
  Oscillator tone_;
  WhiteNoise noise_{0x97u};
  float low_ = 0.0f, band_ = 0.0f;  ///< state of the filter
};

/// Beeps before a hit, more often and higher the closer it is.
class ProximityTone {
 public:
  static constexpr float horizon = 5.0f;  ///< seconds; silent beyond
  /// Seconds from one beep to the next.
  [[nodiscard]] static float interval(float secondsToHit) noexcept {
    return std::clamp(0.3f * secondsToHit, 0.09f, 1.2f);
  }
  float next(float secondsToHit) noexcept;

 private:
  float since_ = 10.0f;  ///< seconds since the start of the last beep
  float loudness_ = 0.0f, pitch_ = 0.0f;
  Oscillator tone_;
};

/// Music in three layers: a pad; from a streak of 1 a bass pulse; from 3 an arpeggio, which
/// brightens with longer streaks.
class Music {
 public:
  float next(float streak) noexcept;

 private:
  void beginStep() noexcept;
  [[nodiscard]] float arpeggio(float bright) noexcept;
  [[nodiscard]] float pad() noexcept;

  static constexpr float stepSeconds = 0.15f;
  Glide bassGain_{0.7f}, arpeggioGain_{0.7f}, bright_{0.7f}, swell_{0.4f}, pulse_{0.004f};
  std::array<Oscillator, 6> pad_;
  Oscillator bass_, pluck_;
  int step_ = -1;            ///< sixteenths since the start
  float since_ = 1.0f;       ///< seconds since the start of the step
  float bassSince_ = 10.0f;  ///< seconds since the last bass note
  float bassPitch_ = 55.0f, pluckPitch_ = 440.0f;
  std::array<float, 3> chord_{};  ///< Hz
};

}  // namespace nearmiss::app::fly
