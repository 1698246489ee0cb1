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

class Overlay {
 public:
  /// Writes into ImGui's draw lists; between NewFrame() and Render(). `scroll` is brought into the
  /// range of what is open. Returns what was clicked on the question whether to quit. What stands
  /// where goes into `spots`.
  Answer draw(const OverlayView& view, Toasts& toasts, float& scroll, HoverSpots& spots);

  /// Where panels will stand in this frame: decided before anything is drawn, because their ground
  /// is not drawn but cleared, which costs next to nothing where there is no GPU.
  std::span<const Ground> place(const OverlayView& view);
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
