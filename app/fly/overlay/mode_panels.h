// SPDX-License-Identifier: MIT
/// A run for points as the window shows it: while it flies, and how it ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app {

/// A run that flies. Views, valid for the frame.
struct RunView {
  double left = 0.0;  ///< simulation seconds
  std::int64_t points = 0;
  std::uint32_t streak = 0, times = 1;  ///< near misses in a row, and how often the next counts
  std::string_view event;               ///< the last; empty: none yet
};

/// A run that is over. Views, valid for the frame.
struct RunEndView {
  std::string_view title;
  std::span<const PageGroup> groups;
};

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run);

/// In the middle of the window; `scroll`, in lines, is brought into its range.
void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll);

// A stop of the tour as the window shows it: its sentence, and what it counts.

class Ink;

/// A bar with its name and its value in words.
struct TourFigure {
  std::string name, value;
  double share = 0.0;  ///< of the panel's width, 0 to 1
  Rgb colour = palette::swap;
};

/// Views, valid for the frame.
struct TourView {
  std::string_view title, sentence;
  std::size_t number = 1, stops = 1;
  double passed = 0.0;  ///< of the stop's time, 0 to 1
  bool held = false;    ///< the stop stays until it is left
  std::span<const TourFigure> figures;
};

/// Figures only where `rect` has room for them.
void drawTourPanel(const Ink& ink, const Rect& rect, const TourView& tour);

// How far a flight has come from its exact twin, as a panel shows it.

class Ink;

/// Metres between the ships of two flights, by their middles.
struct GhostApart {
  double own = 0.0;       ///< the user's
  double farthest = 0.0;  ///< of all ships
};

/// Frames that the panel shows at most.
inline constexpr std::size_t ghostFrames = 400;

struct GhostView {
  GhostApart now;
  std::span<const GhostApart> course;  ///< of the last frames, a ring
  std::size_t oldest = 0;              ///< index in it
};

/// The distances now, and their course over the last frames.
void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost);

}  // namespace nearmiss::app
