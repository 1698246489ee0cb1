// SPDX-License-Identifier: MIT
#include "fly/modes/photo_mode.h"

#include <fmt/format.h>

#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/canvas.h"

namespace nearmiss::app::fly {

void PhotoMode::toggle(FlightContext& context) {
  if (before_)
    leave(context);
  else
    enter(context);
}

void PhotoMode::leave(FlightContext& context) {
  if (!before_) return;
  context.view.rig = before_->rig;
  context.ui.view.overlay = before_->overlay;
  context.ui.pace.paused = before_->paused;
  before_.reset();
  context.toasts.forget("photo");
}

void PhotoMode::enter(FlightContext& context) {
  if (context.modes.split.on()) context.modes.split.leave(context);
  UiState& ui = context.ui;
  CameraRig& rig = context.view.rig;
  before_ = Before{rig, ui.view.overlay, ui.pace.paused};
  rig.startFreeCamera();
  ui.view.overlay = OverlayMode::Off;
  ui.pace.paused = true;
  ui.pace.pendingSteps = 0;
  context.say(
      "photo",
      fmt::format("photo mode: the ship's keys move the camera, {} and {} turn it, the "
                  "wheel sets the angle of view; {}: spheres, {}: overlay, {}: picture, {}: back",
                  localKeyName(Action::RollLeft), localKeyName(Action::RollRight),
                  localKeyName(Action::NextDrawLevel), localKeyName(Action::NextOverlay),
                  localKeyName(Action::Screenshot), localKeyName(Action::Photo)));
}

void PhotoMode::photograph(FlightContext& context, Canvas& canvas, const DrawFrame& frame) const {
  if (!before_ || context.ui.view.overlay != OverlayMode::Off) return;
  if (!std::exchange(context.records.screenshotRequested, false)) return;
  const Screen& screen = context.screen;
  if (auto photo = canvas.renderer().photograph(frame, screen.width, screen.height))
    context.records.screenshots.writeFresh("nearmiss-photo", photo->width, photo->height,
                                           std::move(photo->rgb));
  else
    context.warn(photo.error().message);
}

}  // namespace nearmiss::app::fly
