// SPDX-License-Identifier: MIT
#include "lab/turk_summary.h"

#include <limits>
#include <map>
#include <span>
#include <utility>

#include "console/order_statistics.h"
#include "lab/table_plot.h"
#include "report/plot_sheet.h"

namespace nearmiss::app::lab {
namespace {

/// Medians over the runs of one method and number of bodies.
struct TurkSummary {
  std::string method;
  int bodies = 0;
  std::size_t runs = 0, collided = 0;
  Real end = 0.0;
  double speedup = 0.0, speedupWithIntegrator = 0.0;
  /// Over runs with a collision after 0.25 s; NaN if there are none.
  double lateSpeedup = 0.0;
  double frameUs = 0.0, slowestRatio = 0.0, callsPercent = 0.0;  ///< frameUs: mean detection time
                                                                 ///< per frame
  Real breakEven = 0.0;           ///< seconds; infinite if more than half of the runs end before it
  double crossingsPercent = 0.0;  ///< mean
};

const TableOf<TurkSummary>& turkSummaries() {
  using Row = TurkSummary;
  static const TableOf<Row> table{
      .name = "turk_summary",
      .title =
          "medians over the runs; speedup: detection time of Turk's grid to that of the method",
      .columns = {
          {"bodies", "", "cubes that fly", &Row::bodies, onTerminal},
          {"method", "", "broad phase", &Row::method, onTerminal},
          {"collided", "", "of the runs", &Row::collided, onTerminal},
          {"runs", "", "in all", &Row::runs, onTerminal},
          {"end_s", "s", "as above", fixed(&Row::end, 2), onTerminal},
          {"frame_us", "us", "detection in a frame", fixed(&Row::frameUs, 3), onTerminal},
          {"speedup", "", "as above", fixed(&Row::speedup, 2), onTerminal},
          {"after_0.25_s", "", "of collisions after a quarter of a second",
           significant(&Row::lateSpeedup, 4), onTerminal},
          {"with_integrator", "", "as above", fixed(&Row::speedupWithIntegrator, 2), onTerminal},
          {"break_even_s", "s", "as above", significant(&Row::breakEven, 4), onTerminal},
          {"slowest_ratio", "", "as above", significant(&Row::slowestRatio, 4), onTerminal},
          {"calls_percent", "%", "of the frames", fixed(&Row::callsPercent, 1), onTerminal},
          {"crossings_percent", "%", "as above", significant(&Row::crossingsPercent, 4),
           onTerminal}}};
  return table;
}

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
    if (record->collided && record->end > papersBreakEven) late.push_back(record->speedup);
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
  summary.lateSpeedup = late.empty() ? std::numeric_limits<double>::quiet_NaN() : median(late);
  summary.frameUs = median(frame);
  summary.slowestRatio = median(slowest);
  summary.callsPercent = median(calls);
  summary.breakEven = median(even);
  summary.crossingsPercent = mean(crossings);
  return summary;
}

}  // namespace

Table summarise(const std::vector<TurkRecord>& records) {
  Table table = turkSummaries().empty();
  std::vector<std::pair<int, std::string>> keys;
  std::map<std::pair<int, std::string>, std::vector<const TurkRecord*>> groups;
  for (const TurkRecord& record : records) {
    auto& group = groups[{record.bodies, record.method}];
    if (group.empty()) keys.emplace_back(record.bodies, record.method);
    group.push_back(&record);
  }
  for (const auto& key : keys) turkSummaries().add(table, 0, summaryOf(groups[key]));
  return table;
}

std::string drawTurkSpeedup(const Table& flights, const Table& summaries) {
  const report::PlotRule same{"as fast as Turk's grid", 1.0};
  std::vector<report::Plot> plots;
  std::string others;
  for (const std::string& method : distinct(flights, "method")) {
    if (method == turkBroadPhase) continue;
    others += (others.empty() ? "" : "|") + method;
    for (const bool integrator : {false, true}) {
      plots.push_back(
          plotOf(flights,
                 {.title = method + (integrator ? ", with the integrator" : ", detection alone"),
                  .kind = "points",
                  .x = "end_s",
                  .y = {integrator ? "speedup_with_integrator" : "speedup"},
                  .by = {"bodies"},
                  .log = "xy",
                  .xLabel = "simulation time of the first collision, s",
                  .yLabel = "speedup over Turk's grid",
                  .where = {{"method", method}}},
                 same));
      for (report::PlotSeries& series : plots.back().series) series.name += " bodies";
    }
  }
  const auto overBodies = [&](const char* title, const char* label, const char* column,
                              const report::PlotRule& rule) {
    plots.push_back(plotOf(summaries,
                           {.title = title,
                            .kind = "lines",
                            .x = "bodies",
                            .y = {column},
                            .by = {"method"},
                            .log = "xy",
                            .yLabel = label,
                            .where = {{"method", others}}},
                           rule));
  };
  overBodies("Speedup of detection alone", "median", "after_0.25_s", same);
  overBodies("When it overtakes Turk's grid", "median, s", "break_even_s",
             {"the papers' break-even", papersBreakEven});
  overBodies("Slowest frame / Turk's slowest", "median", "slowest_ratio", same);
  return report::plotSheet("Look-ahead against Turk's grid, until the first collision",
                           std::move(plots), 2);
}

std::string drawTurkFrames(const Table& frames) {
  std::vector<report::Plot> plots;
  for (const std::string& bodies : distinct(frames, "bodies")) {
    TableFigure figure = frames.figures[0];
    figure.title = bodies + " bodies";
    figure.by = {"method"};
    figure.where = {{"bodies", bodies}};
    plots.push_back(plotOf(frames, figure));
  }
  return report::plotSheet("Detection time of single frames", std::move(plots), 3);
}

}  // namespace nearmiss::app::lab
