// SPDX-License-Identifier: MIT
/// Text over a flight: panels, labels, pages, questions, and hints for the item under the mouse.
#pragma once

#include <optional>
#include <string>

#include "fly/host/input.h"
#include "fly/overlay/hover.h"
#include "fly/overlay/overlay.h"
#include "fly/panel/control_panel.h"
#include "fly/panel/key_editor.h"

namespace nearmiss::app::fly {

class Canvas;
struct FlightContext;

struct ScreenPanels {
  Overlay overlay;
  ControlPanel controls;
  KeyEditor keyEditor;
  ControlPanel keys;                ///< the controls' page of keys
  std::optional<ControlWish> wish;  ///< of the last frame's panel, by mouse
  HoverSpots spots;
  HeldNumbers numbers;  ///< all that is shown of measurements
};

/// Takes up what is measured, to be shown: before anything reads it.
void holdNumbers(FlightContext& context);
/// All that panels show; numbers are held first. `coarsened`: see FrameFacts. Valid for the frame.
/// @pre context.flies()
[[nodiscard]] OverlayView describeScreen(FlightContext& context, bool coarsened);
/// Writes all of it. @pre a frame of ImGui is under way
void writeScreen(FlightContext& context, const Canvas& canvas);

/// Passes the mouse, arrow keys and a requested key to the panel of controls.
void heedPanel(FlightContext& context, const InputEvents& events);
/// A click on a panel, a field of the status bar, or a ship, which is picked, or marked if `marks`.
void click(FlightContext& context, const glm::vec2& at, bool marks);
/// The panel's page of keys.
void openKeyPage(FlightContext& context);
void closeKeyPage(FlightContext& context) noexcept;

/// True if models are being loaded, long enough to say so: a short build would only flash by.
[[nodiscard]] bool loadingShown(const FlightContext& context) noexcept;
/// The window's title.
[[nodiscard]] std::string titleOf(const FlightContext& context);

}  // namespace nearmiss::app::fly
