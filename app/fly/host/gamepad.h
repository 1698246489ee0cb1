// SPDX-License-Identifier: MIT
/// A game controller with sticks, buttons and rumble.
#pragma once

#include <engine/flight/ship.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <string_view>

union SDL_Event;

namespace nearmiss::app::fly {

struct InputEvents;

/// A button or stick and its function.
struct PadBinding {
  std::string_view name, text;
};
[[nodiscard]] std::span<const PadBinding> padBindings() noexcept;

/// Maps a stick's deflection in [-1, 1]: a dead zone of 0.15, then a cubic curve for fine control.
[[nodiscard]] double stickCurve(double deflection) noexcept;

/// Buttons that act on the second ship of a duel while they are down.
enum class PadButton : std::uint8_t { Shoot, Tow, ResetCamera };

/// What the controller's buttons act on: the ship, the control panel, or the card at the end of a
/// game.
enum class PadFocus : std::uint8_t { Ship, Panel, Card };

/// The game controller that was connected first. It can be connected or disconnected at any time.
class Gamepad {
 public:
  Gamepad() = default;
  Gamepad(Gamepad&& other) noexcept;
  Gamepad& operator=(Gamepad&&) = delete;
  ~Gamepad();

  /// Starts to look for controllers.
  /// @pre SDL is initialised and outlives this object
  void start();
  /// Processes a controller event. The controller that was connected first steers.
  void take(const SDL_Event& event, PadFocus focus, InputEvents& events);

  [[nodiscard]] bool connected() const noexcept { return controller_ != nullptr; }
  /// Sets whether the controller steers the second ship of a duel. Then its other buttons do
  /// nothing, except Start, which pauses, and those for the control panel and the end card.
  void setSecondPlayer(bool second) noexcept { second_ = second; }
  /// Returns true if the controller steers the second ship.
  [[nodiscard]] bool secondPlayer() const noexcept { return second_; }
  /// Returns true while that button of the second player is down.
  [[nodiscard]] bool held(PadButton button) const;
  /// Reads sticks, triggers and shoulder buttons; all zero without a controller.
  [[nodiscard]] engine::ShipControl control() const;
  /// Returns true while both shoulder buttons are held.
  [[nodiscard]] bool boosts() const;
  /// The right stick: right and down, each in [-1, 1].
  [[nodiscard]] glm::vec2 look() const;
  /// Rumbles; `strength` from 0 to 1.
  void shake(double strength);

 private:
  void open(int device, InputEvents& events);
  void close();
  void press(int button, PadFocus focus, InputEvents& events) const;
  [[nodiscard]] double axis(int axis) const;

  void* controller_ = nullptr;  ///< SDL_GameController
  bool started_ = false, second_ = false;
};

}  // namespace nearmiss::app::fly
