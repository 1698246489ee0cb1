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
  /// Saves the frame just drawn at twice the window's resolution, if a picture was requested in
  /// this mode. While the overlay is shown it is part of the picture: an ordinary screenshot.
  void photograph(FlightContext& context, Canvas& canvas, const DrawFrame& frame) const;

 private:
  void enter(FlightContext& context);

  struct Before {
    CameraRig rig;
    OverlayMode overlay = OverlayMode::Full;
    bool paused = false;
  };
  std::optional<Before> before_;
};

}  // namespace nearmiss::app::fly
