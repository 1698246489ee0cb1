// SPDX-License-Identifier: MIT
#include "fly/host/impact_sound.h"

#include <SDL.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nearmiss::app::fly {
namespace {

constexpr int samplesASecond = 44100;
constexpr double loudestSpeed = 4.0;  // maximum speed that increases the loudness, m/s
constexpr double pi = 3.141592653589793;

}  // namespace

std::vector<float> impactSamples(double speed, int rate) {
  const double strength = std::clamp(speed / loudestSpeed, 0.0, 1.0);
  const double length = 0.18 + 0.22 * strength;     // seconds
  const double cutoff = 350.0 + 2600.0 * strength;  // Hz; faster hits sound brighter
  const double thud = 55.0 + 35.0 * strength;       // Hz
  const double loudness = 0.15 + 0.65 * std::sqrt(strength);
  const double share = 1.0 - std::exp(-2.0 * pi * cutoff / rate);
  const double rise = 0.002, fall = 5.5 / length;

  std::vector<float> samples(static_cast<std::size_t>(length * rate));
  SplitMix random(0x417u);
  double noise = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / rate;
    noise += share * (2.0 * random.unit() - 1.0 - noise);
    const double body = 0.6 * std::sin(2.0 * pi * thud * t);
    // Fade both ends to avoid clicks
    const double end = std::min(1.0, (length - t) / 0.01);
    const double envelope = std::min(1.0, t / rise) * std::exp(-fall * t) * std::max(end, 0.0);
    samples[i] = static_cast<float>(std::clamp(loudness * envelope * (noise + body), -1.0, 1.0));
  }
  return samples;
}

std::vector<float> warningSamples(int rate) {
  constexpr double length = 0.07, pitch = 880.0, loudness = 0.12;  // seconds, Hz
  std::vector<float> samples(static_cast<std::size_t>(length * rate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / rate;
    const double envelope = std::sin(pi * t / length);
    samples[i] = static_cast<float>(loudness * envelope * std::sin(2.0 * pi * pitch * t));
  }
  return samples;
}

std::vector<float> nearMissSamples(std::uint32_t streak, int rate) {
  constexpr double length = 0.22, second = 0.09, loudness = 0.14;  // seconds
  // One note of the scale per pass in the streak, the second note a fifth higher
  const double pitch = 523.25 * std::exp2(std::min(streak, 8u) / 6.0);
  std::vector<float> samples(static_cast<std::size_t>(length * rate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / rate;
    const double end = std::min(1.0, (length - t) / 0.02);
    const auto note = [&](double hertz, double since) {
      if (since <= 0.0) return 0.0;
      return std::min(1.0, since / 0.005) * std::exp(-14.0 * since) *
             std::sin(2.0 * pi * hertz * since);
    };
    const double sum = note(pitch, t) + note(1.5 * pitch, t - second);
    samples[i] = static_cast<float>(loudness * end * sum);
  }
  return samples;
}

bool warningDue(double secondsToHit, double since) noexcept {
  constexpr double within = 2.0, soonest = 0.12;
  return secondsToHit < within && since >= std::max(soonest, 0.4 * secondsToHit);
}

struct ImpactSound::Device {
  /// A sound that is playing.
  struct Voice {
    std::vector<float> samples;
    std::size_t next = 0;
  };
  SDL_AudioDeviceID id = 0;
  std::array<Voice, 6> voices;

  Device() {
    // Opening a missing device would make its library print to stderr
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0 || SDL_GetNumAudioDevices(0) <= 0) return;
    SDL_AudioSpec wanted{};
    wanted.freq = samplesASecond;
    wanted.format = AUDIO_F32SYS;
    wanted.channels = 1;
    wanted.samples = 512;
    wanted.callback = mix;
    wanted.userdata = this;
    id = SDL_OpenAudioDevice(nullptr, 0, &wanted, nullptr, 0);
    if (id != 0) SDL_PauseAudioDevice(id, 0);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    if (id != 0) SDL_CloseAudioDevice(id);
    if (SDL_WasInit(SDL_INIT_AUDIO) != 0) SDL_QuitSubSystem(SDL_INIT_AUDIO);
  }

  /// Runs on SDL's audio thread, which holds the device's lock.
  static void mix(void* self, Uint8* bytes, int size) {
    auto* const out = reinterpret_cast<float*>(bytes);
    const auto count = static_cast<std::size_t>(size) / sizeof(float);
    std::fill(out, out + count, 0.0f);
    for (Device::Voice& voice : static_cast<Device*>(self)->voices)
      for (std::size_t i = 0; i < count && voice.next < voice.samples.size(); ++i)
        out[i] = std::clamp(out[i] + voice.samples[voice.next++], -1.0f, 1.0f);
  }
};

ImpactSound::ImpactSound() = default;
ImpactSound::ImpactSound(ImpactSound&&) noexcept = default;
ImpactSound& ImpactSound::operator=(ImpactSound&&) noexcept = default;
ImpactSound::~ImpactSound() = default;

void ImpactSound::open() { device_ = std::make_unique<Device>(); }

void ImpactSound::play(double speed, double loudness) {
  if (!device_ || device_->id == 0) return;
  std::vector<float> samples = impactSamples(speed, samplesASecond);
  for (float& sample : samples) sample *= static_cast<float>(std::clamp(loudness, 0.0, 1.0));
  sound(std::move(samples));
}

void ImpactSound::warn() {
  if (device_ && device_->id != 0) sound(warningSamples(samplesASecond));
}

void ImpactSound::playNearMiss(std::uint32_t streak) {
  if (device_ && device_->id != 0) sound(nearMissSamples(streak, samplesASecond));
}

void ImpactSound::sound(std::vector<float> samples) {
  SDL_LockAudioDevice(device_->id);
  for (Device::Voice& voice : device_->voices) {
    if (voice.next < voice.samples.size()) continue;
    voice.samples.swap(samples);
    voice.next = 0;
    break;
  }
  SDL_UnlockAudioDevice(device_->id);
}

}  // namespace nearmiss::app::fly
