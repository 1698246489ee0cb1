// SPDX-License-Identifier: MIT
/// User actions on a window, as SDL would report them.
#pragma once

#include <SDL.h>

#include <filesystem>

namespace nearmiss::test {

inline void pushKey(SDL_Scancode key, bool down, SDL_Keymod modifiers = KMOD_NONE) {
  SDL_Event event{};
  event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
  event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
  event.key.keysym.scancode = key;
  event.key.keysym.mod = static_cast<Uint16>(modifiers);
  SDL_PushEvent(&event);
}

/// Down and up.
inline void tapKey(SDL_Scancode key, SDL_Keymod modifiers = KMOD_NONE) {
  pushKey(key, true, modifiers);
  pushKey(key, false, modifiers);
}

inline void pushQuit() {
  SDL_Event event{};
  event.type = SDL_QUIT;
  SDL_PushEvent(&event);
}

inline void pushDrop(const std::filesystem::path& file) {
  SDL_Event event{};
  event.type = SDL_DROPFILE;
  event.drop.file = SDL_strdup(file.c_str());
  SDL_PushEvent(&event);
}

}  // namespace nearmiss::test
