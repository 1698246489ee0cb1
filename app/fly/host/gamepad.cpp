// SPDX-License-Identifier: MIT
#include "fly/host/gamepad.h"

#include <SDL.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "fly/host/input.h"

namespace nearmiss::app::fly {
namespace {

constexpr double stickDeadZone = 0.15;
constexpr double strongest = 65535.0, fullDeflection = 32767.0;
constexpr Uint32 shakeMilliseconds = 160;

SDL_GameController* asController(void* controller) {
  return static_cast<SDL_GameController*>(controller);
}

constexpr std::array bindings{
    PadBinding{"Left stick", "yaw and pitch; pressed: panel (cross, A, B)"},
    PadBinding{"LB, RB", "roll left, right; both: boost"},
    PadBinding{"RT, LT", "thrust forward, back"},
    PadBinding{"Right stick", "look around; pressed: reset camera"},
    PadBinding{"A, B", "stop turning; detector"},
    PadBinding{"X, Y", "spheres; camera"},
    PadBinding{"Cross", "tow, shoot or throw; level cap coarser, finer"},
    PadBinding{"Start, Back", "pause; overlay"},
    PadBinding{"On an end card", "A: again; B: fly on; X: closest passes; Y: next mission"},
    PadBinding{"In a duel",
               "the second ship: sticks, LB, RB, RT, LT as above; A: shoot or throw; X: "
               "tow; right stick pressed: reset camera; Start: pause"}};

template <class Meaning>
struct Button {
  SDL_GameControllerButton button;
  Meaning meaning;
};
template <class Meaning>
Button(SDL_GameControllerButton, Meaning) -> Button<Meaning>;

/// Adds what a button means, and returns true, if the table has it.
template <class Meaning, std::size_t count>
bool addMeaning(const std::array<Button<Meaning>, count>& table, int button,
                std::vector<Meaning>& out) {
  const auto found = std::ranges::find(table, button, &Button<Meaning>::button);
  if (found == table.end()) return false;
  out.push_back(found->meaning);
  return true;
}

constexpr std::array buttons{Button{SDL_CONTROLLER_BUTTON_A, Action::StopRotation},
                             Button{SDL_CONTROLLER_BUTTON_B, Action::NextMethod},
                             Button{SDL_CONTROLLER_BUTTON_X, Action::NextDrawLevel},
                             Button{SDL_CONTROLLER_BUTTON_Y, Action::NextCamera},
                             Button{SDL_CONTROLLER_BUTTON_DPAD_LEFT, Action::Tow},
                             Button{SDL_CONTROLLER_BUTTON_DPAD_RIGHT, Action::Shoot},
                             Button{SDL_CONTROLLER_BUTTON_START, Action::Pause},
                             Button{SDL_CONTROLLER_BUTTON_BACK, Action::NextOverlay},
                             Button{SDL_CONTROLLER_BUTTON_LEFTSTICK, Action::OpenControls},
                             Button{SDL_CONTROLLER_BUTTON_RIGHTSTICK, Action::ResetCamera}};

constexpr std::array cardButtons{Button{SDL_CONTROLLER_BUTTON_A, Action::Restart},
                                 Button{SDL_CONTROLLER_BUTTON_B, Action::Back},
                                 Button{SDL_CONTROLLER_BUTTON_X, Action::Confirm},
                                 Button{SDL_CONTROLLER_BUTTON_Y, Action::NextMission}};

constexpr std::array panelButtons{Button{SDL_CONTROLLER_BUTTON_DPAD_UP, PanelKey::Up},
                                  Button{SDL_CONTROLLER_BUTTON_DPAD_DOWN, PanelKey::Down},
                                  Button{SDL_CONTROLLER_BUTTON_DPAD_LEFT, PanelKey::Left},
                                  Button{SDL_CONTROLLER_BUTTON_DPAD_RIGHT, PanelKey::Right},
                                  Button{SDL_CONTROLLER_BUTTON_A, PanelKey::Enter}};
constexpr std::array panelActions{Button{SDL_CONTROLLER_BUTTON_B, Action::Back}};
constexpr std::array secondPlayerButtons{Button{SDL_CONTROLLER_BUTTON_START, Action::Pause}};

}  // namespace

std::span<const PadBinding> padBindings() noexcept { return bindings; }

double stickCurve(double deflection) noexcept {
  const double size = std::min(std::abs(deflection), 1.0);
  if (size <= stickDeadZone) return 0.0;
  const double rest = (size - stickDeadZone) / (1.0 - stickDeadZone);
  return std::copysign(rest * rest * rest, deflection);
}

Gamepad::Gamepad(Gamepad&& other) noexcept
    : controller_(std::exchange(other.controller_, nullptr)),
      started_(std::exchange(other.started_, false)),
      second_(std::exchange(other.second_, false)) {}

Gamepad::~Gamepad() {
  close();
  if (started_) SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void Gamepad::start() { started_ = SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0; }

void Gamepad::close() {
  if (controller_) SDL_GameControllerClose(asController(controller_));
  controller_ = nullptr;
}

void Gamepad::open(int device, InputEvents& events) {
  if (controller_ || !SDL_IsGameController(device)) return;
  controller_ = SDL_GameControllerOpen(device);
  const char* name = controller_ ? SDL_GameControllerName(asController(controller_)) : nullptr;
  if (controller_) events.padCame = name ? name : "without a name";
}

void Gamepad::take(const SDL_Event& event, PadFocus focus, InputEvents& events) {
  if (!started_) return;
  SDL_Joystick* own =
      controller_ ? SDL_GameControllerGetJoystick(asController(controller_)) : nullptr;
  const SDL_JoystickID steering = own ? SDL_JoystickInstanceID(own) : -1;
  switch (event.type) {
    case SDL_CONTROLLERDEVICEADDED:
      open(event.cdevice.which, events);
      break;
    case SDL_CONTROLLERDEVICEREMOVED: {
      if (event.cdevice.which != steering) break;
      const char* name = SDL_GameControllerName(asController(controller_));
      events.padWent = name ? name : "without a name";
      close();
      // Switch to another connected controller
      for (int device = 0; device < SDL_NumJoysticks(); ++device) open(device, events);
      break;
    }
    case SDL_CONTROLLERBUTTONDOWN:
      if (event.cbutton.which == steering) press(event.cbutton.button, focus, events);
      break;
    default:
      break;
  }
}

void Gamepad::press(int button, PadFocus focus, InputEvents& events) const {
  if (focus == PadFocus::Panel && (addMeaning(panelButtons, button, events.panelKeys) ||
                                   addMeaning(panelActions, button, events.pressed)))
    return;
  if (focus == PadFocus::Card && addMeaning(cardButtons, button, events.pressed)) return;
  if (second_) {
    (void)addMeaning(secondPlayerButtons, button, events.pressed);
    return;
  }
  if (button == SDL_CONTROLLER_BUTTON_DPAD_UP) ++events.capSteps;
  if (button == SDL_CONTROLLER_BUTTON_DPAD_DOWN) --events.capSteps;
  (void)addMeaning(buttons, button, events.pressed);
}

double Gamepad::axis(int axis) const {
  const auto id = static_cast<SDL_GameControllerAxis>(axis);
  return SDL_GameControllerGetAxis(asController(controller_), id) / fullDeflection;
}

engine::ShipControl Gamepad::control() const {
  engine::ShipControl control;
  if (!controller_) return control;
  const auto down = [this](SDL_GameControllerButton button) {
    return SDL_GameControllerGetButton(asController(controller_), button) ? 1.0 : 0.0;
  };
  control.yaw = -stickCurve(axis(SDL_CONTROLLER_AXIS_LEFTX));
  control.pitch = -stickCurve(axis(SDL_CONTROLLER_AXIS_LEFTY));
  control.roll =
      down(SDL_CONTROLLER_BUTTON_RIGHTSHOULDER) - down(SDL_CONTROLLER_BUTTON_LEFTSHOULDER);
  control.thrust = stickCurve(axis(SDL_CONTROLLER_AXIS_TRIGGERRIGHT)) -
                   stickCurve(axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT));
  return control;
}

bool Gamepad::held(PadButton button) const {
  constexpr std::array meant{SDL_CONTROLLER_BUTTON_A, SDL_CONTROLLER_BUTTON_X,
                             SDL_CONTROLLER_BUTTON_RIGHTSTICK};
  return controller_ && second_ &&
         SDL_GameControllerGetButton(asController(controller_),
                                     meant[static_cast<std::size_t>(button)]) != 0;
}

bool Gamepad::boosts() const {
  const auto down = [this](SDL_GameControllerButton button) {
    return SDL_GameControllerGetButton(asController(controller_), button) != 0;
  };
  return controller_ && down(SDL_CONTROLLER_BUTTON_LEFTSHOULDER) &&
         down(SDL_CONTROLLER_BUTTON_RIGHTSHOULDER);
}

glm::vec2 Gamepad::look() const {
  if (!controller_) return glm::vec2(0.0f);
  return {static_cast<float>(stickCurve(axis(SDL_CONTROLLER_AXIS_RIGHTX))),
          static_cast<float>(stickCurve(axis(SDL_CONTROLLER_AXIS_RIGHTY)))};
}

void Gamepad::shake(double strength) {
  if (!controller_) return;
  const auto force = static_cast<Uint16>(strongest * std::clamp(strength, 0.0, 1.0));
  SDL_GameControllerRumble(asController(controller_), force, force, shakeMilliseconds);
}

}  // namespace nearmiss::app::fly
