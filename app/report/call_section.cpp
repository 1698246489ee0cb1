// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.h"
#include "report/call_section.h"
#include "report/html.h"
#include "report/plot.h"

namespace nearmiss::app::report {
namespace {

constexpr std::array<std::string_view, 10> callColumns{
    "bsp_ns",   "st_l1_ns", "st_l2_ns", "st_l3_ns", "st_l4_ns",
    "st_l5_ns", "bound_l1", "bound_l2", "bound_l3", "bound_l4"};

void addCall(const std::array<std::optional<double>, callColumns.size()>& row, CallData& data) {
  ++data.calls;
  for (std::size_t l = 0; l < data.levels.size(); ++l) {
    const auto& time = row[1 + l];
    // The clock may not resolve the shortest calls
    if (!time || *time <= 0.0 || !row[0]) continue;
    const double speedUp = *row[0] / *time;
    data.levels[l].speedUp.add(speedUp);
    data.levels[l].faster += speedUp > 1.0;
  }
  for (std::size_t l = 0; l < data.bounds.size(); ++l)
    if (row[6 + l]) data.bounds[l].add(*row[6 + l]);
}

}  // namespace

Result<CallData> readCalls(RecordReader reader) {
  const auto places = reader.find(callColumns);
  if (!places) return places.error();
  CallData data;
  data.file = reader.file();
  data.head = reader.head();
  for (;;) {
    const auto more = reader.next();
    if (!more) return more.error();
    if (!*more) break;
    std::array<std::optional<double>, callColumns.size()> row;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto value = reader.numberIfAny((*places)[i]);
      if (!value) return value.error();
      row[i] = *value;
    }
    addCall(row, data);
  }
  data.cutShort = reader.cutShort();
  return data;
}

namespace {

std::string levelName(std::size_t index) {
  return index == 4 ? "Level 5, the triangles" : fmt::format("Level {}", index + 1);
}

/// Range over all histograms, so that their plots have the same axis.
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
        plot.says += fmt::format(". {} of them are 0 and not drawn on the logarithmic axis",
                                 bounds.notPositive());
      plot.rules = {{fmt::format("median, {} m", shortNumber(summary.p50)), summary.p50, true}};
    }
    text += figureHtml(plot);
  }
  return text;
}

}  // namespace

std::string callsHtml(const CallData& data) {
  if (data.calls == 0) return paragraphHtml("The file contains no complete call.");
  return paragraphHtml(fmt::format(
             "{} calls: both methods timed on one pair whose bounding spheres meet. The speed-up "
             "of a level is the total time of the reference divided by the time until that level "
             "was complete.",
             data.calls)) +
         headingHtml(3, "Speed-up by level") + "<div class=\"figures\">\n" + speedUpFigures(data) +
         "</div>\n" + headingHtml(3, "Separation bound by level") + "<div class=\"figures\">\n" +
         boundFigures(data) + "</div>\n";
}

}  // namespace nearmiss::app::report
