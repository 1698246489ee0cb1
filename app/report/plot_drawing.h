// SPDX-License-Identifier: MIT
/// A plot as SVG. Its texts are the labels of axes, none above another; all else stands beside it.
#pragma once

#include <string>

#include "report/axis.h"
#include "report/plot.h"

namespace nearmiss::app::report {

/// As wide as that; bars that need it make it taller. Pixels.
[[nodiscard]] std::string drawPlot(const Plot& plot, double width, double height);

/// How high that drawing is. Pixels.
[[nodiscard]] double plotHeightOf(const Plot& plot, double width, double height);

/// Of a plot with categories, for drawPlot().
[[nodiscard]] std::string drawBars(const Plot& plot, double width, double height);

/// Where points are drawn; pixels.
struct PlotArea {
  double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
};

// Pieces of both.
[[nodiscard]] std::string plotOpening(const Plot& plot, double width, double height);
/// A text, cut to `room` pixels, whole on hover. `anchor`: start, middle or end.
[[nodiscard]] std::string plotText(std::string_view text, double x, double y,
                                   std::string_view anchor, double room);
/// Lines across the area with their labels.
[[nodiscard]] std::string gridOfX(const Axis& axis, const PlotArea& area);
[[nodiscard]] std::string gridOfY(const Axis& axis, const PlotArea& area);
/// Room for the labels of ticks that stand left of the area.
[[nodiscard]] double roomForLabels(const Axis& axis);
/// Names of the axes: that of y above the area, that of x below it.
[[nodiscard]] std::string axisNames(std::string_view across, std::string_view upward,
                                    const PlotArea& area, double width, double height);

}  // namespace nearmiss::app::report
