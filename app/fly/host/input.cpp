// SPDX-License-Identifier: MIT
#include "fly/host/input.h"

#include <SDL.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string_view>
#include <utility>

namespace nearmiss::app::fly {
namespace {

PadFocus focusOf(const OpenPages& pages) noexcept {
  if (pages.runEnd) return PadFocus::Card;
  return pages.panelHasKeys() ? PadFocus::Panel : PadFocus::Ship;
}

constexpr float stickPixels = 160.0f;  // distance from the centre to full deflection
constexpr float mouseDeadZone = 0.06f;
constexpr double fineTurn = 0.25, fineThrust = 0.4;

/// Applies a dead zone and a gentle curve near it.
double shaped(float deflection) noexcept {
  const double size = std::abs(double{deflection});
  if (size < mouseDeadZone) return 0.0;
  const double rest = (size - mouseDeadZone) / (1.0 - mouseDeadZone);
  return std::copysign(rest * (0.4 + 0.6 * rest), double{deflection});
}

}  // namespace

const InputEvents& Input::poll(UiState& ui) {
  events_.pressed.clear();
  events_.panelKeys.clear();
  events_.given.reset();
  events_.typed.clear();
  events_.quit = false;
  events_.click.reset();
  events_.drag = events_.pull = glm::vec2(0.0f);
  events_.letGo = false;
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
        handleKey(ui, {event.key.keysym.scancode, (event.key.keysym.mod & KMOD_SHIFT) != 0},
                  event.key.repeat != 0);
        break;
      case SDL_KEYUP:
        down_[event.key.keysym.scancode] = false;
        break;
      case SDL_MOUSEBUTTONDOWN:
        buttonDown(event.button, ui);
        break;
      case SDL_MOUSEBUTTONUP:
        if (event.button.button == SDL_BUTTON_LEFT) {
          leftButton_ = false;
          events_.letGo = true;
        }
        if (event.button.button == SDL_BUTTON_MIDDLE) middleButton_ = false;
        if (event.button.button == SDL_BUTTON_RIGHT) rightButton_ = false;
        break;
      case SDL_MOUSEMOTION:
        pointerInside_ = true;
        pointer_ = {event.motion.x, event.motion.y};
        if (middleButton_ && !ui.steering.stickActive)
          events_.drag += glm::vec2(event.motion.xrel, event.motion.yrel);
        if (leftButton_ && !ui.steering.stickActive)
          events_.pull += glm::vec2(event.motion.xrel, event.motion.yrel);
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
        // Key releases while another window has the keyboard are not reported
        if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
          down_.fill(false);
          leftButton_ = middleButton_ = rightButton_ = false;
          events_.letGo = true;
        }
        // A fast pointer leaves without a last position
        if (event.window.event == SDL_WINDOWEVENT_LEAVE) pointerInside_ = false;
        if (event.window.event == SDL_WINDOWEVENT_ENTER) pointerInside_ = true;
        break;
      default:
        pad_.take(event, focusOf(ui.pages), events_);
        break;
    }
  }

  events_.pullTurns = down_[SDL_SCANCODE_LSHIFT] || down_[SDL_SCANCODE_RSHIFT];
  // While a panel is open the pointer is needed, so the mouse does not steer
  const bool steering = (ui.steering.mouseSteering && !ui.pages.controls) || rightButton_;
  if (!steering) ui.steering.stick = glm::vec2(0.0f);
  ui.steering.stickActive = steers_ = steering;
  return events_;
}

void Input::placePointer() const noexcept {
  constexpr float nowhere = -std::numeric_limits<float>::max();  // what ImGui takes for no pointer
  const glm::vec2 at = pointer().value_or(glm::vec2(nowhere));
  ImGui::GetIO().MousePos = {at.x, at.y};
}

void Input::handleKey(const UiState& ui, KeyPress key, bool repeated) {
  if (ui.pages.asksForKey) {
    // Shift modifies the next key
    const bool shift = key.key == SDL_SCANCODE_LSHIFT || key.key == SDL_SCANCODE_RSHIFT;
    if (!repeated && !shift) events_.given = key;
    return;
  }
  if (forPanel(ui, key.key) || forSearch(ui, key.key)) return;
  down_[key.key] = true;
  keyDown(key, repeated);
}

bool Input::forPanel(const UiState& ui, SDL_Scancode key) {
  if (!ui.pages.panelHasKeys()) return false;
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

/// In help, printing keys are appended to the search, as labelled on this keyboard.
bool Input::forSearch(const UiState& ui, SDL_Scancode key) {
  if (!ui.pages.help || ui.pages.quitQuestion) return false;
  if (key == SDL_SCANCODE_BACKSPACE) {
    events_.typed += '\b';
    return true;
  }
  SDL_Keycode code = SDL_GetKeyFromScancode(key);
  // Without a window the layout is unknown: use the names of the keys
  const std::string_view name = SDL_GetScancodeName(key);
  if (code == SDLK_UNKNOWN && name.size() == 1) code = std::tolower(name[0]);
  if (code < ' ' || code > '~') return false;
  events_.typed += static_cast<char>(code);
  return true;
}

void Input::buttonDown(const SDL_MouseButtonEvent& button, const UiState& ui) {
  const glm::vec2 at(button.x, button.y);
  const bool free = !meets(panel_, {at.x, at.y, 1.0f, 1.0f});
  if (button.button == SDL_BUTTON_RIGHT) rightButton_ = free;
  if (button.button == SDL_BUTTON_MIDDLE) middleButton_ = free;
  if (button.button != SDL_BUTTON_LEFT) return;
  leftButton_ = free;
  // While the mouse steers there is no pointer
  if (ui.steering.stickActive) return;
  events_.click = at;
  events_.clickMarks = down_[SDL_SCANCODE_LSHIFT] || down_[SDL_SCANCODE_RSHIFT];
}

void Input::keyDown(KeyPress key, bool repeated) {
  if (ImGui::GetIO().WantCaptureKeyboard) return;
  const Command* command = currentKeys().find(key);
  if (!command || command->held || (repeated && !command->repeats)) return;
  events_.pressed.push_back(command->action);
}

void Input::moveStick(UiState& ui, float dx, float dy) noexcept {
  if (!ui.steering.stickActive) return;
  ui.steering.stick += glm::vec2(dx, dy) / stickPixels;
  const float length = glm::length(ui.steering.stick);
  if (length > 1.0f) ui.steering.stick /= length;
}

bool Input::held(Action action) const noexcept {
  if (std::ranges::find(scripted_, action) != scripted_.end()) return true;
  if (ImGui::GetIO().WantCaptureKeyboard) return false;
  const bool shift = down_[SDL_SCANCODE_LSHIFT] || down_[SDL_SCANCODE_RSHIFT];
  const KeyMap& keys = currentKeys();
  return std::ranges::any_of(keys.of(action), [&](const KeyPress& key) {
    if (!down_[key.key]) return false;
    // The key, or its combination with Shift, may belong to another action
    const Command* meant = keys.find({key.key, shift});
    return meant && meant->held && meant->action == action;
  });
}

engine::ShipControl Input::control(const UiState& ui) const noexcept {
  const auto axis = [this](Action positive, Action negative) {
    return (held(positive) ? 1.0 : 0.0) - (held(negative) ? 1.0 : 0.0);
  };
  engine::ShipControl control;
  control.thrust = axis(Action::ThrustForward, Action::ThrustBack);
  if (ui.steering.stickActive)
    control.thrust = std::clamp(
        control.thrust + (leftButton_ ? 1.0 : 0.0) - (middleButton_ ? 1.0 : 0.0), -1.0, 1.0);
  control.yaw = axis(Action::YawLeft, Action::YawRight);
  control.pitch = axis(Action::PitchUp, Action::PitchDown);
  control.roll = axis(Action::RollRight, Action::RollLeft);
  const engine::ShipControl pad = pad_.secondPlayer() ? engine::ShipControl() : pad_.control();
  control.thrust = std::clamp(control.thrust + pad.thrust, -1.0, 1.0);
  control.yaw = std::clamp(control.yaw + pad.yaw, -1.0, 1.0);
  control.pitch = std::clamp(control.pitch + pad.pitch, -1.0, 1.0);
  control.roll = std::clamp(control.roll + pad.roll, -1.0, 1.0);
  if (ui.steering.fineControl) {
    control.thrust *= fineThrust;
    control.yaw *= fineTurn;
    control.pitch *= fineTurn;
    control.roll *= fineTurn;
  }
  if (ui.steering.stickActive) {
    const double turn = ui.steering.fineControl ? fineTurn : 1.0;
    control.yaw -= turn * shaped(ui.steering.stick.x);
    control.pitch -= turn * shaped(ui.steering.stick.y);
  }
  return control;
}

}  // namespace nearmiss::app::fly
