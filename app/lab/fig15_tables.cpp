// SPDX-License-Identifier: MIT
#include "lab/fig15_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "lab/fig15.h"
#include "lab/log_histogram.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

using engine::PairCall;

constexpr std::size_t levels = engine::exactDepth;
/// H96 §11.2: what the level of the polygons found, and how often it was faster.
constexpr std::size_t paperCollisions = 804;
constexpr double paperShareFaster = 0.751;
/// What rounding may take from a distance, metres at radii of about 1.
constexpr Real rounding = 1e-6;

constexpr std::string_view setUpMeaning =
    "published (medial spheres as in the paper, neither boxes nor inner spheres) or shipped (the "
    "default of this program)";

LabTable speedups() {
  LabTable table{"fig15", "speed-up of sphere trees over BSP trees, level by level", {}, {}, {},
                 {}};
  table.columns = {{"set_up", std::string(setUpMeaning)},
                   {"level", "1 to 4: spheres, 5: triangles, end: the final answer of every call"},
                   {"calls", "that reached the level"},
                   {"speedup_median", "time of the BSP trees to that until the level is known"},
                   {"speedup_mean", "the same"},
                   {"speedup_p10", "the same, by nearest rank"},
                   {"speedup_p90", "the same"},
                   {"share_faster", "of the calls, those with a speed-up above 1"},
                   {"paper_share_faster", "the same as published, level 5"}};
  table.notes = {
      "a call is one pair whose bounding spheres meet, at one detection; both methods see the "
      "same states and take turns at going first",
      "the calls of both set-ups are the same: of flights of 400 frames, as published, each by the "
      "next seed; only their bounce is this program's, which parts tangled ships sooner"};
  table.figures = {{"Speed-up over BSP trees by level",
                    "The median of the calls and the middle 80 %: the speed-up falls from level to "
                    "level",
                    "points",
                    "level",
                    {"speedup_p10", "speedup_median", "speedup_p90"},
                    {"set_up"},
                    "y",
                    "level",
                    "speed-up over BSP trees",
                    {{"level", "1|2|3|4|5"}}},
                   {"How often sphere trees are faster",
                    "Of the calls that reached a level, the share in which BSP trees took longer",
                    "bars",
                    "level",
                    {"share_faster", "paper_share_faster"},
                    {"set_up"},
                    "",
                    "level",
                    "share of the calls",
                    {}}};
  return table;
}

LabTable histogram(std::string name, std::string title, LabColumn x, std::string says,
                   std::string xLabel) {
  LabTable table{std::move(name), std::move(title), {}, {}, {}, {}};
  const std::string column = x.name;
  table.columns = {{"set_up", std::string(setUpMeaning)},
                   {"level", "1 to 4: spheres, 5: triangles"},
                   std::move(x),
                   {"calls", "in the bin"}};
  table.notes = {"ten bins to a factor of ten"};
  for (const char* setUp : {"published", "shipped"})
    table.figures.push_back({fmt::format("{}, {}", table.title, setUp),
                             says,
                             "steps",
                             column,
                             {"calls"},
                             {"level"},
                             "x",
                             xLabel,
                             "calls",
                             {{"set_up", setUp}}});
  return table;
}

LabTable accuracy() {
  LabTable table{"fig16", "separation bounds and true distances, level by level", {}, {}, {}, {}};
  table.columns = {{"set_up", std::string(setUpMeaning)},
                   {"level", "of spheres"},
                   {"calls", "whose spheres collide at the level"},
                   {"bound_median_m", "bound on the separation, metres"},
                   {"bound_mean_m", "the same"},
                   {"compared", "of the calls, those whose true distance was sought"},
                   {"distance_median_m", "true distance in these, metres, 0 in contact"},
                   {"distance_mean_m", "the same"},
                   {"broken", "of these, bounds below the true distance"}};
  table.figures = {{"Accuracy by level",
                    "Medians of the bound on the separation and of the true distance in the same "
                    "calls",
                    "lines",
                    "level",
                    {"bound_median_m", "distance_mean_m"},
                    {"set_up"},
                    "y",
                    "level",
                    "metres",
                    {}}};
  return table;
}

LabTable counts() {
  LabTable table{"fig15_calls", "calls, and contacts that both methods found", {}, {}, {}, {}};
  table.columns = {{"set_up", std::string(setUpMeaning)},
                   {"calls", "of both methods"},
                   {"collisions", "contacts by the BSP trees"},
                   {"missed", "of these, those that the sphere trees do not have"},
                   {"invented", "contacts of the sphere trees that the BSP trees do not have"},
                   {"paper_calls", "as published"},
                   {"paper_collisions", "as published, the same by both methods"}};
  return table;
}

double nanoseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()); }

double shareAboveOne(const std::vector<double>& values) {
  const auto faster = std::count_if(values.begin(), values.end(), [](double v) { return v > 1.0; });
  return static_cast<double>(faster) / static_cast<double>(values.size());
}

void addSpeedups(LabResult& result, std::size_t item, std::string_view setUp,
                 const std::vector<PairCall>& calls) {
  for (std::size_t level = 1; level <= levels + 1; ++level) {
    const bool end = level > levels;
    std::vector<double> values;
    LogHistogram histogramOfLevel;
    for (const PairCall& call : calls) {
      const auto deepest = static_cast<std::size_t>(call.deepest);
      if (deepest == 0 || (!end && deepest < level)) continue;
      const double spent = nanoseconds(call.level[(end ? deepest : level) - 1]);
      if (spent <= 0.0) continue;
      values.push_back(nanoseconds(call.reference) / spent);
      histogramOfLevel.add(values.back());
    }
    if (values.empty()) continue;
    const std::string name = end ? "end" : fmt::format("{}", level);
    const double p10 = percentile(values, 0.1), p90 = percentile(values, 0.9);
    result.table("fig15").add(
        item, fmt::format("{},{},{},{},{},{},{},{:.4f},{}", setUp, name, values.size(),
                          numberCell(median(values), 4), numberCell(mean(values), 4),
                          numberCell(p10, 4), numberCell(p90, 4), shareAboveOne(values),
                          level == levels ? fmt::format("{}", paperShareFaster) : ""));
    if (end) continue;
    for (const auto& [bin, count] : histogramOfLevel.bins())
      result.table("fig15_histogram")
          .add(item,
               fmt::format("{},{},{:.4g},{}", setUp, name, LogHistogram::middleOf(bin), count));
  }
}

std::size_t addAccuracy(LabResult& result, std::size_t item, std::string_view setUp,
                        const Fig15Calls& data) {
  std::size_t brokenInAll = 0;
  for (std::size_t level = 1; level < levels; ++level) {
    std::vector<double> bounds, distances;
    LogHistogram histogramOfLevel;
    std::size_t broken = 0;
    for (std::size_t i = 0; i < data.calls.size(); ++i) {
      const Real bound = data.calls[i].bound[level - 1], distance = data.distances[i];
      if (!std::isfinite(bound)) continue;
      bounds.push_back(bound);
      histogramOfLevel.add(bound);
      if (std::isnan(distance)) continue;
      distances.push_back(distance);
      broken += bound < distance - rounding;
    }
    if (bounds.empty()) continue;
    const std::size_t compared = distances.size();
    result.table("fig16").add(
        item, fmt::format("{},{},{},{},{},{},{},{},{}", setUp, level, bounds.size(),
                          numberCell(median(bounds)), numberCell(mean(bounds)), compared,
                          compared > 0 ? numberCell(median(distances)) : "",
                          compared > 0 ? numberCell(mean(distances)) : "", broken));
    for (const auto& [bin, count] : histogramOfLevel.bins())
      result.table("fig16_histogram")
          .add(item,
               fmt::format("{},{},{:.4g},{}", setUp, level, LogHistogram::middleOf(bin), count));
    brokenInAll += broken;
  }
  return brokenInAll;
}

}  // namespace

void addFig15Tables(LabResult& result) {
  result.tables = {
      speedups(),
      histogram("fig15_histogram", "Calls by their speed-up",
                {"speedup", "the middle of a bin: time of the BSP trees to that of the level"},
                "How many calls had which speed-up, a curve a level", "speed-up over BSP trees"),
      counts(), accuracy(),
      histogram("fig16_histogram", "Calls by their separation bound",
                {"bound_m", "the middle of a bin: bound on the separation, metres"},
                "How many calls had which bound, a curve a level", "bound, m")};
}

Fig15Faults addFig15Rows(LabResult& result, std::size_t item, std::string_view setUp,
                         const Fig15Calls& data) {
  Fig15Faults faults;
  std::size_t collisions = 0;
  for (const PairCall& call : data.calls) {
    collisions += call.hitReference;
    faults.missed += call.hitReference && !call.hitLevel5;
    faults.invented += call.hitLevel5 && !call.hitReference;
  }
  addSpeedups(result, item, setUp, data.calls);
  faults.broken = addAccuracy(result, item, setUp, data);
  result.table("fig15_calls")
      .add(item, fmt::format("{},{},{},{},{},{},{}", setUp, data.calls.size(), collisions,
                             faults.missed, faults.invented, paperCalls, paperCollisions));
  return faults;
}

}  // namespace nearmiss::app
