// SPDX-License-Identifier: MIT
/// Input of one frame from keyboard, mouse and controller.
#pragma once

#include <engine/flight/ship.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/host/gamepad.h"
#include "fly/host/key_map.h"
#include "fly/overlay/layout.h"

struct SDL_MouseButtonEvent;

namespace nearmiss::app::fly {

struct InputEvents {
  std::vector<Action> pressed;      ///< in the order of the keys
  std::vector<PanelKey> panelKeys;  ///< while the control panel has the focus
  std::optional<KeyPress> given;    ///< while the key editor waits for a key
  std::string typed;                ///< while help is open: letters, and '\b' for backspace
  bool quit = false;                ///< the window was closed
  std::optional<glm::vec2> click;   ///< pixels
  bool clickMarks = false;          ///< Shift was held
  glm::vec2 drag{0.0f};             ///< pixels, middle button
  glm::vec2 pull{0.0f};             ///< pixels, left button, after a press in the picture
  bool pullTurns = false;           ///< Shift was held
  bool letGo = false;               ///< the left button was released
  float wheel = 0.0f;               ///< notches
  std::filesystem::path dropped;    ///< last file dropped; empty: none
  int capSteps = 0;                 ///< steps of the level cap towards finer levels, from a
                                    ///< controller
  std::string padCame, padWent;     ///< name of a controller that was connected or disconnected;
                                    ///< empty: none
};

/// Converts SDL events to user input: actions, sticks, picks, dropped files.
class Input {
 public:
  /// Enables controllers.
  void startGamepad() { pad_.start(); }
  [[nodiscard]] Gamepad& gamepad() noexcept { return pad_; }
  [[nodiscard]] const Gamepad& gamepad() const noexcept { return pad_; }

  /// Reads all pending events after ImGui has seen them. Writes the position of the virtual stick
  /// to `ui`.
  const InputEvents& poll(UiState& ui);

  /// Combines held keys, mouse and controller to stick positions. Leaves out the controller of a
  /// second player. All zero while a panel has the keyboard.
  [[nodiscard]] engine::ShipControl control(const UiState& ui) const noexcept;
  [[nodiscard]] bool held(Action action) const noexcept;
  /// Holds the keys of these commands down, besides those that the user holds.
  void hold(std::vector<Action> actions) { scripted_ = std::move(actions); }
  /// Where the pointer is over the window, pixels, with or without the keyboard's focus; `nullopt`
  /// if it is elsewhere or steers.
  [[nodiscard]] std::optional<glm::vec2> pointer() const noexcept {
    return pointerInside_ && !steers_ ? std::optional(pointer_) : std::nullopt;
  }
  /// Passes the pointer to ImGui. Call between the NewFrame() of ImGui's SDL back end, which reads
  /// a position that may be out of date, and that of ImGui.
  void placePointer() const noexcept;
  /// Clicks and drags that start in this area do not affect ship and camera.
  void excludeArea(const Rect& panel) noexcept { panel_ = panel; }

 private:
  void handleKey(const UiState& ui, KeyPress key, bool repeated);
  [[nodiscard]] bool forPanel(const UiState& ui, SDL_Scancode key);
  [[nodiscard]] bool forSearch(const UiState& ui, SDL_Scancode key);
  void buttonDown(const SDL_MouseButtonEvent& button, const UiState& ui);
  void keyDown(KeyPress key, bool repeated);
  void moveStick(UiState& ui, float dx, float dy) noexcept;

  InputEvents events_;
  std::array<bool, SDL_NUM_SCANCODES> down_{};
  std::vector<Action> scripted_;
  bool leftButton_ = false, middleButton_ = false, rightButton_ = false;
  bool pointerInside_ = false, steers_ = false;
  glm::vec2 pointer_{0.0f};  ///< at its last event
  Rect panel_;
  Gamepad pad_;
};

}  // namespace nearmiss::app::fly
