// SPDX-License-Identifier: MIT
/// Text over a flight: panels, labels, pages, questions and hover text.
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
  ControlPanel keys;                      ///< the page of keys
  ModelFolder models;                     ///< models offered by the controls
  std::optional<ControlInput> selection;  ///< mouse input to the panel of the last frame
  HoverSpots spots;                       ///< those of panels come first
  HoverChoice hover;
  std::size_t panelSpots = 0;        ///< number of those of panels
  std::vector<PixelRect> covered;    ///< areas covered by panels in this frame
  std::vector<Ground> taken;         ///< areas of panels and messages, without labels
  double laidAt = -1.0;              ///< wall seconds of the last drawing of the panels
  std::shared_ptr<ImDrawList> list;  ///< of the panels; null before the first drawing
  HeldNumbers numbers;               ///< all displayed measurements
};

/// Updates the displayed measurements; call before anything reads them.
void holdNumbers(FlightContext& context);
/// Describes all panels; call holdNumbers() first. `coarsened`: see FrameFacts. Valid for the
/// frame.
/// @pre context.hasFlight()
[[nodiscard]] OverlayView describeScreen(FlightContext& context, bool coarsened);
/// Call before drawing the scene: describes and places all panels, excludes their areas from the
/// scene, and redraws their sheet if due. Returns `nullopt` without a flight.
/// @pre inside an ImGui frame
[[nodiscard]] std::optional<OverlayView> layPanels(FlightContext& context, Canvas& canvas);
/// Call after drawing the scene: draws sheet, labels and pages. `view` is from layPanels() of this
/// frame.
void writeScreen(FlightContext& context, Canvas& canvas, const std::optional<OverlayView>& view);

/// Passes the mouse, arrow keys and a requested key to the control panel.
void handlePanelInput(FlightContext& context, const InputEvents& events);
/// Handles a click on a panel, the status bar, or a ship, which is picked, or marked if `marks` is
/// true.
void click(FlightContext& context, const glm::vec2& at, bool marks);
/// Opens the panel's page of keys.
void openKeyPage(FlightContext& context);
void closeKeyPage(FlightContext& context) noexcept;

/// Returns true if loading has lasted long enough to show it; a short build would only flicker.
[[nodiscard]] bool loadingShown(const FlightContext& context) noexcept;
/// The window's title.
[[nodiscard]] std::string titleOf(const FlightContext& context);

}  // namespace nearmiss::app::fly
