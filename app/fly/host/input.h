// SPDX-License-Identifier: MIT
/// One frame's input from keyboard, mouse and controller.
#pragma once

#include <engine/flight/ship.h>

#include <array>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/host/key_map.h"
#include "fly/overlay/layout.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

struct InputEvents {
  std::vector<Action> pressed;      ///< in the order of the keys
  std::vector<PanelKey> panelKeys;  ///< while the panel of controls has them
  std::optional<KeyPress> given;    ///< while the user is asked for a key
  std::string typed;                ///< while help is open: letters, and '\b' for one taken back
  bool quit = false;                ///< the window was closed
  std::optional<glm::vec2> click;   ///< pixels
  bool clickMarks = false;          ///< with Shift held
  glm::vec2 drag{0.0f};             ///< pixels, middle button
  glm::vec2 pull{0.0f};             ///< the same of the left one, after a click in the picture
  bool pullTurns = false;           ///< with Shift held
  bool letGo = false;               ///< the left button went up
  float wheel = 0.0f;               ///< notches
  std::filesystem::path dropped;    ///< last file dropped; empty: none
  int capSteps = 0;                 ///< of the level cap, finer; by a controller
  std::string padCame, padWent;     ///< a controller's name; empty: none did
};

}  // namespace nearmiss::app::fly

/// A game controller: it may come and go at any time; sticks, buttons, and a shake for hits.
union SDL_Event;

namespace nearmiss::app::fly {

/// A button or stick, and what it does.
struct PadBinding {
  std::string_view name, text;
};
[[nodiscard]] std::span<const PadBinding> padBindings() noexcept;

/// The effect of a stick's deflection in [-1, 1]: none within 0.15 of the middle, then a cubic
/// curve, so that small turns are easy.
[[nodiscard]] double stickCurve(double deflection) noexcept;

class Gamepad {
 public:
  Gamepad() = default;
  Gamepad(Gamepad&& other) noexcept;
  Gamepad& operator=(Gamepad&&) = delete;
  ~Gamepad();

  /// Looks for controllers from now on. @pre SDL has been started, and ends after this object
  void start();
  /// Takes up what an event says of controllers; the first that came is the one that steers. With
  /// `panel` its cross goes through the panel of controls.
  void take(const SDL_Event& event, bool panel, InputEvents& events);

  /// Reads sticks, triggers and shoulder buttons; all zero without a controller.
  [[nodiscard]] engine::ShipControl control() const;
  /// The right stick: right and down, each in [-1, 1].
  [[nodiscard]] glm::vec2 look() const;
  /// `strength` from 0 to 1.
  void shake(double strength);

 private:
  void open(int device, InputEvents& events);
  void close();
  void press(int button, bool panel, InputEvents& events) const;
  [[nodiscard]] double axis(int axis) const;

  void* controller_ = nullptr;  ///< SDL_GameController
  bool started_ = false;
};

}  // namespace nearmiss::app::fly

/// From SDL's events to user input: actions, sticks, picks, dropped files.
struct SDL_MouseButtonEvent;

namespace nearmiss::app::fly {

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
  /// False once the pointer has left the window, wherever it was seen last.
  [[nodiscard]] bool pointerInside() const noexcept { return pointerInside_; }
  /// Clicks and drags that begin there are not meant for the ship or the camera.
  void keepOff(const Rect& panel) noexcept { panel_ = panel; }

 private:
  void takeKey(const UiState& ui, KeyPress key, bool repeated);
  [[nodiscard]] bool forPanel(const UiState& ui, SDL_Scancode key);
  [[nodiscard]] bool forSearch(const UiState& ui, SDL_Scancode key);
  void buttonDown(const SDL_MouseButtonEvent& button, const UiState& ui);
  void keyDown(KeyPress key, bool repeated);
  void moveStick(UiState& ui, float dx, float dy) noexcept;

  InputEvents events_;
  std::array<bool, SDL_NUM_SCANCODES> down_{};
  bool leftButton_ = false, middleButton_ = false, rightButton_ = false;
  bool pointerInside_ = false;
  Rect panel_;
  Gamepad pad_;
};

}  // namespace nearmiss::app::fly
