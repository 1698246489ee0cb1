// SPDX-License-Identifier: MIT
#include "fly/host/window.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "fly/overlay/ink.h"
#include "options/options.h"

namespace nearmiss::app::fly {

struct Window::Parts {
  SDL_Window* window = nullptr;
  SDL_GLContext context = nullptr;
  float uiScale = 1.0f;
  bool imgui = false, vsync = false;

  ~Parts() {
    if (imgui) {
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplSDL2_Shutdown();
      ImGui::DestroyContext();
    }
    if (context) SDL_GL_DeleteContext(context);
    if (window) SDL_DestroyWindow(window);
    SDL_Quit();
  }
};

Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;
Window::~Window() = default;

namespace {

Error failure(std::string message) { return {ErrorCode::Unsupported, std::move(message)}; }

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

// SDL falls back to drivers without output; report that unless it is wanted.
Result<Success> startVideo(bool headless) {
  SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "0");
  const std::string noDisplay =
      isSet("DISPLAY") || isSet("WAYLAND_DISPLAY")
          ? "no display found (DISPLAY or WAYLAND_DISPLAY is set, but cannot be reached). Run "
            "inside a desktop session, or use --headless."
          : "no display found (DISPLAY and WAYLAND_DISPLAY are unset). Run inside a desktop "
            "session, or use --headless.";
  const bool requested = headless || isSet("SDL_VIDEODRIVER");
  if (!requested && !isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) return failure(noDisplay);
  if (headless) SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
  if (SDL_Init(SDL_INIT_VIDEO) != 0)
    return failure(headless
                       ? fmt::format("SDL cannot start its offscreen driver: {}", SDL_GetError())
                       : noDisplay);
  const char* driver = SDL_GetCurrentVideoDriver();
  const std::string_view name = driver ? driver : "";
  if (!requested && (name == "offscreen" || name == "dummy" || name == "evdev" || name == "KMSDRM"))
    return failure(noDisplay);
  return Success{};
}

void askForContext(int msaa) {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, msaa > 0 ? 1 : 0);
  SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, msaa);
}

// Tries again without requirements and reports what the driver has, for the error message.
std::string describeDriver() {
  std::string offer = "this driver offers none";
  SDL_GL_ResetAttributes();
  SDL_Window* window =
      SDL_CreateWindow("nearmiss", 0, 0, 64, 64, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
  if (window) {
    if (SDL_GLContext context = SDL_GL_CreateContext(window)) {
      using GetString = const GLubyte*(GLAD_API_PTR*)(GLenum);
      const auto getString = reinterpret_cast<GetString>(SDL_GL_GetProcAddress("glGetString"));
      const auto text = [&](GLenum what) {
        const GLubyte* s = getString ? getString(what) : nullptr;
        return std::string(s ? reinterpret_cast<const char*>(s) : "?");
      };
      const std::string version = text(GL_VERSION);
      offer = fmt::format("this driver offers {} ({})", version.substr(0, version.find(' ')),
                          text(GL_RENDERER));
      SDL_GL_DeleteContext(context);
    }
    SDL_DestroyWindow(window);
  }
  return fmt::format("needs OpenGL 3.3; {}. On Debian: apt install libgl1-mesa-dri.", offer);
}

float displayScale(SDL_Window* window) {
  float dpi = 0.0f;
  if (SDL_GetDisplayDPI(std::max(0, SDL_GetWindowDisplayIndex(window)), nullptr, &dpi, nullptr) !=
      0)
    return 1.0f;
  // Multiples of 0.25 keep glyphs sharp; the limits handle monitors that report a wrong size
  return std::clamp(std::round(dpi / 96.0f * 4.0f) / 4.0f, 1.0f, 2.0f);
}

void startImGui(SDL_Window* window, SDL_GLContext context, float scale) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  ImGui_ImplSDL2_InitForOpenGL(window, context);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  loadFonts(scale);
}

}  // namespace

Result<Window> Window::open(const Options& options) {
  Window opened;
  opened.parts_ = std::make_unique<Parts>();
  Parts& parts = *opened.parts_;
  if (auto video = startVideo(options.window.headless); !video) return video.error();

  // Create the context; retry without multisampling on failure
  Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE;
  if (options.window.fullscreen) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
  for (const int msaa : {options.window.msaa, 0}) {
    askForContext(msaa);
    parts.window = SDL_CreateWindow("Nearmiss", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                    options.window.width, options.window.height, flags);
    if (parts.window) parts.context = SDL_GL_CreateContext(parts.window);
    if (parts.context) break;
    if (parts.window) SDL_DestroyWindow(parts.window);
    parts.window = nullptr;
  }
  if (!parts.context) return failure(describeDriver());
  SDL_GL_MakeCurrent(parts.window, parts.context);
  const auto load = reinterpret_cast<GLADloadfunc>(SDL_GL_GetProcAddress);
  if (gladLoadGL(load) < GLAD_MAKE_VERSION(3, 3)) {
    SDL_GL_DeleteContext(parts.context);
    SDL_DestroyWindow(parts.window);
    parts.context = nullptr;
    parts.window = nullptr;
    return failure(describeDriver());
  }

  // Films and pictures have exactly the requested size
  SDL_SetWindowMinimumSize(parts.window, std::min(480, options.window.width),
                           std::min(300, options.window.height));
  parts.vsync = options.window.vsync && SDL_GL_SetSwapInterval(1) == 0;
  if (!parts.vsync) SDL_GL_SetSwapInterval(0);
  SDL_StopTextInput();
  SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
  parts.uiScale = options.window.uiScale > 0.0f ? std::clamp(options.window.uiScale, 0.5f, 4.0f)
                                                : displayScale(parts.window);
  startImGui(parts.window, parts.context, parts.uiScale);
  parts.imgui = true;
  return opened;
}

SDL_Window* Window::handle() const noexcept { return parts_->window; }

int Window::width() const noexcept {
  int width = 0;
  SDL_GL_GetDrawableSize(parts_->window, &width, nullptr);
  return std::max(width, 1);
}

int Window::height() const noexcept {
  int height = 0;
  SDL_GL_GetDrawableSize(parts_->window, nullptr, &height);
  return std::max(height, 1);
}

bool Window::minimised() const noexcept {
  return (SDL_GetWindowFlags(parts_->window) & SDL_WINDOW_MINIMIZED) != 0;
}

float Window::uiScale() const noexcept { return parts_->uiScale; }

void Window::setUiScale(float scale) {
  const float wanted = scale > 0.0f ? scale : displayScale(parts_->window);
  if (wanted == parts_->uiScale) return;
  parts_->uiScale = wanted;
  ImGui::GetIO().Fonts->Clear();
  loadFonts(wanted);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

bool Window::vsync() const noexcept { return parts_->vsync; }

void Window::toggleFullScreen() noexcept {
  const bool full = (SDL_GetWindowFlags(parts_->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
  SDL_SetWindowFullscreen(parts_->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

void Window::setTitle(const std::string& title) noexcept {
  SDL_SetWindowTitle(parts_->window, title.c_str());
}

void Window::swap() noexcept { SDL_GL_SwapWindow(parts_->window); }

}  // namespace nearmiss::app::fly
