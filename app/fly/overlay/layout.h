// SPDX-License-Identifier: MIT
/// Computes the positions of the panels from known sizes, for every window size and scale.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

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

enum class Panel : std::uint8_t;  // see panels.h
inline constexpr std::size_t maxPanels = 16;

/// Input of layOut(). The panels of a flight take at most a fifth of the window. If space is short,
/// percentiles are dropped first, then the detection figures.
struct LayoutRequest {
  OverlayMode mode = OverlayMode::Full;
  std::bitset<maxPanels> wanted;  ///< by Panel; panels that are always wanted are ignored
  float tourFigureEms = 0.0f;     ///< height of the figures of a tour, in letters
  bool folded = false;            ///< only the status bar, and what a replay or a tour needs

  [[nodiscard]] bool wants(Panel panel) const { return wanted[static_cast<std::size_t>(panel)]; }
};

struct Layout {
  std::array<Rect, maxPanels> panels;
  Rect scene;                 ///< the area between status bar, frame panel and column
  Rect camera;                ///< the part of `scene` beside tall panels; the ship is in its middle
  Rect plot;                  ///< of the last frames, inside the frame panel, if there is space
  bool levelsInFull = false;  ///< the level panel has space for the detection figures
  float leftBottom = 0.0f;    ///< lower edge of the panels at the top left, without a tour above it

  [[nodiscard]] Rect& operator[](Panel panel) noexcept {
    return panels[static_cast<std::size_t>(panel)];
  }
  [[nodiscard]] const Rect& operator[](Panel panel) const noexcept {
    return panels[static_cast<std::size_t>(panel)];
  }
};

/// Line spacing in units of the text height.
inline constexpr float lineHeight = 1.4f;

/// Includes half a line of padding above and below.
[[nodiscard]] constexpr float panelHeight(int lines, float em) noexcept {
  return lineHeight * em * static_cast<float>(lines) + 1.0f * em;
}

/// Computes the layout. `em` is the text height in pixels.
[[nodiscard]] Layout layOut(float width, float height, float em,
                            const LayoutRequest& request) noexcept;

}  // namespace nearmiss::app::fly
