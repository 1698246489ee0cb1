// SPDX-License-Identifier: MIT
#include "lab/figure/turk_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "lab/figure/chart.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

/// In the papers the look-ahead loses to the grid where the collision comes before this, seconds.
constexpr Real papersBreakEven = 0.25;

TurkSummary summaryOf(std::span<const TurkRecord* const> records) {
  TurkSummary summary;
  summary.method = records.front()->method;
  summary.bodies = records.front()->bodies;
  summary.runs = records.size();
  std::vector<double> ends, speedups, withIntegrator, late, frame, slowest, calls, even, crossings;
  for (const TurkRecord* record : records) {
    const auto frames = static_cast<double>(record->frames);
    summary.collided += record->collided;
    ends.push_back(record->end);
    speedups.push_back(record->speedup);
    withIntegrator.push_back(record->speedupWithIntegrator);
    if (record->end > papersBreakEven) late.push_back(record->speedup);
    frame.push_back(record->detectionUs / frames);
    slowest.push_back(record->slowestRatio);
    calls.push_back(100.0 * static_cast<double>(record->calls) / frames);
    even.push_back(record->breakEven < record->end ? record->breakEven
                                                   : std::numeric_limits<double>::infinity());
    crossings.push_back(record->crossingsPercent);
  }
  summary.end = median(ends);
  summary.speedup = median(speedups);
  summary.speedupWithIntegrator = median(withIntegrator);
  summary.lateSpeedup = median(late);
  summary.frameUs = median(frame);
  summary.slowestRatio = median(slowest);
  summary.callsPercent = median(calls);
  summary.breakEven = median(even);
  summary.crossingsPercent = mean(crossings);
  return summary;
}

ChartSeries& seriesOf(Chart& chart, const std::string& name, ChartMark mark) {
  for (ChartSeries& series : chart.series)
    if (series.name == name) return series;
  return chart.series.emplace_back(ChartSeries{name, mark, {}});
}

Chart speedupChart(std::span<const TurkRecord> records, const std::string& method,
                   double TurkRecord::*value) {
  Chart chart;
  const bool integrator = value == &TurkRecord::speedupWithIntegrator;
  chart.title = method + (integrator ? ", with the integrator" : ", detection alone");
  chart.xLabel = "simulation time of the first collision, s";
  chart.yLabel = "speedup over Turk's grid";
  chart.logX = chart.logY = true;
  chart.rule = 1.0;
  for (const TurkRecord& record : records)
    if (record.method == method)
      seriesOf(chart, fmt::format("{} bodies", record.bodies), ChartMark::Dots)
          .points.push_back({record.end, record.*value});
  return chart;
}

Chart overBodies(std::span<const TurkSummary> summaries, const char* title, const char* label,
                 double TurkSummary::*value) {
  Chart chart;
  chart.title = title;
  chart.xLabel = "bodies";
  chart.yLabel = label;
  chart.logX = chart.logY = true;
  chart.rule = 1.0;
  for (const TurkSummary& summary : summaries)
    if (summary.method != summaries.front().method)
      seriesOf(chart, summary.method, ChartMark::Line)
          .points.push_back({static_cast<double>(summary.bodies), summary.*value});
  return chart;
}

}  // namespace

std::vector<TurkSummary> summarise(std::span<const TurkRecord> records) {
  std::vector<std::pair<std::pair<int, std::string>, std::vector<const TurkRecord*>>> groups;
  for (const TurkRecord& record : records) {
    const std::pair<int, std::string> key(record.bodies, record.method);
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&](const auto& group) { return group.first == key; });
    if (at == groups.end()) at = groups.insert(at, {key, {}});
    at->second.push_back(&record);
  }
  std::vector<TurkSummary> summaries;
  for (const auto& group : groups) summaries.push_back(summaryOf(group.second));
  return summaries;
}

void printTurk(std::span<const TurkSummary> summaries) {
  fmt::print(
      "medians over the runs; speedup: detection time of Turk's grid to that of the method\n"
      "{:>6}  {:<24} {:>9} {:>7} {:>10} {:>8} {:>9} {:>10} {:>9} {:>8} {:>8} {:>8}\n",
      "bodies", "method", "collided", "end s", "frame us", "speedup", "> 0.25 s", "with integ",
      "even s", "slowest", "calls %", "k %");
  for (const TurkSummary& each : summaries)
    fmt::print(
        "{:>6}  {:<24} {:>4}/{:<4} {:>7.2f} {:>10.3f} {:>8.2f} {:>9.2f} {:>10.2f} {:>9.3f} "
        "{:>8.2f} {:>8.1f} {:>8.4f}\n",
        each.bodies, each.method, each.collided, each.runs, each.end, each.frameUs, each.speedup,
        each.lateSpeedup, each.speedupWithIntegrator, each.breakEven, each.slowestRatio,
        each.callsPercent, each.crossingsPercent);
}

std::string drawTurkSpeedup(std::span<const TurkRecord> records,
                            std::span<const TurkSummary> summaries) {
  std::vector<Chart> charts;
  std::vector<std::string> methods;
  for (const TurkRecord& record : records) {
    if (record.method == records.front().method ||
        std::find(methods.begin(), methods.end(), record.method) != methods.end())
      continue;
    methods.push_back(record.method);
    charts.push_back(speedupChart(records, record.method, &TurkRecord::speedup));
    charts.push_back(speedupChart(records, record.method, &TurkRecord::speedupWithIntegrator));
  }
  charts.push_back(
      overBodies(summaries, "Speedup of detection alone", "median", &TurkSummary::lateSpeedup));
  charts.push_back(
      overBodies(summaries, "When it overtakes Turk's grid", "median, s", &TurkSummary::breakEven));
  charts.back().rule = papersBreakEven;
  charts.push_back(overBodies(summaries, "Slowest frame / Turk's slowest", "median",
                              &TurkSummary::slowestRatio));
  return drawCharts("Look-ahead against Turk's grid, until the first collision", charts, 2);
}

std::string drawTurkFrames(std::span<const TurkFrames> frames) {
  std::vector<Chart> charts;
  int bodies = 0;
  for (const TurkFrames& each : frames) {
    if (each.bodies != bodies) {
      bodies = each.bodies;
      Chart& chart = charts.emplace_back();
      chart.title = fmt::format("{} bodies", bodies);
      chart.xLabel = "detection in a frame, us";
      chart.yLabel = "frames";
      chart.logX = chart.logY = true;
    }
    ChartSeries& series = seriesOf(charts.back(), each.method, ChartMark::Steps);
    for (std::size_t bin = 0; bin < FrameHistogram::bins; ++bin)
      if (each.histogram.frames[bin] > 0)
        series.points.push_back(
            {FrameHistogram::middleOf(bin), static_cast<double>(each.histogram.frames[bin])});
  }
  return drawCharts("Detection time of single frames", charts, 3);
}

}  // namespace nearmiss::app
