// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "report/axis.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/plot_drawing.h"
#include "report/series_style.h"

namespace nearmiss::app::report {
namespace {

std::string legend(const Plot& plot) {
  // The caption and the axis describe a single series
  if (plot.series.size() + plot.rules.size() < 2 && !plot.series.front().published) return {};
  std::string text = "<ul class=\"legend\">";
  for (const PlotSeries& series : plot.series)
    text += fmt::format("<li>{}{}{}</li>", swatch(series), svgText(series.name),
                        series.published ? " (published)" : "");
  for (std::size_t i = 0; i < plot.rules.size(); ++i)
    text += fmt::format("<li>{}{}</li>", ruleSwatch(i), svgText(plot.rules[i].name));
  return text + "</ul>\n";
}

std::string caption(const Plot& plot) {
  std::string text = plot.says;
  if (!text.empty() && !text.ends_with('.')) text += '.';
  if (const std::size_t hidden = hiddenPoints(plot); hidden > 0)
    text += fmt::format(
        " {} not drawn: infinite, or not above 0 on a logarithmic axis. The table contains {}.",
        hidden == 1 ? std::string("1 value is") : fmt::format("{} values are", hidden),
        hidden == 1 ? "it" : "them");
  return text;
}

}  // namespace

std::string figureHtml(const Plot& plot) {
  std::string text = fmt::format("<figure{}>\n<h4>{}</h4>\n", plot.wide ? " class=\"wide\"" : "",
                                 svgText(plot.title));
  if (plot.series.empty()) {
    text += "<p class=\"missing\">There is nothing to draw.</p>\n";
  } else {
    // If the wide picture were scaled to a phone, its labels would be too small
    text += fmt::format("<div class=\"for-wide\">{}</div>\n<div class=\"for-narrow\">{}</div>\n",
                        plot.wide ? drawPlot(plot, 960.0, 300.0) : drawPlot(plot, 464.0, 290.0),
                        drawPlot(plot, 320.0, 250.0));
    text += legend(plot);
  }
  const std::string says = caption(plot);
  text += "<figcaption>" + (says.empty() ? "" : paragraphHtml(says));
  if (!plot.series.empty()) text += foldedHtml("Data of this plot", tableHtml(dataOf(plot)));
  return text + "</figcaption></figure>\n";
}

namespace {

std::string textOf(double value) { return std::isnan(value) ? std::string() : shortNumber(value); }

std::string nameOfX(const Plot& plot, double x) {
  return plot.categories.empty() ? textOf(x) : plot.categories.at(static_cast<std::size_t>(x));
}

bool hasRange(const PlotSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const PlotPoint& point) { return !std::isnan(point.low); });
}

std::string valueText(const Plot& plot, const PlotSeries& series, const PlotPoint& point) {
  if (std::isnan(point.y)) return "missing";
  if (series.mark == PlotMark::Classes)
    return fmt::format("{} {}, {} from {} to {}", shortNumber(point.y), plot.yLabel, plot.xLabel,
                       shortNumber(point.low), shortNumber(point.high));
  if (std::isnan(point.low) || (point.low == point.y && point.high == point.y))
    return shortNumber(point.y);
  return fmt::format("{} ({} to {})", shortNumber(point.y), shortNumber(point.low),
                     shortNumber(point.high));
}

HtmlTable rowForEachX(const Plot& plot, const SharedX& shared) {
  HtmlTable table;
  table.headings.push_back({plot.xLabel, ""});
  for (const PlotSeries& series : plot.series) {
    table.headings.push_back({series.name, plot.yLabel});
    if (hasRange(series)) {
      table.headings.push_back({series.name + ", from", ""});
      table.headings.push_back({"to", ""});
    }
  }
  for (std::size_t i = 0; i < shared.x.size(); ++i) {
    std::vector<std::string> row{nameOfX(plot, shared.x[i])};
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      const PlotPoint none{0.0, std::numeric_limits<double>::quiet_NaN()};
      const PlotPoint& point = shared.points[i][s] ? *shared.points[i][s] : none;
      row.push_back(textOf(point.y));
      if (!hasRange(plot.series[s])) continue;
      row.push_back(textOf(point.low));
      row.push_back(textOf(point.high));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Step between the points of a table of acceptable length.
std::size_t thinning(const Plot& plot) {
  for (std::size_t every = 1;; ++every) {
    std::size_t rows = 0;
    for (const PlotSeries& series : plot.series) rows += (series.points.size() + every - 1) / every;
    if (rows <= std::max(HtmlTable::maxRows, plot.series.size())) return every;
  }
}

HtmlTable rowForEachPoint(const Plot& plot) {
  const bool ranges = std::any_of(plot.series.begin(), plot.series.end(), hasRange);
  HtmlTable table;
  table.headings = {{"series", ""}, {plot.xLabel, ""}, {plot.yLabel, ""}};
  if (ranges) {
    table.headings.push_back({"from", ""});
    table.headings.push_back({"to", ""});
  }
  // A truncated table would only contain the first series
  const std::size_t every = thinning(plot);
  if (every > 1) table.note = fmt::format("One of every {} points of each series is shown.", every);
  for (const PlotSeries& series : plot.series)
    for (std::size_t i = 0; i < series.points.size(); i += every) {
      const PlotPoint& point = series.points[i];
      table.rows.push_back({series.name, nameOfX(plot, point.x), textOf(point.y)});
      if (!ranges) continue;
      table.rows.back().push_back(textOf(point.low));
      table.rows.back().push_back(textOf(point.high));
    }
  return table;
}

}  // namespace

SharedX sharedX(const Plot& plot) {
  std::map<double, std::vector<const PlotPoint*>> byX;
  std::size_t longest = 0;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    longest = std::max(longest, plot.series[s].points.size());
    for (const PlotPoint& point : plot.series[s].points) {
      // NaN has no place in the order
      if (std::isnan(point.x)) return {};
      auto& points = byX[point.x];
      points.resize(plot.series.size(), nullptr);
      if (points[s]) return {};
      points[s] = &point;
    }
  }
  if (2 * byX.size() > 3 * longest) return {};
  SharedX shared;
  for (auto& [x, points] : byX) {
    shared.x.push_back(x);
    shared.points.push_back(std::move(points));
  }
  return shared;
}

HtmlTable dataOf(const Plot& plot) {
  const SharedX shared = sharedX(plot);
  return shared.x.empty() ? rowForEachPoint(plot) : rowForEachX(plot, shared);
}

std::string hoverOf(const Plot& plot, double x, const std::vector<const PlotPoint*>& points) {
  std::string text = fmt::format("{}: {}", plot.xLabel, nameOfX(plot, x));
  for (std::size_t s = 0; s < points.size(); ++s)
    if (points[s])
      text +=
          fmt::format("; {}: {}", plot.series[s].name, valueText(plot, plot.series[s], *points[s]));
  return text;
}

std::string hoverOf(const Plot& plot, const PlotSeries& series, const PlotPoint& point) {
  if (series.mark == PlotMark::Classes) return valueText(plot, series, point);
  return fmt::format("{}; {}: {}; {}: {}", series.name, plot.xLabel, nameOfX(plot, point.x),
                     plot.yLabel, valueText(plot, series, point));
}

std::size_t hiddenPoints(const Plot& plot) {
  std::size_t hidden = 0;
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& point : series.points)
      hidden += (plot.logY && point.y <= 0.0) ||
                (plot.logX && plot.categories.empty() && point.x <= 0.0) || std::isinf(point.x) ||
                std::isinf(point.y);
  return hidden;
}

std::array<double, 2> rangeOf(const Plot& plot, int axis) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 2> range{infinity, -infinity};
  const bool logarithmic = axis == 0 ? plot.logX : plot.logY;
  const auto include = [&](double value) {
    if (!std::isfinite(value) || (logarithmic && value <= 0.0)) return;
    range[0] = std::min(range[0], value);
    range[1] = std::max(range[1], value);
  };
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& point : series.points) {
      include(axis == 0 ? point.x : point.y);
      if ((series.mark == PlotMark::Classes) != (axis == 0)) continue;
      include(point.low);
      include(point.high);
    }
  for (const PlotRule& rule : plot.rules)
    if (rule.upright == (axis == 0)) include(rule.at);
  return range;
}

}  // namespace nearmiss::app::report
