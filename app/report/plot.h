// SPDX-License-Identifier: MIT
/// A plot, its place on the page (pictures for wide and narrow pages, legend, caption, data), and
/// its numbers as texts.
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
  Steps,    ///< a function that stays until the next point
  Bars,     ///< one for each category, with a whisker from low to high where these differ
  Classes,  ///< a histogram: from low to high on the x axis
  Range     ///< a stroke from low to high on the y axis
};

struct PlotPoint {
  double x = 0.0;  ///< on an axis of categories their index
  double y = 0.0;  ///< not a number where it is missing
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
};

struct PlotSeries {
  std::string name;
  PlotMark mark = PlotMark::Line;
  std::vector<PlotPoint> points;
  std::size_t style = 0;   ///< colour, dashes and shape of marks
  bool published = false;  ///< a paper's own numbers: hollow and dashed
};

/// A line across the plot.
struct PlotRule {
  std::string name;
  double at = 0.0;
  bool upright = false;  ///< at this x rather than this y
};

struct Plot {
  std::string title;
  std::string says;  ///< the caption, in sentences
  std::string xLabel, yLabel;
  bool logX = false, logY = false;
  bool values = false;                  ///< each upright bar's value is written above it
  bool wide = false;                    ///< as wide as the page, rather than half of it
  std::vector<std::string> categories;  ///< of the x axis; empty: it has numbers
  std::vector<PlotSeries> series;
  std::vector<PlotRule> rules;
};

/// A <figure> with all of this, values on hover, and a table of the data to unfold.
[[nodiscard]] std::string figureHtml(const Plot& plot);

/// The points of all series by their x, where the series share theirs.
struct SharedX {
  std::vector<double> x;                              ///< ascending
  std::vector<std::vector<const PlotPoint*>> points;  ///< of an x, one a series; null: missing
};
/// Empty where a series has two points at one x, a point has none, or few have an x in common.
[[nodiscard]] SharedX sharedX(const Plot& plot);

/// A row for each x, or a row for each point.
[[nodiscard]] HtmlTable dataOf(const Plot& plot);

/// Lines of text on all series at one x, or on one point.
[[nodiscard]] std::string hoverOf(const Plot& plot, double x,
                                  const std::vector<const PlotPoint*>& points);
[[nodiscard]] std::string hoverOf(const Plot& plot, const PlotSeries& series,
                                  const PlotPoint& point);

/// Number of points that the axes cannot show: infinite, or not positive on a logarithmic axis.
[[nodiscard]] std::size_t hiddenPoints(const Plot& plot);

/// Minimum and maximum on an axis, 0 for x and 1 for y; infinite for none.
[[nodiscard]] std::array<double, 2> rangeOf(const Plot& plot, int axis);

}  // namespace nearmiss::app::report
