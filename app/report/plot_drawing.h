// SPDX-License-Identifier: MIT
/// Draws a plot as SVG. Its text consists of axis labels; other text is next to it.
#pragma once

#include <string>

#include "report/axis.h"
#include "report/plot.h"

namespace nearmiss::app::report {

/// Draws a plot with that width; bars may increase the height. Pixels.
[[nodiscard]] std::string drawPlot(const Plot& plot, double width, double height);

/// Height of that drawing, pixels.
[[nodiscard]] double plotHeightOf(const Plot& plot, double width, double height);

/// For plots with categories; used by drawPlot().
[[nodiscard]] std::string drawBars(const Plot& plot, double width, double height);

/// The area of the data, pixels.
struct PlotArea {
  double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
};

// Parts used by both.
[[nodiscard]] std::string plotOpening(const Plot& plot, double width, double height);
/// A text truncated to `room` pixels, complete on hover. `anchor`: start, middle or end.
[[nodiscard]] std::string plotText(std::string_view text, double x, double y,
                                   std::string_view anchor, double room);
/// Grid lines across the area, with labels.
[[nodiscard]] std::string gridOfX(const Axis& axis, const PlotArea& area);
[[nodiscard]] std::string gridOfY(const Axis& axis, const PlotArea& area);
/// Width of the tick labels on the left of the area.
[[nodiscard]] double roomForLabels(const Axis& axis);
/// Names of the axes: y above the area, x below it.
[[nodiscard]] std::string axisNames(std::string_view across, std::string_view upward,
                                    const PlotArea& area, double width, double height);

}  // namespace nearmiss::app::report
