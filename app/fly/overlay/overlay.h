// SPDX-License-Identifier: MIT
/// Everything that is written over the scene: a function of what was measured and chosen.
#pragma once

#include <engine/flight/frame_profile.h>
#include <nearmiss/distance.h>
#include <nearmiss/narrow_phase.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/overlay/hover.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/messages.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/views.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

class Ink;

class Overlay {
 public:
  /// Where panels will stand in this frame: decided before anything is drawn, because the scene is
  /// not drawn below them.
  std::span<const Ground> place(const OverlayView& view);
  /// Those of the last place().
  [[nodiscard]] std::span<const Ground> grounds() const noexcept { return grounds_; }
  /// Writes the panels, their grounds included; what stands where goes into the ink's spots.
  void drawPanels(const Ink& ink, const OverlayView& view) const;
  /// Writes what lies over panels and scene into ImGui's draw lists; between NewFrame() and
  /// Render(). `scroll` is brought into the range of what is open. Returns what was clicked on the
  /// question whether to quit. What a page covers goes out of `spots`.
  Answer drawOver(const OverlayView& view, Toasts& toasts, float& scroll, HoverSpots& spots) const;

  /// In a replay: the frame that the mouse drags its bar to.
  [[nodiscard]] std::optional<std::uint64_t> replayPulled(const OverlayView& view) const;
  /// True if a click there is meant for a panel, not for the scene.
  [[nodiscard]] bool takesClick(const glm::vec2& at) const noexcept;
  /// Where the panels of the last place() stand.
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  /// The part of the window that the panels of the last place() leave to the scene.
  [[nodiscard]] const Rect& sceneArea() const noexcept { return layout_.scene; }
  [[nodiscard]] const Rect& statusArea() const noexcept { return layout_.status; }
  /// True if the last place() gave the progress of trees a panel.
  [[nodiscard]] bool showsGrowing() const noexcept { return layout_.growing.shown(); }

 private:
  Layout layout_;
  std::vector<Ground> grounds_;
};

}  // namespace nearmiss::app::fly
