// SPDX-License-Identifier: MIT
#include "fly/host/sound/one_shots.h"

#include <array>

namespace nearmiss::app::fly {
namespace {

constexpr float fastestHit = 4.0f;  // maximum speed that increases the loudness, m/s

}  // namespace

void OneShotVoice::start(const OneShot& shot) noexcept {
  shot_ = shot;
  if (shot.cue != Cue::NearMiss)
    shot_.strength = std::clamp(shot.strength / fastestHit, 0.0f, 1.0f);
  noise_ = WhiteNoise(0x417u + shot.level);
  low_ = {};
  t_ = gate_ = 0.0f;
  length_ = shot.cue == Cue::NearMiss   ? 0.3f
            : shot.cue == Cue::Electric ? 0.22f + 0.18f * shot_.strength
                                        : 0.25f + 0.35f * shot_.strength;
}

/// A filtered burst, a thud, and partials of a struck plate.
float OneShotVoice::metal(float strength) noexcept {
  constexpr std::array ratios{1.0f, 2.76f, 5.40f, 8.93f};
  const float burst = low_.next(noise_.next(), 400.0f + 2800.0f * strength);
  float ring = 0.0f, amount = 0.34f;
  for (const float ratio : ratios) {
    ring += amount * std::exp(-(3.0f + 2.2f * ratio) * t_) * sine(236.0f * ratio * t_);
    amount *= 0.45f + 0.3f * strength;
  }
  const float thud = 0.5f * sine((55.0f + 35.0f * strength) * t_) * std::exp(-14.0f * t_);
  return burst * std::exp(-16.0f * t_) + thud + ring;
}

/// WhiteNoise that a fast random gate cuts into sparks, over a buzz.
float OneShotVoice::electric() noexcept {
  const float pitch = 84.0f * std::exp2(0.5f * static_cast<float>(shot_.level));
  const float hiss = noise_.next();
  const bool spark = noise_.next() > 0.996f;
  gate_ = spark ? 1.0f : gate_ * 0.994f;
  const float crackle = hiss - low_.next(hiss, 1800.0f);
  const float buzz =
      0.5f * std::clamp(4.0f * sine(pitch * t_), -1.0f, 1.0f) * (0.6f + 0.4f * sine(31.0f * t_));
  return (1.1f * gate_ * crackle + 0.5f * buzz) * std::exp(-5.0f * t_ / length_);
}

/// Rises by the streak; the second note is a fifth higher.
float OneShotVoice::nearMiss() const noexcept {
  constexpr float second = 0.09f;
  const float pitch = 523.25f * std::exp2(std::min(shot_.strength, 8.0f) / 6.0f);
  const auto note = [](float hertz, float since) {
    if (since <= 0.0f) return 0.0f;
    return std::min(1.0f, since / 0.005f) * std::exp(-14.0f * since) * sine(hertz * since);
  };
  return 0.16f * (note(pitch, t_) + note(1.5f * pitch, t_ - second));
}

float OneShotVoice::next() noexcept {
  if (!playing()) return 0.0f;
  // Fade both ends to avoid clicks
  const float ends =
      std::clamp(std::min(t_ / 0.002f, (length_ - t_) / 0.02f), 0.0f, 1.0f) * shot_.loudness;
  const float body = 0.2f + 0.8f * std::sqrt(shot_.strength);
  const float sample = shot_.cue == Cue::NearMiss   ? nearMiss()
                       : shot_.cue == Cue::Electric ? 0.7f * body * electric()
                                                    : 0.7f * body * metal(shot_.strength);
  t_ += 1.0f / samplesPerSecond;
  return std::clamp(ends * sample, -1.0f, 1.0f);
}

}  // namespace nearmiss::app::fly
