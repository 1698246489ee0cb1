// SPDX-License-Identifier: MIT
#include "lab/figure/projection_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "lab/figure/chart.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

RatioSummary ratioOf(std::vector<double>& ratios) {
  return {median(ratios), percentile(ratios, 0.05), percentile(ratios, 0.95)};
}

ProjectionSummary summaryOf(std::span<const ProjectionSample* const> samples) {
  const ProjectionSample& any = *samples.front();
  ProjectionSummary summary;
  summary.bodies = any.bodies;
  summary.planes = any.planes;
  summary.step = any.step;
  summary.sets = samples.size();
  std::vector<double> projection, queued, ratio, plain, early, crossings, percent;
  std::size_t falsely = 0;
  for (const ProjectionSample* sample : samples) {
    projection.push_back(sample->projectionUs);
    ratio.push_back(sample->subdivisionUs / sample->projectionUs);
    queued.push_back(sample->queuedUs / sample->projectionUs);
    plain.push_back(sample->plainUs / sample->projectionUs);
    crossings.push_back(static_cast<double>(sample->crossings));
    percent.push_back(sample->crossingsPercent);
    falsely += sample->falsePositive;
    if (sample->oracle && sample->subdivision)
      early.push_back(*sample->oracle - *sample->subdivision);
  }
  summary.projectionUs = median(projection);
  summary.ratio = ratioOf(ratio);
  summary.plainRatio = ratioOf(plain);
  summary.queuedRatio = ratioOf(queued);
  summary.falsePercent = 100.0 * static_cast<double>(falsely) / static_cast<double>(samples.size());
  summary.earlyMean = mean(early);
  summary.earlyMedian = median(early);
  summary.earlyMost = percentile(early, 1.0);
  summary.crossingsMean = mean(crossings);
  summary.crossingsPercent = mean(percent);
  return summary;
}

/// One line for each number of bodies (or each resolution), values over the other.
template <class Value>
Chart chartOf(std::span<const ProjectionSummary> summaries, bool overSteps, const Value& value) {
  Chart chart;
  chart.logX = true;
  chart.xLabel = overSteps ? "resolution of the subdivision, s" : "bodies";
  for (const ProjectionSummary& summary : summaries) {
    if (summary.planes) continue;
    const std::string name = overSteps ? fmt::format("{} bodies", summary.bodies)
                                       : fmt::format("resolution {:g} s", summary.step);
    auto at = std::find_if(chart.series.begin(), chart.series.end(),
                           [&](const ChartSeries& series) { return series.name == name; });
    if (at == chart.series.end()) at = chart.series.insert(at, {name, ChartMark::Line, {}});
    at->points.push_back(
        {overSteps ? summary.step : static_cast<Real>(summary.bodies), value(summary)});
  }
  return chart;
}

}  // namespace

std::vector<ProjectionSummary> summarise(std::span<const ProjectionSample> samples) {
  std::map<std::tuple<bool, int, Real>, std::vector<const ProjectionSample*>> groups;
  for (const ProjectionSample& sample : samples)
    groups[{sample.planes, sample.bodies, -sample.step}].push_back(&sample);
  std::vector<ProjectionSummary> summaries;
  for (const auto& group : groups) summaries.push_back(summaryOf(group.second));
  return summaries;
}

std::string drawProjection(std::span<const ProjectionSummary> summaries) {
  using Summary = ProjectionSummary;
  std::array<Chart, 6> charts{
      chartOf(summaries, false, [](const Summary& s) { return s.plainRatio.median; }),
      chartOf(summaries, false, [](const Summary& s) { return s.ratio.median; }),
      chartOf(summaries, true, [](const Summary& s) { return s.falsePercent; }),
      chartOf(summaries, true, [](const Summary& s) { return s.earlyMedian; }),
      chartOf(summaries, false, [](const Summary& s) { return s.crossingsPercent; }),
      chartOf(summaries, false, [](const Summary& s) { return s.queuedRatio.median; })};
  charts[0].title = "Subdivision, every pair / projection";
  charts[1].title = "Subdivision with pair lists / projection";
  for (Chart* chart : {&charts[0], &charts[1]}) {
    chart->yLabel = "median ratio of times";
    chart->logY = true;
    chart->rule = 1.0;
  }
  charts[2].title = "False positives of subdivision";
  charts[2].yLabel = "% of the sets";
  charts[3].title = "How early subdivision is";
  charts[3].yLabel = "median, s";
  charts[3].logY = true;
  charts[4].title = "Crossings before the first meeting";
  charts[4].yLabel = "% of the worst case";
  charts[4].logY = true;
  charts[5].title = "Projection with a queue of crossings / by slices";
  charts[5].yLabel = "median ratio of times";
  charts[5].logY = true;
  charts[5].rule = 1.0;
  // Those of one set do not depend on the resolution
  for (Chart* chart : {&charts[4], &charts[5]}) {
    chart->series.resize(std::min<std::size_t>(chart->series.size(), 1));
    for (ChartSeries& series : chart->series) series.name = "projection";
  }
  return drawCharts("Earliest intersection: projection against subdivision", charts, 2);
}

}  // namespace nearmiss::app
