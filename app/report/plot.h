// SPDX-License-Identifier: MIT
/// A plot on the page (pictures for wide and narrow pages, legend, caption, data), and its numbers
/// as text.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "report/html.h"

namespace nearmiss::app::report {

enum class PlotMark {
  Line,
  Dots,
  Steps,    ///< piecewise constant until the next point
  Bars,     ///< one per category, with a whisker from low to high if these differ
  Classes,  ///< histogram bars from low to high on the x axis
  Range     ///< a line from low to high on the y axis
};

struct PlotPoint {
  double x = 0.0;  ///< the index on an axis of categories
  double y = 0.0;  ///< NaN if it is missing
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
};

struct PlotSeries {
  std::string name;
  PlotMark mark = PlotMark::Line;
  std::vector<PlotPoint> points;
  std::size_t style = 0;   ///< index of colour, dashes and marker
  bool published = false;  ///< numbers of a paper: hollow and dashed
};

/// A line across the plot.
struct PlotRule {
  std::string name;
  double at = 0.0;
  bool upright = false;  ///< at an x instead of a y value
};

struct Plot {
  std::string title;
  std::string says;  ///< the caption
  std::string xLabel, yLabel;
  bool logX = false, logY = false;
  bool values = false;                  ///< writes the value above each vertical bar
  bool wide = false;                    ///< full page width instead of half
  std::vector<std::string> categories;  ///< of the x axis; empty: numeric
  std::vector<PlotSeries> series;
  std::vector<PlotRule> rules;
};

/// A <figure> with these parts, values on hover, and a collapsible table of the data.
[[nodiscard]] std::string figureHtml(const Plot& plot);

/// The points of all series by common x.
struct SharedX {
  std::vector<double> x;                              ///< ascending
  std::vector<std::vector<const PlotPoint*>> points;  ///< by x, then by series; null: missing
};
/// Empty if a series has two points at one x, a point has none, or few x are common.
[[nodiscard]] SharedX sharedX(const Plot& plot);

/// One row per x, or one row per point.
[[nodiscard]] HtmlTable dataOf(const Plot& plot);

/// Hover text for all series at one x, or for one point.
[[nodiscard]] std::string hoverOf(const Plot& plot, double x,
                                  const std::vector<const PlotPoint*>& points);
[[nodiscard]] std::string hoverOf(const Plot& plot, const PlotSeries& series,
                                  const PlotPoint& point);

/// Number of points that are off the axes: infinite, or not positive on a logarithmic axis.
[[nodiscard]] std::size_t hiddenPoints(const Plot& plot);

/// Minimum and maximum on an axis, 0 for x and 1 for y; infinite if there are none.
[[nodiscard]] std::array<double, 2> rangeOf(const Plot& plot, int axis);

}  // namespace nearmiss::app::report
