// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "console/complaint.h"
#include "fly/flight_loop.h"

namespace nearmiss::app {

/// What was chosen in the last flight, but for what the command line says.
void FlightLoop::recall() {
  ui_.muted = options_.mute;
  useKeys({});
  usePalette(options_.palette.value_or(Palette::Usual));
  if (memory_.file.empty()) return;
  RecalledSettings recalled = recallSettings(memory_.file);
  recalled_ = recalled.settings;
  if (!recalled.note.empty()) {
    complain(recalled.note);
    toasts_.add(recalled.note, wallSeconds(), Toasts::Kind::Warning);
  }
  if (!memory_.anew)
    for (const std::string& note : recalled.keyNotes) {
      complain(note);
      toasts_.add(note, wallSeconds(), Toasts::Kind::Warning);
    }
  useSettings(memory_.anew ? WindowSettings{} : recalled_);
  ui_.introduction = memory_.anew || !recalled_.introduced;
}

void FlightLoop::useSettings(const WindowSettings& settings) {
  ui_.overlay = settings.overlay;
  ui_.drawLevel = settings.spheres;
  ui_.wireframe = settings.wireframe;
  ui_.boundingSpheres = settings.boundingSpheres;
  ui_.cues = settings.cues;
  ui_.reduceFlashing = settings.reduceFlashing;
  ui_.muted = settings.muted || options_.mute;
  cameraRig_.setMode(settings.camera);
  scaleText(settings.uiScale);
  useKeys(settings.keys);
  usePalette(options_.palette.value_or(settings.palette));
}

/// An option of the command line holds for its flight.
void FlightLoop::scaleText(float scale) {
  textScale_ = scale;
  if (options_.uiScale <= 0.0f) window_.setUiScale(scale);
}

WindowSettings FlightLoop::settings() const {
  WindowSettings settings;
  settings.overlay = ui_.overlay;
  settings.spheres = beforePhoto_ ? beforePhoto_->drawLevel : ui_.drawLevel;
  settings.camera = cameraRig_.mode();
  settings.wireframe = ui_.wireframe;
  settings.boundingSpheres = ui_.boundingSpheres;
  settings.cues = ui_.cues;
  settings.reduceFlashing = ui_.reduceFlashing;
  settings.muted = options_.mute ? recalled_.muted : ui_.muted;
  settings.introduced = true;
  settings.uiScale = textScale_;
  settings.palette = options_.palette ? recalled_.palette : paletteInForce();
  settings.keys = keysInForce();
  return settings;
}

/// A controller that came or went, and what its cross says of the level cap.
void FlightLoop::heedGamepad(const InputEvents& events) {
  constexpr float lookSpeed = 400.0f;  // pixels of dragging a second
  if (!events.padWent.empty()) say("controller", "controller gone: " + events.padWent);
  if (!events.padCame.empty())
    say("controller", fmt::format("controller: {}; {} shows its buttons", events.padCame,
                                  localKeyName(Action::Help)));
  const glm::vec2 look = lookSpeed * static_cast<float>(turnSeconds_) * input_.gamepad().look();
  cameraRig_.drag(double{look.x}, double{look.y});
  if (events.capSteps == 0 || !flight_ || ui_.pageOpen() || refusedInReplay()) return;
  // Beyond the finest level there is no cap
  const int finest = engine::exactDepth + 1;
  const int cap = std::clamp(std::min(ui_.levelCap, finest) + events.capSteps, 1, finest);
  ui_.levelCap = cap == finest ? Detector::noLevelCap : cap;
}

}  // namespace nearmiss::app
