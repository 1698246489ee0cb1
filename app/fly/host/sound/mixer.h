// SPDX-License-Identifier: MIT
/// Mixes all sounds of a flight. Independent of the audio device.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fly/host/sound/one_shots.h"
#include "fly/host/sound/voices.h"

namespace nearmiss::app::fly {

/// A ship that can be heard to pass.
struct PassingShip {
  float loudness = 0.0f;  ///< 0 to 1
  float ratio = 1.0f;     ///< see dopplerRatio()
  float pan = 0.0f;       ///< -1: left, 1: right
};

/// The continuous sounds of a moment.
struct Soundscape {
  static constexpr std::size_t maxPassing = 2;
  float active = 0.0f;         ///< 0: everything is silent
  float thrust = 0.0f;         ///< 0 to 1
  float secondsToHit = 1e3f;   ///< see ProximityTone
  float streak = 0.0f;         ///< see Music
  float effectsVolume = 0.0f;  ///< 0 to 1; 0: off
  float engineVolume = 0.0f, musicVolume = 0.0f;
  std::array<PassingShip, maxPassing> passing{};
};

/// One thread calls set() and play(), the audio thread calls render(). Neither waits for the other.
class Mixer {
 public:
  static constexpr std::size_t maxShots = 8;  ///< that sound at the same time

  Mixer() noexcept { set({}); }
  void set(const Soundscape& scape) noexcept;
  /// Starts a short sound with the next render(). Dropped if too many wait or sound.
  void play(const OneShot& shot) noexcept;
  /// Computes the next samples, left and right alternately, in [-1, 1].
  /// @pre the size is even
  void render(std::span<float> stereo) noexcept;

 private:
  static constexpr std::size_t values = sizeof(Soundscape) / sizeof(float);
  static constexpr std::size_t queued = 16;

  [[nodiscard]] Soundscape read() const noexcept;
  void startQueued() noexcept;

  std::array<std::atomic<float>, values> scape_;
  std::array<OneShot, queued> queue_{};  ///< a ring; the slots from taken_ to given_ are filled
  std::atomic<std::uint32_t> given_{0}, taken_{0};

  // Of the audio thread
  std::array<OneShotVoice, maxShots> shots_;
  EngineHum hum_;
  std::array<PassBy, Soundscape::maxPassing> passing_;
  std::array<Glide, Soundscape::maxPassing> pans_{Glide(0.1f), Glide(0.1f)};
  ProximityTone proximity_;
  Music music_;
  Glide active_{0.03f}, effects_{0.05f}, engine_{0.05f}, musicVolume_{0.05f};
};

}  // namespace nearmiss::app::fly
