// SPDX-License-Identifier: MIT
/// Photo mode: pauses the world, hides panels and frees the camera. Pictures have twice the
/// resolution of the window.
#pragma once

#include <optional>

#include "fly/choices/ui_state.h"
#include "fly/gfx/camera.h"
#include "fly/gfx/draw_frame.h"
#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

class PhotoMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return before_.has_value(); }
  /// Toggles the mode; leaving restores all settings that it changed.
  void toggle(FlightContext& context);
  /// Does nothing if the mode is off.
  void leave(FlightContext& context);
  /// The user's draw level outside this mode.
  [[nodiscard]] DrawLevel defaultDrawLevel(const UiState& ui) const noexcept {
    return before_ ? before_->drawLevel : ui.view.drawLevel;
  }
  /// Saves the frame just drawn, if a picture was requested in this mode.
  void photograph(FlightContext& context, Canvas& canvas, const DrawFrame& frame) const;

 private:
  void enter(FlightContext& context);

  struct Before {
    CameraRig rig;
    OverlayMode overlay = OverlayMode::Full;
    bool paused = false;
    DrawLevel drawLevel = DrawLevel::Contact;
  };
  std::optional<Before> before_;
};

}  // namespace nearmiss::app::fly
