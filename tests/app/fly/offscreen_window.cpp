// SPDX-License-Identifier: MIT
#include "app/fly/offscreen_window.h"

#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <glad/gl.h>

// The driver and its compiler keep memory for the life of the process.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:swrast_dri\nleak:libLLVM\nleak:libEGL\nleak:libgallium\nleak:libSDL2\nleak:dlopen\n";
}

namespace nearmiss::test {
namespace {

void GLAPIENTRY hear(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* words,
                     const void* user) {
  if (type != GL_DEBUG_TYPE_ERROR && type != GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) return;
  // OpenGL hands the list back as const, whatever it was.
  static_cast<std::vector<std::string>*>(const_cast<void*>(user))->emplace_back(words);
}

}  // namespace

OffscreenWindow::OffscreenWindow(int width, int height) {
  SDL_SetMainReady();
  SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) {
    failure_ = SDL_GetError();
    return;
  }
  // One more claim on the driver, never given back: were it unloaded with its last window, the
  // leak checker could not tell whose memory it has kept.
  SDL_GL_LoadLibrary(nullptr);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_DEBUG_FLAG);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
  SDL_Window* window = SDL_CreateWindow("test", 0, 0, width, height, SDL_WINDOW_OPENGL);
  window_ = window;
  if (window) context_ = SDL_GL_CreateContext(window);
  if (!context_) {
    failure_ = SDL_GetError();
    return;
  }
  gladLoadGL(reinterpret_cast<GLADloadfunc>(SDL_GL_GetProcAddress));
  if (GLAD_GL_KHR_debug) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(hear, &complaints_);
    reports_ = true;
  }
}

OffscreenWindow::~OffscreenWindow() {
  if (context_) SDL_GL_DeleteContext(context_);
  if (window_) SDL_DestroyWindow(static_cast<SDL_Window*>(window_));
}

}  // namespace nearmiss::test
