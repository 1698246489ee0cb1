// SPDX-License-Identifier: MIT
/// Text over a flight: panels, labels, pages, questions, and hints for the item under the mouse.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fly/command/model_folder.h"
#include "fly/gfx/draw_frame.h"
#include "fly/host/input.h"
#include "fly/overlay/hover.h"
#include "fly/overlay/overlay.h"
#include "fly/panel/control_panel.h"
#include "fly/panel/key_editor.h"

struct ImDrawList;

namespace nearmiss::app::fly {

class Canvas;
struct FlightContext;

struct ScreenPanels {
  Overlay overlay;
  ControlPanel controls;
  KeyEditor keyEditor;
  ControlPanel keys;                 ///< the controls' page of keys
  ModelFolder models;                ///< those that the controls offer
  std::optional<ControlWish> wish;   ///< of the last frame's panel, by mouse
  HoverSpots spots;                  ///< those of panels first
  std::size_t panelSpots = 0;        ///< their number
  std::vector<PixelRect> covered;    ///< by panels, in this frame
  std::vector<Ground> taken;         ///< by panels and messages: no label stands there
  double laidAt = -1.0;              ///< wall seconds at which they were last drawn
  std::shared_ptr<ImDrawList> list;  ///< of panels; null until they are first drawn
  HeldNumbers numbers;               ///< all that is shown of measurements
};

/// Takes up what is measured, to be shown: before anything reads it.
void holdNumbers(FlightContext& context);
/// All that panels show; numbers are held first. `coarsened`: see FrameFacts. Valid for the frame.
/// @pre context.flies()
[[nodiscard]] OverlayView describeScreen(FlightContext& context, bool coarsened);
/// Before the scene is drawn: describes all panels, places them, has the scene left out below them,
/// and draws them into their sheet where it is time for that. Nothing without a flight to show.
/// @pre a frame of ImGui is under way
[[nodiscard]] std::optional<OverlayView> layPanels(FlightContext& context, Canvas& canvas);
/// After that: shows the sheet, and writes the rest. `view` from layPanels() of this frame.
void writeScreen(FlightContext& context, Canvas& canvas, const std::optional<OverlayView>& view);

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
