// SPDX-License-Identifier: MIT
#include "report/plot_sheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/axis.h"
#include "report/plot_drawing.h"
#include "report/series_style.h"

namespace nearmiss::app::report {
namespace {

constexpr double plotWidth = 400.0, plotHeight = 270.0, margin = 24.0, lineOfLegend = 18.0;

/// A legend entry: swatch and name.
struct LegendEntry {
  std::string swatch, name;
};

/// Gives series of the same name the same style; returns the first series of each name, then the
/// rules.
std::vector<LegendEntry> legendOf(std::vector<Plot>& plots) {
  std::vector<LegendEntry> entries;
  const auto find = [&entries](const std::string& name) {
    return std::ranges::find(entries, name, &LegendEntry::name);
  };
  for (Plot& plot : plots)
    for (PlotSeries& series : plot.series) {
      const auto at = find(series.name);
      series.style = static_cast<std::size_t>(at - entries.begin());
      if (at == entries.end()) entries.push_back({swatch(series), series.name});
    }
  for (const Plot& plot : plots)
    for (std::size_t i = 0; i < plot.rules.size(); ++i)
      if (find(plot.rules[i].name) == entries.end())
        entries.push_back({ruleSwatch(i), plot.rules[i].name});
  return entries;
}

}  // namespace

std::string plotSheet(std::string_view title, std::vector<Plot> plots, std::size_t columns) {
  const double width = static_cast<double>(columns) * (plotWidth + margin) + margin;
  std::string legend;
  double x = margin, y = 44.0;
  for (const LegendEntry& entry : legendOf(plots)) {
    const double room = 52.0 + widthOf(entry.name);
    if (x > margin && x + room > width) {
      x = margin;
      y += lineOfLegend;
    }
    legend += fmt::format(
        "<g transform=\"translate({:.1f} {:.1f})\">{}<text x=\"34\" y=\"11\">{}</text></g>\n", x, y,
        entry.swatch, svgText(entry.name));
    x += room;
  }

  // Horizontal bars increase the height: each row is as tall as its tallest plot
  std::string drawn;
  double top = y + 2.0 * lineOfLegend + 8.0, tallest = 0.0;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const double height = plotHeightOf(plots[i], plotWidth, plotHeight);
    tallest = std::max(tallest, height);
    drawn += fmt::format(
        "<g transform=\"translate({:.1f} {:.1f})\"><text y=\"12\" "
        "font-weight=\"bold\">{}</text><g transform=\"translate(0 22)\">{}</g></g>\n",
        margin + static_cast<double>(i % columns) * (plotWidth + margin), top,
        svgText(plots[i].title), drawPlot(plots[i], plotWidth, plotHeight));
    if (i % columns + 1 == columns || i + 1 == plots.size()) {
      top += tallest + 2.0 * margin;
      tallest = 0.0;
    }
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>{2}.plot{{font-size:11px}}</style>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n{3}<text x=\"{4:.0f}\" y=\"28\" font-size=\"16\">{5}</text>\n{6}{7}"
      "</svg>\n",
      width, top, plainStyleSheet(), hatchings(), margin, svgText(title), legend, drawn);
}

}  // namespace nearmiss::app::report
