// SPDX-License-Identifier: MIT
/// From SDL's events to user input: actions, sticks, picks, dropped files.
#pragma once

#include <engine/flight/ship.h>

#include <array>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "fly/host/key_bindings.h"
#include "fly/overlay/layout.h"
#include "fly/ui_state.h"

struct SDL_MouseButtonEvent;

namespace nearmiss::app {

/// What one frame's events amount to.
struct InputEvents {
  std::vector<Action> pressed;      ///< in the order of the keys
  std::vector<PanelKey> panelKeys;  ///< while the panel of controls has them
  bool quit = false;                ///< the window was closed
  std::optional<glm::vec2> click;   ///< pixels
  glm::vec2 drag{0.0f};             ///< pixels, middle button
  float wheel = 0.0f;               ///< notches
  std::filesystem::path dropped;    ///< last file dropped; empty: none
};

class Input {
 public:
  /// Reads all waiting events; ImGui sees them first. `ui` gets the virtual stick's position.
  const InputEvents& poll(UiState& ui);

  /// Sticks as the held keys and the mouse set them; all zero while a panel has the keyboard.
  [[nodiscard]] engine::ShipControl control(const UiState& ui) const noexcept;
  [[nodiscard]] bool held(Action action) const noexcept;
  /// What the mouse begins there is not meant for the ship or the camera.
  void keepOff(const Rect& panel) noexcept { panel_ = panel; }

 private:
  [[nodiscard]] bool forPanel(const UiState& ui, SDL_Scancode key);
  void buttonDown(const SDL_MouseButtonEvent& button, const UiState& ui);
  void keyDown(SDL_Scancode key, bool shift, bool repeated);
  void moveStick(UiState& ui, float dx, float dy) noexcept;

  InputEvents events_;
  std::array<bool, SDL_NUM_SCANCODES> down_{};
  bool leftButton_ = false, middleButton_ = false, rightButton_ = false;
  Rect panel_;
};

}  // namespace nearmiss::app
