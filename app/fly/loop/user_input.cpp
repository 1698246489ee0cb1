// SPDX-License-Identifier: MIT
#include "fly/loop/loop.h"

#include <SDL.h>
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string_view>

#include "console/interrupt.h"
#include "fly/choices/detection_choice.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// Handles connected controllers, the stick for looking around, and level cap steps from the d-pad.
void handleGamepad(FlightContext& context, const InputEvents& events) {
  constexpr float lookSpeed = 400.0f;  // pixels of dragging per second
  if (!events.padWent.empty()) context.say("controller", "controller gone: " + events.padWent);
  if (!events.padCame.empty())
    context.say("controller", fmt::format("controller: {}; {} shows its buttons", events.padCame,
                                          localKeyName(Action::Help)));
  const glm::vec2 look =
      lookSpeed * static_cast<float>(context.times.turnSeconds) * context.input.gamepad().look();
  // In a duel it looks around behind the second ship
  CameraRig& rig = context.input.gamepad().secondPlayer() ? context.modes.duel.secondView().rig
                                                          : context.view.rig;
  rig.drag(double{look.x}, double{look.y});
  UiState& ui = context.ui;
  if (events.capSteps == 0 || !context.hasFlight() || ui.pages.pageOpen() ||
      ReplayMode::refuses(context))
    return;
  // One step beyond the finest level means no cap
  const int finest = engine::exactDepth + 1;
  const int cap = std::clamp(std::min(ui.detection.levelCap, finest) + events.capSteps, 1, finest);
  ui.detection.levelCap = cap == finest ? Detector::noLevelCap : cap;
}

/// The wheel scrolls the page under the mouse; over the flight it zooms.
void handleWheel(FlightContext& context, float notches) {
  if (notches == 0.0f) return;
  ScreenPanels& panels = context.panels;
  const ImVec2& pointer = ImGui::GetIO().MousePos;
  if (context.ui.pages.pageOpen())
    context.ui.pages.scroll -= 2.0f * notches;
  else if (meets(panels.overlay.areaOf(Panel::Controls), {pointer.x, pointer.y, 1.0f, 1.0f}))
    (context.ui.pages.keyPage ? panels.keys : panels.controls).scroll(2.0f * notches);
  else if (context.modes.photo.on())
    context.view.rig.widen(double{-notches});
  else
    context.view.rig.zoom(double{notches});
}

/// Speed of the camera in photo mode, relative to its normal speed.
constexpr double photoPace = 0.2;

/// Held keys steer the ship or the free camera.
void steer(FlightContext& context) {
  engine::ShipControl& control = context.steering.control;
  CameraRig& rig = context.view.rig;
  control = context.input.control(context.ui);
  if (context.script && context.script->aims()) aimAtGoal(context);
  const Gamepad& pad = context.input.gamepad();
  context.steering.boosts =
      context.input.held(Action::Boost) || (!pad.secondPlayer() && pad.boosts());
  context.steering.rewinds = context.input.held(Action::Rewind);
  // A user who thrusts needs no hint
  if (rig.mode() != CameraMode::Free || rig.looking()) return;
  // Composing a picture needs slow motion
  const double pace = context.modes.photo.on() ? photoPace : 1.0;
  const double passed = pace * std::min(context.times.turnSeconds, longestRealFrame);
  rig.moveFree({-control.yaw, control.pitch, control.thrust}, passed);
  rig.turnFree(-control.roll, passed);
  control = {};
}

/// Edits the search text while help is open.
void search(OpenPages& pages, std::string_view typed) {
  if (!pages.help) return;
  for (const char c : typed) {
    if (c != '\b')
      pages.search += c;
    else if (!pages.search.empty())
      pages.search.pop_back();
    pages.scroll = 0.0f;
  }
}

}  // namespace

void handleUserInput(FlightContext& context) {
  context.input.gamepad().setSecondPlayer(context.modes.duel.shown(context));
  const bool steeredBefore = context.ui.steering.stickActive;
  const InputEvents& events = context.input.poll(context.ui);
  if (events.quit || interrupted()) context.stop();
  if (context.ui.steering.stickActive != steeredBefore)
    SDL_SetRelativeMouseMode(context.ui.steering.stickActive ? SDL_TRUE : SDL_FALSE);
  for (const Action action : events.pressed) apply(context, action);
  search(context.ui.pages, events.typed);
  handleGamepad(context, events);
  handlePanelInput(context, events);
  const auto modes = context.modes.all();
  if (!events.dropped.empty() &&
      std::ranges::none_of(modes, [&](Mode* mode) { return mode->drop(context, events.dropped); }))
    dropModel(context, events.dropped);
  if (events.pull != glm::vec2(0.0f))
    for (Mode* mode : modes)
      if (mode->pull(context, events.pull, events.pullTurns)) break;
  if (events.letGo)
    for (Mode* mode : modes) mode->letGo(context);

  if (events.wheel != 0.0f || events.drag != glm::vec2(0.0f) || events.click)
    context.modes.tour.hold();
  context.view.rig.drag(double{events.drag.x}, double{events.drag.y});
  handleWheel(context, events.wheel);
  if (context.hasFlight() && events.click) click(context, *events.click, events.clickMarks);
  steer(context);
  context.view.contacts.follow(context);
}

}  // namespace nearmiss::app::fly
