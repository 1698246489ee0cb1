// SPDX-License-Identifier: MIT
#include "lab/projection_summary.h"

#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "console/order_statistics.h"
#include "lab/table_plot.h"
#include "report/plot_sheet.h"

namespace nearmiss::app::lab {
namespace {

/// Statistics of the samples with one number of bodies and one resolution.
struct ProjectionSummary {
  int bodies = 0;
  bool planes = false;
  Real step = 0.0;
  std::size_t sets = 0;
  double projectionUs = 0.0;  ///< median
  // Times relative to the published projection
  std::vector<double> slicedRatios, subdivisionRatios, listedRatios;
  double falsePercent = 0.0;  ///< percentage of all sets
  /// Of sets with a meeting, seconds; NaN if there is none.
  double earlyMean = NAN, earlyMedian = NAN, earlyMost = NAN;
  double crossingsMean = 0.0, crossingsPercent = 0.0;  ///< means
};

/// A percentile of times relative to the published projection.
auto ratioAt(std::vector<double> ProjectionSummary::*ratios, double share) {
  return [=](const ProjectionSummary& row) {
    std::vector<double> values = row.*ratios;
    return significant(percentile(values, share), 3);
  };
}

const TableOf<ProjectionSummary>& projectionSummaries() {
  using Row = ProjectionSummary;
  static const TableOf<Row> table{
      .name = "projection_summary",
      .title =
          "time / time of the published projection, medians (p5 to p95): ours by slices,\n"
          "the published subdivision, which compares every pair in every interval, and ours with "
          "pair lists",
      .columns = {
          {"bodies", "", "in the sets", &Row::bodies, onTerminal},
          {"planes", "", "as above", &Row::planes, onTerminal},
          {"resolution_s", "s", "of the subdivision", significant(&Row::step, 6), onTerminal},
          {"sets", "", "that were searched", &Row::sets, onTerminal},
          {"projection_us", "us", "of the published one, median", fixed(&Row::projectionUs, 2),
           onTerminal},
          {"ours_slices", "", "median", ratioAt(&Row::slicedRatios, 0.5), onTerminal},
          {"slices_p5", "", "of these", ratioAt(&Row::slicedRatios, 0.05), onTerminal},
          {"slices_p95", "", "of these", ratioAt(&Row::slicedRatios, 0.95), onTerminal},
          {"subdivision", "", "median", ratioAt(&Row::subdivisionRatios, 0.5), onTerminal},
          {"subdivision_p5", "", "of these", ratioAt(&Row::subdivisionRatios, 0.05), onTerminal},
          {"subdivision_p95", "", "of these", ratioAt(&Row::subdivisionRatios, 0.95), onTerminal},
          {"ours_pair_lists", "", "median", ratioAt(&Row::listedRatios, 0.5), onTerminal},
          {"pair_lists_p5", "", "of these", ratioAt(&Row::listedRatios, 0.05), onTerminal},
          {"pair_lists_p95", "", "of these", ratioAt(&Row::listedRatios, 0.95), onTerminal},
          {"false_percent", "%", "of the sets", fixed(&Row::falsePercent, 1), onTerminal},
          {"early_median_s", "s", "of the subdivision", fixed(&Row::earlyMedian, 5), onTerminal},
          {"early_mean_s", "s", "of the subdivision", fixed(&Row::earlyMean, 5), onTerminal},
          {"early_max_s", "s", "of the subdivision", fixed(&Row::earlyMost, 5), onTerminal},
          {"crossings", "", "mean", fixed(&Row::crossingsMean, 1), onTerminal},
          {"crossings_percent", "%", "mean", significant(&Row::crossingsPercent, 4), onTerminal}}};
  return table;
}

ProjectionSummary summaryOf(std::span<const ProjectionSample* const> samples) {
  const ProjectionSample& any = *samples.front();
  ProjectionSummary summary;
  summary.bodies = any.bodies;
  summary.planes = any.planes;
  summary.step = any.step;
  summary.sets = samples.size();
  std::vector<double> projection, early, crossings, percent;
  std::size_t falsely = 0;
  for (const ProjectionSample* sample : samples) {
    projection.push_back(sample->projectionUs);
    summary.slicedRatios.push_back(sample->slicedUs / sample->projectionUs);
    summary.subdivisionRatios.push_back(sample->subdivisionUs / sample->projectionUs);
    summary.listedRatios.push_back(sample->listedUs / sample->projectionUs);
    crossings.push_back(static_cast<double>(sample->crossings));
    percent.push_back(sample->crossingsPercent);
    falsely += sample->falsePositive;
    if (sample->oracle && sample->subdivision)
      early.push_back(*sample->oracle - *sample->subdivision);
  }
  summary.projectionUs = median(projection);
  summary.falsePercent = 100.0 * static_cast<double>(falsely) / static_cast<double>(samples.size());
  if (!early.empty()) {
    summary.earlyMean = mean(early);
    summary.earlyMedian = median(early);
    summary.earlyMost = percentile(early, 1.0);
  }
  summary.crossingsMean = mean(crossings);
  summary.crossingsPercent = mean(percent);
  return summary;
}

}  // namespace

Table summarise(const std::vector<ProjectionSample>& samples) {
  std::map<std::tuple<bool, int, Real>, std::vector<const ProjectionSample*>> groups;
  for (const ProjectionSample& sample : samples)
    groups[{sample.planes, sample.bodies, -sample.step}].push_back(&sample);
  Table table = projectionSummaries().empty();
  for (const auto& group : groups) projectionSummaries().add(table, 0, summaryOf(group.second));
  return table;
}

std::string drawProjection(const Table& summaries) {
  constexpr const char* coarsest = "0.2";
  const TableFigure overBodies{.kind = "lines",
                               .x = "bodies",
                               .by = {"resolution_s"},
                               .log = "xy",
                               .yLabel = "median ratio of times",
                               .where = {{"planes", "0"}}};
  const auto over = [&](const char* title, const char* column) {
    TableFigure figure = overBodies;
    figure.title = title;
    figure.y = {column};
    return figure;
  };
  const auto resolved = [&](const char* title, const char* column, const char* label,
                            const char* log) {
    TableFigure figure = over(title, column);
    figure.x = "resolution_s";
    figure.by = {"bodies"};
    figure.log = log;
    figure.xLabel = "resolution of the subdivision, s";
    figure.yLabel = label;
    return figure;
  };
  // Crossings of a set do not depend on the resolution
  TableFigure crossings = over("Crossings before the first meeting", "crossings_percent");
  crossings.yLabel = "% of the worst case";
  TableFigure slices = over("Our projection by slices / the published one", "ours_slices");
  for (TableFigure* figure : {&crossings, &slices})
    figure->where.push_back({"resolution_s", coarsest});
  const report::PlotRule same{"as long as the published projection", 1.0};
  std::vector<report::Plot> plots{
      plotOf(summaries, over("Subdivision / projection, both published", "subdivision"), same),
      plotOf(summaries, over("Our subdivision with pair lists / projection", "ours_pair_lists"),
             same),
      plotOf(summaries,
             resolved("False positives of subdivision", "false_percent", "% of the sets", "x")),
      plotOf(summaries, resolved("How early subdivision is", "early_median_s", "median, s", "xy")),
      plotOf(summaries, crossings),
      plotOf(summaries, slices, same)};
  for (std::size_t i = 0; i < plots.size(); ++i)
    for (report::PlotSeries& series : plots[i].series)
      series.name = i >= 4             ? "projection"
                    : i == 2 || i == 3 ? series.name + " bodies"
                                       : "resolution " + series.name + " s";
  return report::plotSheet("Earliest intersection: projection against subdivision",
                           std::move(plots), 2);
}

}  // namespace nearmiss::app::lab
