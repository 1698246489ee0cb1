// SPDX-License-Identifier: MIT
#include "support/watched_window.h"

#include <SDL_opengl.h>
#include <dlfcn.h>

#include <mutex>
#include <utility>

namespace {

std::function<void(SDL_Window*)>& watcher() {
  static std::function<void(SDL_Window*)> each;
  return each;
}

std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}

std::vector<std::string>& messages() {
  static std::vector<std::string> all;
  return all;
}

void APIENTRY hear(GLenum, GLenum, GLuint, GLenum severity, GLsizei length, const GLchar* text,
                   const void*) {
  constexpr GLenum notification = 0x826B;
  if (severity == notification) return;
  const std::scoped_lock lock(guard());
  messages().emplace_back(text, static_cast<std::size_t>(length));
}

/// SDL's own function of that name.
template <typename Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

SDL_GLContext SDL_GL_CreateContext(SDL_Window* window) {
  int flags = 0;
  SDL_GL_GetAttribute(SDL_GL_CONTEXT_FLAGS, &flags);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, flags | SDL_GL_CONTEXT_DEBUG_FLAG);
  static const auto create = original<SDL_GLContext(SDL_Window*)>("SDL_GL_CreateContext");
  const SDL_GLContext context = create(window);
  if (!context) return context;
  constexpr GLenum output = 0x92E0, synchronous = 0x8242;
  using Callback = void(APIENTRY*)(decltype(&hear), const void*);
  using Enable = void(APIENTRY*)(GLenum);
  const auto callback = reinterpret_cast<Callback>(SDL_GL_GetProcAddress("glDebugMessageCallback"));
  const auto enable = reinterpret_cast<Enable>(SDL_GL_GetProcAddress("glEnable"));
  if (!callback || !enable) {
    const std::scoped_lock lock(guard());
    messages().emplace_back("the driver has no KHR_debug: nothing would be heard of it");
    return context;
  }
  enable(output);
  enable(synchronous);
  callback(&hear, nullptr);
  return context;
}

void SDL_GL_SwapWindow(SDL_Window* window) {
  if (watcher()) watcher()(window);
  static const auto swap = original<void(SDL_Window*)>("SDL_GL_SwapWindow");
  swap(window);
}

}  // extern "C"

namespace nearmiss::test {

void watchFrames(std::function<void(SDL_Window*)> each) { watcher() = std::move(each); }

std::vector<std::string> takeDriverMessages() {
  const std::scoped_lock lock(guard());
  return std::exchange(messages(), {});
}

}  // namespace nearmiss::test
