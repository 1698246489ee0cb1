// SPDX-License-Identifier: MIT
#include "fly/settings/remembered_settings.h"

#include <utility>

#include "console/complaint.h"
#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

void complainAndWarn(FlightContext& context, const std::string& note) {
  complain(note);
  context.warn(note);
}

WindowSettings settingsOf(const FlightContext& context) {
  const UiState& ui = context.ui;
  const WindowSettings& recalled = context.remembered.recalled;
  WindowSettings settings;
  settings.overlay = ui.view.overlay;
  settings.spheres = ui.view.drawLevel;
  settings.camera = context.view.rig.mode();
  settings.wireframe = ui.view.wireframe;
  settings.boundingSpheres = ui.view.boundingSpheres;
  settings.cues = ui.view.cues;
  settings.reduceFlashing = ui.view.reduceFlashing;
  settings.muted = context.options.window.mute ? recalled.muted : ui.view.muted;
  settings.volumes = ui.view.volumes;
  settings.assist = ui.steering.assist;
  settings.introduced = true;
  settings.uiScale = context.remembered.textScale;
  settings.palette = context.options.window.palette ? recalled.palette : currentPalette();
  settings.keys = currentKeys();
  return settings;
}

}  // namespace

void restoreSettings(FlightContext& context, SettingsMemory memory) {
  const Options& options = context.options;
  RememberedSettings& remembered = context.remembered;
  remembered.memory = std::move(memory);
  context.ui.view.muted = options.window.mute;
  useKeys({});
  usePalette(options.window.palette.value_or(Palette::Usual));
  if (remembered.memory.file.empty()) {
    // A script begins as a new user does
    remembered.firstStart = !options.script.empty();
    if (remembered.firstStart) context.ui.view.overlay = OverlayMode::Player;
    return;
  }
  LoadedSettings recalled = loadSettings(remembered.memory.file);
  remembered.recalled = recalled.settings;
  if (recalled.unread) remembered.memory.file.clear();
  const bool usual = remembered.memory.restoresDefaults;
  if (!recalled.note.empty()) complainAndWarn(context, recalled.note);
  if (!usual)
    for (const std::string& note : recalled.keyNotes) complainAndWarn(context, note);
  useSettings(context, usual ? WindowSettings{} : remembered.recalled);
  remembered.firstStart = !options.window.headless && !unattended(options) &&
                          (usual || !remembered.recalled.introduced);
  if (remembered.firstStart) context.ui.view.overlay = OverlayMode::Player;
}

void useSettings(FlightContext& context, const WindowSettings& settings) {
  UiState& ui = context.ui;
  ui.view.overlay = settings.overlay;
  ui.view.drawLevel = settings.spheres;
  ui.view.wireframe = settings.wireframe;
  ui.view.boundingSpheres = settings.boundingSpheres;
  ui.view.cues = settings.cues;
  ui.view.reduceFlashing = settings.reduceFlashing;
  ui.view.muted = settings.muted || context.options.window.mute;
  ui.view.volumes = settings.volumes;
  ui.steering.assist = settings.assist;
  context.view.rig.setMode(settings.camera);
  scaleText(context, settings.uiScale);
  useKeys(settings.keys);
  usePalette(context.options.window.palette.value_or(settings.palette));
}

void scaleText(FlightContext& context, float scale) {
  context.remembered.textScale = scale;
  if (context.options.window.uiScale <= 0.0f && context.screen.window)
    context.screen.window->setUiScale(scale);
}

void remember(FlightContext& context) {
  context.modes.tour.leave(context);
  context.modes.bench.leave(context);
  context.modes.photo.leave(context);
  const RememberedSettings& remembered = context.remembered;
  if (remembered.memory.file.empty()) return;
  const WindowSettings now = settingsOf(context);
  if (now == remembered.recalled) return;
  if (auto kept = saveSettings(remembered.memory.file, now); !kept)
    complain("the settings are not remembered: " + kept.error().message);
}

}  // namespace nearmiss::app::fly
