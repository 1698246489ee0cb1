// SPDX-License-Identifier: MIT
/// Where the panels of the overlay stand: one pass over known sizes, for every window and scale.
#pragma once

#include <array>

#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// Pixels, y down. Without width it is not shown.
struct Rect {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
  [[nodiscard]] float right() const noexcept { return x + width; }
  [[nodiscard]] float bottom() const noexcept { return y + height; }
  [[nodiscard]] bool shown() const noexcept { return width > 0.0f && height > 0.0f; }
  [[nodiscard]] Rect inset(float by) const noexcept {
    return {x + by, y + by, width - 2.0f * by, height - 2.0f * by};
  }
};

[[nodiscard]] inline bool meets(const Rect& a, const Rect& b) noexcept {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// The panels that the user wants. Those of a flight take a fifth of the window at most: without
/// room for all, percentiles go first, then detection's figures; beside an inspector the hints.
struct LayoutWish {
  OverlayMode mode = OverlayMode::Full;
  bool inspector = false, hints = false;
  bool growing = false;   ///< trees are being built
  bool replay = false;    ///< a recorded session flies; nothing is built then
  bool run = false;       ///< a run for points flies
  bool split = false;     ///< two flights side by side: what is of one alone is left out
  bool ghost = false;     ///< an exact flight beside the hurried one
  bool controls = false;  ///< the panel of controls is open
  int tour = 0;           ///< figures that a stop of the tour has, and one; 0: there is no tour
  bool folded = false;    ///< only the status bar, and what a replay or a tour needs
};

struct Layout {
  Rect status, frame, levels, statistics, inspector, hints, growing, replay, run;
  Rect ghost;
  Rect controls;               ///< then `growing`, `run` and `ghost` have no panel
  Rect tour;                   ///< at the left, whatever the mode
  std::array<Rect, 2> halves;  ///< of a split view, each above its own
  Rect scene;                  ///< the area between status bar, frame panel and column
  Rect plot;                   ///< of the last frames, within the frame panel, if there is room
  bool levelsInFull = false;   ///< the level panel has room for detection's figures
};

/// Heights of panels in lines of text, known to those who fill them.
namespace panelLines {
constexpr int levels = 6, detection = 9, statistics = 5, inspector = 9, hints = 4;
constexpr int framePlain = 4, strip = 4, growing = 3, replay = 2, run = 4;
constexpr int half = 4, halfCompact = 2, ghost = 5, tour = 9;
}  // namespace panelLines

/// From one line of a panel to the next, in heights of its letters.
inline constexpr float lineHeight = 1.4f;

/// Half a line above and below what is written.
[[nodiscard]] constexpr float panelHeight(int lines, float em) noexcept {
  return lineHeight * em * static_cast<float>(lines) + 1.0f * em;
}

/// `em` is the size of the text in pixels.
[[nodiscard]] Layout layOut(float width, float height, float em, const LayoutWish& wish) noexcept;

}  // namespace nearmiss::app::fly
