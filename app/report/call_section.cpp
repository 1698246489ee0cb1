// SPDX-License-Identifier: MIT
#include "report/call_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.h"
#include "report/html.h"
#include "report/plot.h"

namespace nearmiss::app {
namespace {

std::string levelName(std::size_t index) {
  return index == 4 ? "Level 5, the triangles" : fmt::format("Level {}", index + 1);
}

/// Of all histograms, so that their plots have the same axis.
template <class Histograms, class Get>
std::pair<int, int> classRange(const Histograms& histograms, const Get& get) {
  int first = 0, last = -1;
  for (const auto& each : histograms) {
    const auto& classes = get(each).classes();
    if (classes.empty()) continue;
    const bool none = last < first;
    first = none ? classes.begin()->first : std::min(first, classes.begin()->first);
    last = none ? classes.rbegin()->first : std::max(last, classes.rbegin()->first);
  }
  return {first, last};
}

Plot histogramPlot(const RatioHistogram& histogram, std::pair<int, int> range) {
  Plot plot;
  plot.logX = true;
  plot.yLabel = "calls";
  PlotSeries series;
  series.name = "calls";
  series.mark = PlotMark::Classes;
  for (int index = range.first; index <= range.second; ++index) {
    const auto at = histogram.classes().find(index);
    const double low = RatioHistogram::lowerEnd(index), high = RatioHistogram::lowerEnd(index + 1);
    series.points.push_back(
        {std::sqrt(low * high),
         at == histogram.classes().end() ? 0.0 : static_cast<double>(at->second), low, high});
  }
  if (!histogram.classes().empty()) plot.series.push_back(std::move(series));
  return plot;
}

std::string speedUpFigures(const CallData& data) {
  const auto range = classRange(
      data.levels, [](const LevelCalls& each) -> const RatioHistogram& { return each.speedUp; });
  std::string text;
  for (std::size_t i = 0; i < data.levels.size(); ++i) {
    const LevelCalls& level = data.levels[i];
    Plot plot = histogramPlot(level.speedUp, range);
    plot.title = levelName(i);
    plot.xLabel = "speed-up over the reference";
    const engine::SeriesSummary summary = level.speedUp.summary();
    plot.says = "No call reached this level";
    if (summary.n > 0) {
      const double share =
          100.0 * static_cast<double>(level.faster) / static_cast<double>(summary.n);
      plot.says = fmt::format(
          "{} calls reached this level; the median speed-up is {}, and {:.1f}\u00a0% of the calls "
          "are "
          "faster than the reference",
          summary.n, shortNumber(summary.p50), share);
      plot.rules = {{"as fast as the reference", 1.0, true},
                    {fmt::format("median, {}", shortNumber(summary.p50)), summary.p50, true}};
    }
    text += figureHtml(plot);
  }
  return text;
}

std::string boundFigures(const CallData& data) {
  const auto range = classRange(
      data.bounds, [](const RatioHistogram& each) -> const RatioHistogram& { return each; });
  std::string text;
  for (std::size_t i = 0; i < data.bounds.size(); ++i) {
    const RatioHistogram& bounds = data.bounds[i];
    Plot plot = histogramPlot(bounds, range);
    plot.title = levelName(i);
    plot.xLabel = "separation bound in m";
    const engine::SeriesSummary summary = bounds.summary();
    plot.says = "No call has a bound at this level";
    if (summary.n > 0) {
      plot.says = fmt::format("{} calls have a bound at this level; its median is {} m", summary.n,
                              shortNumber(summary.p50));
      if (bounds.notPositive() > 0)
        plot.says +=
            fmt::format(". {} of them are 0 and have no place on the axis", bounds.notPositive());
      plot.rules = {{fmt::format("median, {} m", shortNumber(summary.p50)), summary.p50, true}};
    }
    text += figureHtml(plot);
  }
  return text;
}

}  // namespace

std::string callsHtml(const CallData& data) {
  if (data.calls == 0) return paragraphHtml("The file holds no whole call.");
  return paragraphHtml(fmt::format(
             "{} calls: both methods timed on one pair whose bounding spheres meet. The speed-up "
             "of a level is the time of the reference to its end over the time until that level "
             "was complete.",
             data.calls)) +
         headingHtml(3, "Speed-up by level") + "<div class=\"figures\">\n" + speedUpFigures(data) +
         "</div>\n" + headingHtml(3, "Separation bound by level") + "<div class=\"figures\">\n" +
         boundFigures(data) + "</div>\n";
}

}  // namespace nearmiss::app
