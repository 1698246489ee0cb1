// SPDX-License-Identifier: MIT
#include "fly/host/input.h"

#include <SDL.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::app {
namespace {

constexpr float stickPixels = 160.0f;  // from the middle to the stop
constexpr float deadZone = 0.06f;
constexpr double fineTurn = 0.25, fineThrust = 0.4;

/// Without effect about the middle, gentle near it.
double shaped(float deflection) noexcept {
  const double size = std::abs(double{deflection});
  if (size < deadZone) return 0.0;
  const double rest = (size - deadZone) / (1.0 - deadZone);
  return std::copysign(rest * (0.4 + 0.6 * rest), double{deflection});
}

}  // namespace

const InputEvents& Input::poll(UiState& ui) {
  events_.pressed.clear();
  events_.panelKeys.clear();
  events_.given.reset();
  events_.quit = false;
  events_.click.reset();
  events_.drag = glm::vec2(0.0f);
  events_.wheel = 0.0f;
  events_.dropped.clear();
  events_.capSteps = 0;
  events_.padCame.clear();
  events_.padWent.clear();

  SDL_Event event;
  while (SDL_PollEvent(&event)) {
    ImGui_ImplSDL2_ProcessEvent(&event);
    switch (event.type) {
      case SDL_QUIT:
        events_.quit = true;
        break;
      case SDL_KEYDOWN:
        takeKey(ui, {event.key.keysym.scancode, (event.key.keysym.mod & KMOD_SHIFT) != 0},
                event.key.repeat != 0);
        break;
      case SDL_KEYUP:
        down_[event.key.keysym.scancode] = false;
        break;
      case SDL_MOUSEBUTTONDOWN:
        buttonDown(event.button, ui);
        break;
      case SDL_MOUSEBUTTONUP:
        if (event.button.button == SDL_BUTTON_LEFT) leftButton_ = false;
        if (event.button.button == SDL_BUTTON_MIDDLE) middleButton_ = false;
        if (event.button.button == SDL_BUTTON_RIGHT) rightButton_ = false;
        break;
      case SDL_MOUSEMOTION:
        if (middleButton_ && !ui.stickActive)
          events_.drag += glm::vec2(event.motion.xrel, event.motion.yrel);
        moveStick(ui, static_cast<float>(event.motion.xrel), static_cast<float>(event.motion.yrel));
        break;
      case SDL_MOUSEWHEEL:
        events_.wheel += event.wheel.preciseY;
        break;
      case SDL_DROPFILE:
        events_.dropped = event.drop.file;
        SDL_free(event.drop.file);
        break;
      case SDL_WINDOWEVENT:
        // Keys let go while another window has the keyboard are never reported
        if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
          down_.fill(false);
          leftButton_ = middleButton_ = rightButton_ = false;
        }
        break;
      default:
        pad_.take(event, ui.panelHasKeys(), events_);
        break;
    }
  }

  // A panel is for the pointer, which steering takes away
  const bool steering = (ui.mouseSteering && !ui.controls) || rightButton_;
  if (!steering) ui.stick = glm::vec2(0.0f);
  ui.stickActive = steering;
  return events_;
}

void Input::takeKey(const UiState& ui, KeyPress key, bool repeated) {
  if (ui.asksForKey) {
    // Shift is a part of the key that follows
    const bool shift = key.key == SDL_SCANCODE_LSHIFT || key.key == SDL_SCANCODE_RSHIFT;
    if (!repeated && !shift) events_.given = key;
    return;
  }
  if (forPanel(ui, key.key)) return;
  down_[key.key] = true;
  keyDown(key, repeated);
}

bool Input::forPanel(const UiState& ui, SDL_Scancode key) {
  if (!ui.panelHasKeys()) return false;
  constexpr std::array keys{std::pair{SDL_SCANCODE_UP, PanelKey::Up},
                            std::pair{SDL_SCANCODE_DOWN, PanelKey::Down},
                            std::pair{SDL_SCANCODE_LEFT, PanelKey::Left},
                            std::pair{SDL_SCANCODE_RIGHT, PanelKey::Right},
                            std::pair{SDL_SCANCODE_RETURN, PanelKey::Enter},
                            std::pair{SDL_SCANCODE_KP_ENTER, PanelKey::Enter},
                            std::pair{SDL_SCANCODE_PAGEUP, PanelKey::GroupBefore},
                            std::pair{SDL_SCANCODE_PAGEDOWN, PanelKey::NextGroup}};
  for (const auto& [scancode, meaning] : keys)
    if (scancode == key) {
      events_.panelKeys.push_back(meaning);
      return true;
    }
  return false;
}

void Input::buttonDown(const SDL_MouseButtonEvent& button, const UiState& ui) {
  const glm::vec2 at(button.x, button.y);
  const bool free = !meets(panel_, {at.x, at.y, 1.0f, 1.0f});
  if (button.button == SDL_BUTTON_RIGHT) rightButton_ = free;
  if (button.button == SDL_BUTTON_MIDDLE) middleButton_ = free;
  if (button.button != SDL_BUTTON_LEFT) return;
  leftButton_ = free;
  // While the mouse steers there is no pointer to click with
  if (!ui.stickActive) events_.click = at;
}

void Input::keyDown(KeyPress key, bool repeated) {
  if (ImGui::GetIO().WantCaptureKeyboard) return;
  const KeyBinding* binding = keysInForce().find(key);
  if (!binding || binding->held || (repeated && !binding->repeats)) return;
  events_.pressed.push_back(binding->action);
}

void Input::moveStick(UiState& ui, float dx, float dy) noexcept {
  if (!ui.stickActive) return;
  ui.stick += glm::vec2(dx, dy) / stickPixels;
  const float length = glm::length(ui.stick);
  if (length > 1.0f) ui.stick /= length;
}

bool Input::held(Action action) const noexcept {
  if (ImGui::GetIO().WantCaptureKeyboard) return false;
  const bool shift = down_[SDL_SCANCODE_LSHIFT] || down_[SDL_SCANCODE_RSHIFT];
  const KeyMap& keys = keysInForce();
  return std::ranges::any_of(keys.of(action), [&](const KeyPress& key) {
    if (!down_[key.key]) return false;
    // Another action may have it, or have it with Shift
    const KeyBinding* meant = keys.find({key.key, shift});
    return meant && meant->held && meant->action == action;
  });
}

engine::ShipControl Input::control(const UiState& ui) const noexcept {
  const auto axis = [this](Action positive, Action negative) {
    return (held(positive) ? 1.0 : 0.0) - (held(negative) ? 1.0 : 0.0);
  };
  engine::ShipControl control;
  control.thrust = axis(Action::ThrustForward, Action::ThrustBack);
  if (ui.stickActive)
    control.thrust = std::clamp(
        control.thrust + (leftButton_ ? 1.0 : 0.0) - (middleButton_ ? 1.0 : 0.0), -1.0, 1.0);
  control.yaw = axis(Action::YawLeft, Action::YawRight);
  control.pitch = axis(Action::PitchUp, Action::PitchDown);
  control.roll = axis(Action::RollRight, Action::RollLeft);
  const engine::ShipControl pad = pad_.control();
  control.thrust = std::clamp(control.thrust + pad.thrust, -1.0, 1.0);
  control.yaw = std::clamp(control.yaw + pad.yaw, -1.0, 1.0);
  control.pitch = std::clamp(control.pitch + pad.pitch, -1.0, 1.0);
  control.roll = std::clamp(control.roll + pad.roll, -1.0, 1.0);
  if (ui.fineControl) {
    control.thrust *= fineThrust;
    control.yaw *= fineTurn;
    control.pitch *= fineTurn;
    control.roll *= fineTurn;
  }
  if (ui.stickActive) {
    const double turn = ui.fineControl ? fineTurn : 1.0;
    control.yaw -= turn * shaped(ui.stick.x);
    control.pitch -= turn * shaped(ui.stick.y);
  }
  return control;
}

}  // namespace nearmiss::app
