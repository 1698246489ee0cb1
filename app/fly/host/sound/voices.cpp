// SPDX-License-Identifier: MIT
#include "fly/host/sound/voices.h"

namespace nearmiss::app::fly {
namespace {

constexpr float sampleSeconds = 1.0f / samplesPerSecond;

/// Pitch of a semitone above A2.
float pitchOf(int semitones) noexcept {
  return 110.0f * std::exp2(static_cast<float>(semitones) / 12.0f);
}

/// Chords of the music, one bar each, in semitones above A2: a minor, F, C, G.
constexpr std::array<std::array<int, 3>, 4> chords{{{0, 3, 7}, {-4, 0, 3}, {3, 7, 10}, {-2, 2, 5}}};

/// A note that starts at once and fades; its start takes some milliseconds, so that it does not
/// click.
float plucked(float since, float fall) noexcept {
  return std::min(1.0f, since / 0.008f) * std::exp(-fall * since);
}

}  // namespace

float EngineHum::next(float thrust) noexcept {
  const float level = level_.next(thrust);
  const float hertz = 44.0f + 52.0f * level;
  const float a = low_.next(hertz), b = high_.next(1.498f * hertz);
  const float tone = sine(a) + 0.5f * sine(2.0f * a) + 0.25f * sine(3.0f * a) + 0.4f * sine(b);
  const float rush = rush_.next(noise_.next(), 180.0f + 1100.0f * level);
  return (0.03f + 0.16f * level) * tone + 0.5f * level * level * rush;
}

float PassBy::next(float loudness, float ratio) noexcept {
  const float level = loudness_.next(loudness), bend = ratio_.next(ratio);
  const float turns = tone_.next(pitch * bend);
  if (level <= 0.0f) return 0.0f;
  // A resonant band of noise
  const float width = 2.0f * sine(520.0f * bend / samplesPerSecond * 0.5f);
  low_ += width * band_;
  band_ += width * (noise_.next() - low_ - 0.45f * band_);
  return level * (0.15f * sine(turns) + 0.07f * sine(2.0f * turns) + 0.20f * band_);
}

float ProximityTone::next(float secondsToHit) noexcept {
  constexpr float length = 0.06f;
  since_ += sampleSeconds;
  const bool near = secondsToHit < horizon;
  if (near && since_ >= std::max(interval(secondsToHit), length)) {
    const float nearness = 1.0f - std::max(secondsToHit, 0.0f) / horizon;
    since_ = 0.0f;
    loudness_ = 0.03f + 0.11f * nearness * nearness;
    pitch_ = 620.0f + 480.0f * nearness;
  }
  if (since_ >= length) return 0.0f;
  return loudness_ * sine(0.5f * since_ / length) * sine(tone_.next(pitch_));
}

void Music::beginStep() noexcept {
  step_ = (step_ + 1) % 64;
  since_ = 0.0f;
  const auto& chord = chords[static_cast<std::size_t>(step_ / 16)];
  for (std::size_t i = 0; i < chord.size(); ++i) chord_[i] = pitchOf(chord[i]);
  constexpr std::array<int, 8> rise{0, 1, 2, 3, 4, 3, 2, 1};
  const int note = rise[static_cast<std::size_t>(step_ % 8)];
  pluckPitch_ = chord_[static_cast<std::size_t>(note % 3)] * (note < 3 ? 2.0f : 4.0f);
  if (step_ % 4 != 0 && step_ % 16 != 14) return;
  bassSince_ = 0.0f;
  bassPitch_ = 0.5f * chord_[0];
}

float Music::arpeggio(float bright) noexcept {
  const float turns = pluck_.next(pluckPitch_);
  const float tone = sine(turns) + (0.15f + 0.5f * bright) * sine(2.0f * turns) +
                     0.4f * bright * sine(3.0f * turns);
  // The end of the step is silent, so that the next note may have another pitch
  const float end = std::min(1.0f, (stepSeconds - since_) / 0.01f);
  return tone * plucked(since_, 14.0f) * std::max(end, 0.0f);
}

float Music::pad() noexcept {
  float sum = 0.0f;
  for (std::size_t i = 0; i < chord_.size(); ++i)
    sum += sine(pad_[2 * i].next(chord_[i])) + sine(pad_[2 * i + 1].next(1.004f * chord_[i]));
  return sum;
}

float Music::next(float streak) noexcept {
  since_ += sampleSeconds;
  bassSince_ += sampleSeconds;
  if (since_ >= stepSeconds) beginStep();
  const float bass = bassGain_.next(streak >= 1.0f ? 1.0f : 0.0f);
  const float arpeggios = arpeggioGain_.next(streak >= 3.0f ? 1.0f : 0.0f);
  const float bright = bright_.next(std::clamp((streak - 3.0f) / 5.0f, 0.0f, 1.0f));
  // The pad breathes once a bar
  const float swell = swell_.next(step_ % 16 < 12 ? 1.0f : 0.55f);
  const float turns = bass_.next(bassPitch_);
  // A new note may begin before the last one has faded
  const float pulse = pulse_.next(std::exp(-5.0f * bassSince_));
  const float bassNote = pulse * (sine(turns) + 0.3f * sine(2.0f * turns));
  float sum = 0.05f * swell * pad();
  if (bass > 0.0f) sum += 0.30f * bass * bassNote;
  if (arpeggios > 0.0f) sum += 0.21f * arpeggios * arpeggio(bright);
  return sum;
}

}  // namespace nearmiss::app::fly
