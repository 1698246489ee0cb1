// SPDX-License-Identifier: MIT
/// A plot, and its place on the page: pictures for wide and narrow pages, legend, caption, data.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace nearmiss::app {

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
  bool wide = false;                    ///< as wide as the page, rather than half of it
  std::vector<std::string> categories;  ///< of the x axis; empty: it has numbers
  std::vector<PlotSeries> series;
  std::vector<PlotRule> rules;
};

/// A <figure> with all of this, values on hover, and a table of the data to unfold.
[[nodiscard]] std::string figureHtml(const Plot& plot);

}  // namespace nearmiss::app
