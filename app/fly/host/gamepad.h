// SPDX-License-Identifier: MIT
/// A game controller: it may come and go at any time; sticks, buttons, and a shake for hits.
#pragma once

#include <engine/flight/ship.h>

#include <glm/vec2.hpp>
#include <span>
#include <string_view>

#include "fly/host/input_events.h"

union SDL_Event;

namespace nearmiss::app {

/// A button or stick, and what it does.
struct PadBinding {
  std::string_view name, text;
};
[[nodiscard]] std::span<const PadBinding> padBindings() noexcept;

/// Of a stick's deflection in [-1, 1]: nothing within 0.15 of the middle, then a cubic curve, so
/// that small turns are easy.
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

  /// As the sticks, triggers and shoulder buttons stand; all zero without a controller.
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

}  // namespace nearmiss::app
