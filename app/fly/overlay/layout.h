// SPDX-License-Identifier: MIT
/// Computes the positions of the panels from known sizes, for every window size and scale.
#pragma once

#include <array>

#include "fly/choices/ui_state.h"

namespace nearmiss::app::fly {

/// A rectangle in pixels, y down. Width 0: not shown.
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

/// The panels that the user wants. Those of a flight take at most a fifth of the window. If space
/// is short, percentiles are dropped first, then the detection figures; next to an inspector, the
/// hints.
struct LayoutWish {
  OverlayMode mode = OverlayMode::Full;
  bool inspector = false, hints = false;
  bool growing = false;   ///< trees are being built
  bool replay = false;    ///< a replay is running; nothing is built then
  bool run = false;       ///< a scored run is in progress
  bool split = false;     ///< two flights side by side: panels of a single flight are dropped
  bool ghost = false;     ///< an exact flight is shown in addition to the limited one
  bool controls = false;  ///< the panel of controls is open
  int tour = 0;           ///< number of figures of the tour stop plus one; 0: no tour
  bool folded = false;    ///< only the status bar, and what a replay or a tour needs
};

struct Layout {
  Rect status, frame, levels, statistics, inspector, hints, growing, replay, run;
  Rect ghost;
  Rect controls;               ///< if shown, `growing`, `run` and `ghost` have no panel
  Rect tour;                   ///< on the left, for all modes
  std::array<Rect, 2> halves;  ///< of a split view, above each half
  Rect scene;                  ///< the area between status bar, frame panel and column
  Rect plot;                   ///< of the last frames, inside the frame panel, if there is space
  bool levelsInFull = false;   ///< the level panel has space for the detection figures
};

/// Heights of panels in lines, as their drawing code needs them.
namespace panelLines {
constexpr int levels = 6, detection = 9, statistics = 5, inspector = 9, hints = 4;
constexpr int framePlain = 4, strip = 4, growing = 3, replay = 2, run = 4;
constexpr int half = 4, halfCompact = 2, ghost = 5, tour = 9;
}  // namespace panelLines

/// Line spacing in units of the text height.
inline constexpr float lineHeight = 1.4f;

/// Includes half a line of padding above and below.
[[nodiscard]] constexpr float panelHeight(int lines, float em) noexcept {
  return lineHeight * em * static_cast<float>(lines) + 1.0f * em;
}

/// Computes the layout. `em` is the text height in pixels.
[[nodiscard]] Layout layOut(float width, float height, float em, const LayoutWish& wish) noexcept;

}  // namespace nearmiss::app::fly
