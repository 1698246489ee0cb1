// SPDX-License-Identifier: MIT
/// A stop of the tour as the window shows it: its sentence, and what it counts.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app {

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

}  // namespace nearmiss::app
