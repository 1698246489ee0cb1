// SPDX-License-Identifier: MIT
/// From SDL's events to user input: actions, sticks, picks, dropped files.
#pragma once

#include <engine/flight/ship.h>

#include <array>
#include <glm/vec2.hpp>

#include "fly/host/gamepad.h"
#include "fly/host/input_events.h"
#include "fly/overlay/layout.h"
#include "fly/ui_state.h"

struct SDL_MouseButtonEvent;

namespace nearmiss::app {

class Input {
 public:
  /// Controllers count from now on.
  void startGamepad() { pad_.start(); }
  [[nodiscard]] Gamepad& gamepad() noexcept { return pad_; }

  /// Reads all waiting events; ImGui sees them first. `ui` gets the virtual stick's position.
  const InputEvents& poll(UiState& ui);

  /// Sticks as the held keys, the mouse and a controller set them; all zero while a panel has the
  /// keyboard.
  [[nodiscard]] engine::ShipControl control(const UiState& ui) const noexcept;
  [[nodiscard]] bool held(Action action) const noexcept;
  /// What the mouse begins there is not meant for the ship or the camera.
  void keepOff(const Rect& panel) noexcept { panel_ = panel; }

 private:
  void takeKey(const UiState& ui, KeyPress key, bool repeated);
  [[nodiscard]] bool forPanel(const UiState& ui, SDL_Scancode key);
  void buttonDown(const SDL_MouseButtonEvent& button, const UiState& ui);
  void keyDown(KeyPress key, bool repeated);
  void moveStick(UiState& ui, float dx, float dy) noexcept;

  InputEvents events_;
  std::array<bool, SDL_NUM_SCANCODES> down_{};
  bool leftButton_ = false, middleButton_ = false, rightButton_ = false;
  Rect panel_;
  Gamepad pad_;
};

}  // namespace nearmiss::app
