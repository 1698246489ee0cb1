// SPDX-License-Identifier: MIT
/// The window with its OpenGL 3.3 core context and ImGui.
#pragma once

#include <nearmiss/result.h>

#include <memory>
#include <string>

struct SDL_Window;

namespace nearmiss::app {
struct Options;
}

namespace nearmiss::app::fly {

class Window {
 public:
  /// Opens SDL, a window, a context and ImGui. Errors: Unsupported, with a sentence for the user.
  static Result<Window> open(const Options& options);
  Window(Window&&) noexcept;
  Window& operator=(Window&&) noexcept;
  ~Window();

  [[nodiscard]] SDL_Window* handle() const noexcept;
  /// Size of the framebuffer, pixels.
  [[nodiscard]] int width() const noexcept;
  [[nodiscard]] int height() const noexcept;
  [[nodiscard]] bool minimised() const noexcept;
  [[nodiscard]] float uiScale() const noexcept;
  /// Changes the size of text from the next frame on; 0: from the display's density.
  /// @pre outside an ImGui frame
  void setUiScale(float scale);
  [[nodiscard]] bool vsync() const noexcept;
  void toggleFullScreen() noexcept;
  void setTitle(const std::string& title) noexcept;
  void swap() noexcept;

 private:
  Window() = default;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss::app::fly
