// SPDX-License-Identifier: MIT
#include "fly/host/rumble.h"

#include <SDL.h>

#include <algorithm>
#include <utility>

namespace nearmiss::app {
namespace {

constexpr double strongest = 65535.0;
constexpr Uint32 milliseconds = 160;

SDL_GameController* asController(void* controller) {
  return static_cast<SDL_GameController*>(controller);
}

}  // namespace

Rumble::Rumble(Rumble&& other) noexcept
    : controller_(std::exchange(other.controller_, nullptr)),
      started_(std::exchange(other.started_, false)) {}

Rumble::~Rumble() {
  if (controller_) SDL_GameControllerClose(asController(controller_));
  if (started_) SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void Rumble::start() { started_ = SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0; }

void Rumble::shake(double strength) {
  if (!started_) return;
  // One may have come or gone since the last hit
  if (controller_ && !SDL_GameControllerGetAttached(asController(controller_))) {
    SDL_GameControllerClose(asController(controller_));
    controller_ = nullptr;
  }
  for (int i = 0; !controller_ && i < SDL_NumJoysticks(); ++i)
    if (SDL_IsGameController(i)) controller_ = SDL_GameControllerOpen(i);
  if (!controller_) return;
  const auto force = static_cast<Uint16>(strongest * std::clamp(strength, 0.0, 1.0));
  SDL_GameControllerRumble(asController(controller_), force, force, milliseconds);
}

}  // namespace nearmiss::app
