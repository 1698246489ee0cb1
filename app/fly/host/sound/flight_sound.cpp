// SPDX-License-Identifier: MIT
#include "fly/host/sound/flight_sound.h"

#include <SDL.h>

namespace nearmiss::app::fly {

struct FlightSound::Device {
  SDL_AudioDeviceID id = 0;
  Mixer mixer;

  Device() {
    // Opening a missing device would make its library print to stderr
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0 || SDL_GetNumAudioDevices(0) <= 0) return;
    SDL_AudioSpec wanted{};
    wanted.freq = static_cast<int>(samplesPerSecond);
    wanted.format = AUDIO_F32SYS;
    wanted.channels = 2;
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

  /// Runs on SDL's audio thread.
  static void mix(void* self, Uint8* bytes, int size) {
    static_cast<Device*>(self)->mixer.render(
        {reinterpret_cast<float*>(bytes), static_cast<std::size_t>(size) / sizeof(float)});
  }
};

FlightSound::FlightSound() = default;
FlightSound::~FlightSound() = default;

void FlightSound::open() { device_ = std::make_unique<Device>(); }

bool FlightSound::ready() const noexcept { return device_ && device_->id != 0; }

void FlightSound::play(const OneShot& shot) {
  if (ready()) device_->mixer.play(shot);
}

void FlightSound::set(const Soundscape& scape) {
  if (ready()) device_->mixer.set(scape);
}

}  // namespace nearmiss::app::fly
