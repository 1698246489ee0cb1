// SPDX-License-Identifier: MIT
/// The numbers of a plot as texts: a table of its data, and what is shown on hover.
#pragma once

#include <array>
#include <vector>

#include "report/html.h"
#include "report/plot.h"

namespace nearmiss::app {

/// The points of all series by their x, where the series share theirs.
struct SharedX {
  std::vector<double> x;                              ///< from the least to the greatest
  std::vector<std::vector<const PlotPoint*>> points;  ///< of an x, one a series; null: missing
};
/// Empty where a series has two points at one x, or few have an x in common.
[[nodiscard]] SharedX sharedX(const Plot& plot);

/// A row for each x, or a row for each point.
[[nodiscard]] HtmlTable dataOf(const Plot& plot);

/// Lines of text on all series at one x, or on one point.
[[nodiscard]] std::string hoverOf(const Plot& plot, double x,
                                  const std::vector<const PlotPoint*>& points);
[[nodiscard]] std::string hoverOf(const Plot& plot, const PlotSeries& series,
                                  const PlotPoint& point);

/// How many points the axes cannot show: infinite, or not positive on a logarithmic axis.
[[nodiscard]] std::size_t hiddenPoints(const Plot& plot);

/// The least and the greatest number on an axis, 0 for x and 1 for y; infinite for none.
[[nodiscard]] std::array<double, 2> rangeOf(const Plot& plot, int axis);

}  // namespace nearmiss::app
