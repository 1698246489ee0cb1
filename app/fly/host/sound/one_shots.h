// SPDX-License-Identifier: MIT
/// Short sounds of events: hits, near misses.
#pragma once

#include <cstdint>

#include "fly/host/sound/wave.h"

namespace nearmiss::app::fly {

enum class Cue : std::uint8_t {
  Metal,     ///< a hit with proven contact: a thud with ringing partials
  Electric,  ///< a hit that was decided by spheres: a crackling buzz
  NearMiss   ///< two notes
};

/// An event to be heard.
struct OneShot {
  Cue cue = Cue::Metal;
  /// Speed of a hit, m/s: faster hits are louder and brighter. For a near miss: the streak.
  float strength = 0.0f;
  float loudness = 1.0f;   ///< 0 to 1
  float pan = 0.0f;        ///< -1: left, 1: right
  std::uint8_t level = 0;  ///< of the spheres; smaller spheres buzz higher
};

/// A shot or a throw.
inline constexpr OneShot launchSound{.strength = 1.0f, .loudness = 0.25f};

/// Plays one event. Samples are in [-1, 1], start and end at 0, and depend on the event only.
class OneShotVoice {
 public:
  void start(const OneShot& shot) noexcept;
  [[nodiscard]] bool playing() const noexcept { return t_ < length_; }
  [[nodiscard]] float pan() const noexcept { return shot_.pan; }
  /// Returns the next sample; 0 after the end.
  float next() noexcept;

 private:
  [[nodiscard]] float metal(float strength) noexcept;
  [[nodiscard]] float electric() noexcept;
  [[nodiscard]] float nearMiss() const noexcept;

  OneShot shot_;
  WhiteNoise noise_{1};
  LowPass low_;
  float t_ = 0.0f, length_ = 0.0f;  // seconds
  float gate_ = 0.0f;               ///< of the crackle
};

}  // namespace nearmiss::app::fly
