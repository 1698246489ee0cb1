// SPDX-License-Identifier: MIT
/// Everything drawn over the scene, as a function of measurements and settings.
#pragma once

#include <engine/flight/frame_profile.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/pair.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/overlay/hover.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/messages.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class Ink;

class Overlay {
 public:
  /// Computes the positions of the panels. Called before drawing, because the scene is not drawn
  /// below panels.
  std::span<const Ground> place(const OverlayView& view);
  /// The panel areas of the last place().
  [[nodiscard]] std::span<const Ground> grounds() const noexcept { return grounds_; }
  /// Draws the panels with their backgrounds; adds hover areas to the ink's spots.
  void drawPanels(const Ink& ink, const OverlayView& view) const;
  /// Draws pages and messages over panels and scene into ImGui's draw lists; call between
  /// NewFrame() and Render(). Clamps `scroll` to the range of the open page. Removes covered areas
  /// from `spots`. Returns the answer to the quit question.
  /// Messages cover none of `ships`, the areas of ships in the picture.
  Answer drawOver(const OverlayView& view, Toasts& toasts, float& scroll, HoverSpots& spots,
                  std::span<const Rect> ships = {}) const;

  /// In a replay: the frame to which the user drags the bar.
  [[nodiscard]] std::optional<std::uint64_t> replayPulled(const OverlayView& view) const;
  /// Returns true if a click there hits a panel and not the scene.
  [[nodiscard]] bool takesClick(const glm::vec2& at) const noexcept;
  /// The part of the window not covered by panels of the last place().
  [[nodiscard]] const Rect& sceneArea() const noexcept { return layout_.scene; }
  /// The ship is in the middle of this area.
  [[nodiscard]] const Rect& cameraArea() const noexcept { return layout_.camera; }
  /// The area of a panel in the last place(), see panels.h.
  [[nodiscard]] const Rect& areaOf(Panel panel) const noexcept { return layout_[panel]; }

 private:
  Layout layout_;
  std::vector<Ground> grounds_;
};

}  // namespace nearmiss::app::fly
