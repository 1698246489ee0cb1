// SPDX-License-Identifier: MIT
#include "lab/fig15_tables.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "console/order_statistics.h"
#include "lab/decade_bins.h"

namespace nearmiss::app::lab {
namespace {

using engine::PairCall;

constexpr std::size_t callLevels = engine::exactDepth;
/// H96 §11.2: contacts at the triangle level, and how often sphere trees were faster.
constexpr std::size_t paperCollisions = 804;
constexpr double paperShareFaster = 0.751;
/// Rounding error of a distance, metres, for radii of about 1.
constexpr Real distanceRounding = 1e-6;

constexpr const char* setUpMeaning =
    "published (medial spheres as in the paper, neither boxes nor inner spheres, beside BSP trees "
    "down which each polygon is filtered, also after the first contact: our reading, as the paper "
    "does not say when a test ends), own-bsp (the same beside BSP trees of ours, which leave out "
    "distant polygons and stop at the first contact: the other reading) or shipped (the default "
    "of this program beside the latter)";

/// Calls of one setup that reached one level, and their speed-up.
struct SpeedupRow {
  std::string setUp, level;
  std::vector<double> speedups;
  std::vector<double> touching;  ///< of these, those of calls whose ships touch
  bool publishedShare = false;   ///< the paper has a value for this level
};

auto speedupAt(double share) {
  return [=](const SpeedupRow& row) {
    std::vector<double> values = row.speedups;
    return significant(percentile(values, share), 4);
  };
}

double shareFaster(const std::vector<double>& speedups) {
  const auto faster = std::ranges::count_if(speedups, [](double value) { return value > 1.0; });
  return static_cast<double>(faster) / static_cast<double>(speedups.size());
}

const TableOf<SpeedupRow>& speedupTable() {
  using Row = SpeedupRow;
  static const TableOf<Row> table{
      .name = "fig15",
      .title = "speed-up of sphere trees over BSP trees, level by level",
      .columns = {{"set_up", "", setUpMeaning, &Row::setUp, onTerminal},
                  {"level", "",
                   "1 to 4: spheres, 5: triangles, end: the final answer of every call",
                   &Row::level, onTerminal},
                  {"calls", "", "that reached the level",
                   [](const Row& row) { return Cell(row.speedups.size()); }, onTerminal},
                  {"speedup_median", "", "time of the BSP trees to that until the level is known",
                   speedupAt(0.5), onTerminal},
                  {"speedup_mean", "", "the same",
                   [](const Row& row) { return significant(mean(row.speedups), 4); }, onTerminal},
                  {"speedup_p10", "", "the same, by nearest rank", speedupAt(0.1), onTerminal},
                  {"speedup_p90", "", "the same", speedupAt(0.9), onTerminal},
                  {"share_faster", "", "of the calls, those with a speed-up above 1",
                   [](const Row& row) { return fixed(shareFaster(row.speedups), 4); }, onTerminal},
                  {"touching_calls", "", "of the calls, those whose ships touch",
                   [](const Row& row) { return Cell(row.touching.size()); }},
                  {"share_faster_touching", "", "share_faster of these calls",
                   [](const Row& row) {
                     return row.touching.empty() ? Cell() : fixed(shareFaster(row.touching), 4);
                   },
                   onTerminal},
                  {"paper_share_faster", "", "the same as published, level 5",
                   [](const Row& row) {
                     return row.publishedShare ? shortest(paperShareFaster) : Cell();
                   },
                   onTerminal}},
      .notes =
          {"a call is one pair whose bounding spheres meet, at one detection; both methods see "
           "the same states and take turns at going first",
           "both set-ups use the same calls, from flights of 400 frames with consecutive seeds; "
           "the flights are as published, except that this program's bounce separates tangled "
           "ships sooner"},
      .figures = {{.title = "Speed-up over BSP trees by level",
                   .says = "The median of the calls and the middle 80 %: the speed-up falls from "
                           "level to level",
                   .kind = "points",
                   .x = "level",
                   .y = {"speedup_p10", "speedup_median", "speedup_p90"},
                   .by = {"set_up"},
                   .log = "y",
                   .xLabel = "level",
                   .yLabel = "speed-up over BSP trees",
                   .where = {{"level", "1|2|3|4|5"}}},
                  {.title = "How often sphere trees are faster",
                   .says = "Of the calls that reached a level, the share in which BSP trees took "
                           "longer",
                   .kind = "bars",
                   .x = "level",
                   .y = {"share_faster", "paper_share_faster"},
                   .by = {"set_up"},
                   .xLabel = "level",
                   .yLabel = "share of the calls"}}};
  return table;
}

/// Number of calls of a level in one bin.
struct BinRow {
  std::string setUp, level;
  double middle = 0.0;
  std::size_t calls = 0;
};

TableOf<BinRow> binTable(std::string name, std::string title, const Column<BinRow>& x,
                         const std::string& says, const std::string& xLabel) {
  using Row = BinRow;
  TableOf<Row> table{.name = std::move(name),
                     .title = std::move(title),
                     .columns = {{"set_up", "", setUpMeaning, &Row::setUp},
                                 {"level", "", "1 to 4: spheres, 5: triangles", &Row::level},
                                 x,
                                 {"calls", "", "in the bin", &Row::calls}},
                     .notes = {"ten bins to a factor of ten"}};
  for (const char* setUp : {"published", "own-bsp", "shipped"})
    table.figures.push_back({.title = fmt::format("{}, {}", table.title, setUp),
                             .says = says,
                             .kind = "steps",
                             .x = x.name,
                             .y = {"calls"},
                             .by = {"level"},
                             .log = "x",
                             .xLabel = xLabel,
                             .yLabel = "calls",
                             .where = {{"set_up", setUp}}});
  return table;
}

const TableOf<BinRow>& speedupBins() {
  static const TableOf<BinRow> table =
      binTable("fig15_histogram", "Calls by their speed-up",
               {"speedup", "", "the middle of a bin: time of the BSP trees to that of the level",
                significant(&BinRow::middle, 4)},
               "How many calls had which speed-up, a curve per level", "speed-up over BSP trees");
  return table;
}

const TableOf<BinRow>& boundBins() {
  static const TableOf<BinRow> table =
      binTable("fig16_histogram", "Calls by their separation bound",
               {"bound_m", "m", "the middle of a bin: bound on the separation",
                significant(&BinRow::middle, 4)},
               "How many calls had which bound, a curve per level", "bound, m");
  return table;
}

/// The calls of one setup whose spheres collide at one level. Metres.
struct AccuracyRow {
  std::string setUp, level;
  std::vector<double> bounds, distances;
  std::size_t broken = 0;
};

auto middleOf(std::vector<double> AccuracyRow::*lengths) {
  return [=](const AccuracyRow& row) {
    std::vector<double> values = row.*lengths;
    return values.empty() ? Cell() : significant(median(values), 6);
  };
}
auto meanOf(std::vector<double> AccuracyRow::*lengths) {
  return [=](const AccuracyRow& row) {
    return (row.*lengths).empty() ? Cell() : significant(mean(row.*lengths), 6);
  };
}

const TableOf<AccuracyRow>& accuracyTable() {
  using Row = AccuracyRow;
  static const TableOf<Row> table{
      .name = "fig16",
      .title = "separation bounds and true distances, level by level",
      .columns = {{"set_up", "", setUpMeaning, &Row::setUp, onTerminal},
                  {"level", "", "of spheres", &Row::level, onTerminal},
                  {"calls", "", "whose spheres collide at the level",
                   [](const Row& row) { return Cell(row.bounds.size()); }, onTerminal},
                  {"bound_median_m", "m", "bound on the separation", middleOf(&Row::bounds),
                   onTerminal},
                  {"bound_mean_m", "m", "the same", meanOf(&Row::bounds), onTerminal},
                  {"compared", "", "of the calls, those whose true distance was sought",
                   [](const Row& row) { return Cell(row.distances.size()); }},
                  {"distance_median_m", "m", "true distance in these, 0 in contact",
                   middleOf(&Row::distances), onTerminal},
                  {"distance_mean_m", "m", "the same", meanOf(&Row::distances), onTerminal},
                  {"broken", "", "of these, bounds below the true distance", &Row::broken,
                   onTerminal}},
      .figures = {{.title = "Accuracy by level",
                   .says = "Medians of the bound on the separation and of the true distance in the "
                           "same calls",
                   .kind = "lines",
                   .x = "level",
                   .y = {"bound_median_m", "distance_mean_m"},
                   .by = {"set_up"},
                   .log = "y",
                   .xLabel = "level",
                   .yLabel = "metres"}}};
  return table;
}

/// All calls of one setup.
struct CallsRow {
  std::string setUp;
  std::size_t calls = 0, collisions = 0, missed = 0, invented = 0;
};

const TableOf<CallsRow>& callsTable() {
  using Row = CallsRow;
  static const TableOf<Row> table{
      .name = "fig15_calls",
      .title = "calls, and contacts that both methods found",
      .columns = {{"set_up", "", setUpMeaning, &Row::setUp, onTerminal},
                  {"calls", "", "of both methods", &Row::calls, onTerminal},
                  {"collisions", "", "contacts by the BSP trees", &Row::collisions, onTerminal},
                  {"missed", "", "of these, those that the sphere trees do not have", &Row::missed,
                   onTerminal},
                  {"invented", "", "contacts of the sphere trees that the BSP trees do not have",
                   &Row::invented, onTerminal},
                  {"paper_calls", "", "as published", [](const Row&) { return Cell(paperCalls); },
                   onTerminal},
                  {"paper_collisions", "", "as published, the same by both methods",
                   [](const Row&) { return Cell(paperCollisions); }, onTerminal}}};
  return table;
}

void addBins(const TableOf<BinRow>& bins, ExperimentResult& result, std::size_t item,
             const std::string& setUp, const std::string& level,
             const std::vector<double>& values) {
  DecadeBins counted;
  for (const double value : values) counted.add(value);
  for (const auto& [bin, calls] : counted.bins())
    bins.add(result.table(bins.name), item, {setUp, level, DecadeBins::middleOf(bin), calls});
}

double nanoseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()); }

void addSpeedups(ExperimentResult& result, std::size_t item, const std::string& setUp,
                 const std::vector<PairCall>& calls) {
  for (std::size_t level = 1; level <= callLevels + 1; ++level) {
    const bool end = level > callLevels;
    SpeedupRow row{setUp, end ? "end" : fmt::format("{}", level), {}, {}, level == callLevels};
    for (const PairCall& call : calls) {
      const auto deepest = static_cast<std::size_t>(call.deepest);
      if (deepest == 0 || (!end && deepest < level)) continue;
      const double spent = nanoseconds(call.level[(end ? deepest : level) - 1]);
      if (!(spent > 0.0)) continue;
      row.speedups.push_back(nanoseconds(call.reference) / spent);
      if (call.hitReference) row.touching.push_back(row.speedups.back());
    }
    if (row.speedups.empty()) continue;
    speedupTable().add(result.table("fig15"), item, row);
    if (!end) addBins(speedupBins(), result, item, setUp, row.level, row.speedups);
  }
}

std::size_t addAccuracy(ExperimentResult& result, std::size_t item, const std::string& setUp,
                        const Fig15Calls& data) {
  std::size_t broken = 0;
  for (std::size_t level = 1; level < callLevels; ++level) {
    AccuracyRow row{setUp, fmt::format("{}", level), {}, {}};
    for (std::size_t i = 0; i < data.calls.size(); ++i) {
      const Real bound = data.calls[i].bound[level - 1], distance = data.distances[i];
      if (!std::isfinite(bound)) continue;
      row.bounds.push_back(bound);
      if (std::isnan(distance)) continue;
      row.distances.push_back(distance);
      row.broken += bound < distance - distanceRounding;
    }
    if (row.bounds.empty()) continue;
    accuracyTable().add(result.table("fig16"), item, row);
    addBins(boundBins(), result, item, setUp, row.level, row.bounds);
    broken += row.broken;
  }
  return broken;
}

}  // namespace

std::vector<Table> fig15Tables(std::size_t distanceEvery) {
  std::vector<Table> tables{speedupTable().empty(), speedupBins().empty(), callsTable().empty(),
                            accuracyTable().empty(), boundBins().empty()};
  tables[3].notes.push_back(fmt::format(
      "the true distance is that of the exact query, sought in one call of {}", distanceEvery));
  return tables;
}

Fig15Faults addFig15Rows(ExperimentResult& result, std::size_t item, std::string_view setUp,
                         const Fig15Calls& data) {
  const std::string name(setUp);
  CallsRow row{name, data.calls.size()};
  for (const PairCall& call : data.calls) {
    row.collisions += call.hitReference;
    row.missed += call.hitReference && !call.hitLevel5;
    row.invented += call.hitLevel5 && !call.hitReference;
  }
  addSpeedups(result, item, name, data.calls);
  const std::size_t broken = addAccuracy(result, item, name, data);
  callsTable().add(result.table("fig15_calls"), item, row);
  return {row.missed, row.invented, broken};
}

}  // namespace nearmiss::app::lab
