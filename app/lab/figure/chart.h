// SPDX-License-Identifier: MIT
/// Line charts and scatter plots as SVG.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

enum class ChartMark { Line, Dots, Steps };

struct ChartSeries {
  std::string name;  ///< series of one name have one colour in all charts of a figure
  ChartMark mark = ChartMark::Line;
  std::vector<std::array<double, 2>> points;  ///< x, y; what an axis cannot show is left out
};

struct Chart {
  std::string title, xLabel, yLabel;
  bool logX = false, logY = false;
  std::optional<double> rule;  ///< a dashed line at this y
  std::vector<ChartSeries> series;
};

/// An SVG: the charts side by side, so many to a row, under a title and one legend for all.
[[nodiscard]] std::string drawCharts(std::string_view title, std::span<const Chart> charts,
                                     std::size_t columns);

}  // namespace nearmiss::app
