// SPDX-License-Identifier: MIT
#include "lab/fig14.h"

#include <engine/model/model_loader.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>
#include <nearmiss/tree_quality.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/false_alarms.h"
#include "lab/figure/fig14_figure.h"
#include "lab/fit_measure.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

constexpr std::string_view referenceBuilder = "octree", boxedBuilder = "variational";

/// Fig. 14: medial axis against octree, levels 1 to 3.
struct PaperRatios {
  std::string_view model;
  std::array<double, 3> mean, max;
};
constexpr std::array<PaperRatios, 4> paperRatios{{
    {"lamp", {0.442, 0.220, 0.164}, {0.494, 0.485, 0.433}},
    {"faucet", {0.492, 0.358, 0.377}, {0.552, 0.439, 0.687}},
    {"rocket", {0.654, 0.546, 0.379}, {0.728, 0.690, 0.979}},
    {"truck", {0.571, 0.389, 0.286}, {0.671, 0.450, 0.531}},
}};

/// One column of the table.
struct Column {
  std::string_view name;
  const SphereTreeBuilderEntry* builder = nullptr;
  bool boxes = false;  ///< beside the spheres
};

struct BuiltTree {
  std::string_view builder;
  Shape shape;
  double seconds = 0.0;
};

Result<BuiltTree> build(const Column& column, const Shape& bare, const Fig14Command& command,
                        const std::string& model) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  if (command.coverage == "paper") settings.medial.coverage = Coverage::Paper;
  if (command.coverage == "samples") settings.medial.coverage = Coverage::Samples;
  settings.workers = command.workers;
  if (column.boxes) settings.nodeBoxRatio = engine::defaultNodeBoxRatio;
  const auto start = std::chrono::steady_clock::now();
  auto tree = answerWithProgressLine(
      fmt::format("building the {} tree of {}", column.name, model), [&](BuildProgress& progress) {
        return buildSphereTree(*column.builder, bare.polyhedron(), settings, &progress);
      });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!tree)
    return Error{tree.error().code,
                 fmt::format("{} of {}: {}", column.name, model, tree.error().message)};
  auto shape = bare.with(*std::move(tree));
  if (!shape) return shape.error();
  return BuiltTree{column.name, *std::move(shape), seconds.count()};
}

/// The rows of one tree, not yet compared with the octree's.
std::vector<Fig14Row> measure(const BuiltTree& built, const PairPoses& poses,
                              const Fig14Command& command, const std::string& model) {
  const Polyhedron& polyhedron = built.shape.polyhedron();
  const auto measures = measureLevels(*built.shape.sphereTree(), polyhedron,
                                      fitMeasure(command.levels, command.workers, command.quick));
  const FalseAlarms alarms = countFalseAlarms(built.shape, poses);
  std::vector<Fig14Row> rows;
  for (std::size_t l = 1; l < measures.size(); ++l) {
    const SphereLevelMeasure& level = measures[l];
    Fig14Row& row = rows.emplace_back();
    row.model = model;
    row.builder = built.builder;
    row.triangles = polyhedron.mesh().triangles.size();
    row.level = static_cast<int>(l);
    row.spheres = level.spheres;
    row.hMean = level.surfaceMean;
    row.hMax = level.surfaceMax;
    row.outsideMean = level.outsideMean;
    row.outsideMax = level.outsideMax;
    row.ballMean = level.ballMean;
    row.ballMax = level.ballMax;
    row.sampledMean = level.sampledMean;
    row.sampledMax = level.sampledMax;
    row.correctedMean = level.correctedMean;
    row.correctedMax = level.correctedMax;
    row.hWeighted = level.areaWeighted;
    row.uncoveredPercent = 100.0 * level.uncovered;
    row.separatedPoses = poses.separated.size();
    if (row.separatedPoses > 0)
      row.falseAlarmPercent =
          100.0 * static_cast<double>(alarms.atLevel[l]) / static_cast<double>(row.separatedPoses);
    row.contactPoses = poses.touching.size();
    row.missedContacts = alarms.missed;
    row.separatedMicroseconds = alarms.separatedMicroseconds;
    row.contactMicroseconds = alarms.touchingMicroseconds;
    row.buildSeconds = built.seconds;
    for (const PaperRatios& paper : paperRatios)
      if (paper.model == model && l <= paper.mean.size()) {
        row.paperMeanRatio = paper.mean[l - 1];
        row.paperMaxRatio = paper.max[l - 1];
      }
  }
  return rows;
}

/// Fills the ratios from `from` on; the octree's rows come first there. A tree that ends early is
/// compared at the levels that both have.
void compareWithFirst(std::size_t from, std::size_t levels, std::vector<Fig14Row>& rows) {
  const auto ratio = [](double value, double to) { return to > 0.0 ? value / to : 1.0; };
  for (std::size_t i = from; i < rows.size(); ++i) {
    const std::size_t l = std::min(static_cast<std::size_t>(rows[i].level), levels);
    const Fig14Row& octree = rows[from + l - 1];
    rows[i].meanRatio = ratio(rows[i].hMean, octree.hMean);
    rows[i].maxRatio = ratio(rows[i].hMax, octree.hMax);
    rows[i].weightedRatio = ratio(rows[i].hWeighted, octree.hWeighted);
    rows[i].sampledRatio = ratio(rows[i].sampledMean, octree.sampledMean);
    rows[i].correctedRatio = ratio(rows[i].correctedMean, octree.correctedMean);
  }
}

/// All that there are, the octree first.
std::vector<Column> allColumns() {
  std::vector<Column> columns{{referenceBuilder, findSphereTreeBuilder(referenceBuilder)}};
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog()) {
    if (entry.name != referenceBuilder) columns.push_back({entry.name, &entry});
    if (entry.name == boxedBuilder) columns.push_back({"variational+boxes", &entry, true});
  }
  return columns;
}

/// The octree, then all others that are wanted.
std::vector<Column> columnsOf(const Fig14Command& command) {
  std::vector<Column> columns = allColumns();
  const auto& asked = command.builders;
  if (asked.empty()) return columns;
  const auto unwanted = [&asked](const Column& column) {
    return std::find(asked.begin(), asked.end(), column.name) == asked.end();
  };
  columns.erase(std::remove_if(columns.begin() + 1, columns.end(), unwanted), columns.end());
  return columns;
}

/// Adds the rows of one model. Its trees that cannot be built are named and left out; `failed` then
/// says what the program should end with.
Result<Success> addModel(const std::string& nameOrFile, const Fig14Command& command,
                         std::vector<Fig14Row>& rows, int& failed) {
  const auto path = engine::findModel(nameOrFile);
  if (!path) return path.error();
  auto loaded = engine::loadModel(*path);
  if (!loaded) return loaded.error();
  for (const std::string& warning : loaded->warnings) complain(warning);
  auto prepared = makePolyhedron(std::move(loaded->mesh));
  if (!prepared) return prepared.error();
  const Shape bare = Shape::of(*std::move(prepared));
  const std::size_t first = rows.size();
  std::size_t octreeLevels = 0;
  PairPoses poses;
  for (const Column& column : columnsOf(command)) {
    if (interrupted()) return experimentCancelled();
    const auto built = build(column, bare, command, loaded->name);
    if (!built) {
      if (octreeLevels == 0 || built.error().code == ErrorCode::Cancelled) return built.error();
      failed = complain(built.error(), ValidationFailed);
      continue;
    }
    if (octreeLevels == 0) poses = drawPairPoses(built->shape, command.quick ? 200 : 2000, 14);
    auto measured = measure(*built, poses, command, loaded->name);
    if (octreeLevels == 0) octreeLevels = measured.size();
    std::move(measured.begin(), measured.end(), std::back_inserter(rows));
  }
  compareWithFirst(first, octreeLevels, rows);
  return Success{};
}

LabTable fig14Table() {
  LabTable table{"fig14", "how tightly the spheres of every builder fit", {}, {}, {}, {}};
  table.columns = {{"model", "a built-in name or a file's"},
                   {"triangles", "of the model"},
                   {"builder", "of the tree"},
                   {"level", "of spheres"},
                   {"spheres", "of the level"},
                   {"h_mean_m", "H over the surface of each sphere, metres"},
                   {"h_max_m", "the same"},
                   {"h_mean_ratio", "to the octree's same level"},
                   {"h_max_ratio", "the same"},
                   {"paper_mean_ratio", "medial axis to octree, on a model of the same kind"},
                   {"paper_max_ratio", "the same"},
                   {"ho_mean_m", "H without what lies inside of the solid"},
                   {"ho_max_m", "the same"},
                   {"hb_mean_m", "H over the whole ball"},
                   {"hb_max_m", "the same"},
                   {"hw_m", "mean by area of the least H at a point of the surface"},
                   {"hw_ratio", "to the octree's same level"},
                   {"uncovered_percent", "of the surface, what no sphere holds"},
                   {"separated_poses", "drawn"},
                   {"false_alarm_percent", "of these, those whose spheres collide at the level"},
                   {"contact_poses", "drawn"},
                   {"missed_contacts", "of these, called separate at last"},
                   {"separated_us", "wall time of a separated pair to its final answer"},
                   {"contact_us", "the same of one in contact"},
                   {"build_s", "wall time of the whole tree"},
                   {"hd_mean_m", "the paper's estimate of H by a dodecahedron"},
                   {"hd_max_m", "the same"},
                   {"hd_corrected_mean_m", "the same with its correction of 0.64 radii"},
                   {"hd_corrected_max_m", "the same"},
                   {"hd_mean_ratio", "hd_mean_m to the octree's same level"},
                   {"hd_corrected_mean_ratio", "hd_corrected_mean_m to the octree's same level"}};
  table.notes = {"the paper's figures are those of its own models, ours are of the same kind"};
  table.figures = {{"Accuracy of spheres by level",
                    "Mean H to the octree's, beside the paper's medial axis",
                    "bars",
                    "model",
                    {"h_mean_ratio", "paper_mean_ratio"},
                    {"level"},
                    "",
                    "model",
                    "H / H of the octree",
                    {{"builder", "medial"}}}};
  return table;
}

void addRow(LabTable& table, std::size_t item, const Fig14Row& row) {
  table.add(
      item,
      fmt::format(
          "{},{},{},{},{},{:.8g},{:.8g},{:.5f},{:.5f},{},{},{:.8g},{:.8g},{:.8g},{:.8g},"
          "{:.8g},{:.5f},{:.4f},{},{:.3f},{},{},{:.4f},{:.4f},{:.4f},{:.8g},{:.8g},{:.8g},{:.8g},"
          "{:.5f},{:.5f}",
          csvText(row.model), row.triangles, row.builder, row.level, row.spheres, row.hMean,
          row.hMax, row.meanRatio, row.maxRatio, cell("{:.3f}", row.paperMeanRatio),
          cell("{:.3f}", row.paperMaxRatio), row.outsideMean, row.outsideMax, row.ballMean,
          row.ballMax, row.hWeighted, row.weightedRatio, row.uncoveredPercent, row.separatedPoses,
          row.falseAlarmPercent, row.contactPoses, row.missedContacts, row.separatedMicroseconds,
          row.contactMicroseconds, row.buildSeconds, row.sampledMean, row.sampledMax,
          row.correctedMean, row.correctedMax, row.sampledRatio, row.correctedRatio));
}

/// Of the poses in contact, those that the tree calls separate at last: 0 where coverage is
/// guaranteed.
double missedPercent(const Fig14Row& row) {
  if (row.contactPoses == 0) return 0.0;
  return 100.0 * static_cast<double>(row.missedContacts) / static_cast<double>(row.contactPoses);
}

void print(const std::vector<Fig14Row>& rows) {
  fmt::print(
      "H of spheres against the octree's level; \"paper\" is its medial axis on models of the same "
      "kind (Fig. 14)\n{:<10} {:>5}  {:<17} {:>7} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} "
      "{:>8} {:>8} {:>8} {:>8}\n",
      "model", "level", "builder", "spheres", "H mean", "H max", "mean/o", "paper", "max/o",
      "paper", "Hw/o", "alarms %", "missed %", "apart us", "touch us", "build s");
  for (const Fig14Row& row : rows)
    fmt::print(
        "{:<10} {:>5}  {:<17} {:>7} {:>8.5f} {:>8.5f} {:>6.3f} {:>6} {:>6.3f} {:>6} {:>6.3f} "
        "{:>8.2f} {:>8.3f} {:>8.2f} {:>8.2f} {:>8.2f}\n",
        row.model, row.level, row.builder, row.spheres, row.hMean, row.hMax, row.meanRatio,
        cell("{:.3f}", row.paperMeanRatio, "-"), row.maxRatio,
        cell("{:.3f}", row.paperMaxRatio, "-"), row.weightedRatio, row.falseAlarmPercent,
        missedPercent(row), row.separatedMicroseconds, row.contactMicroseconds, row.buildSeconds);
}

/// Means over the models, as the paper's text gives them.
void printMeans(const std::vector<Fig14Row>& rows, const Fig14Command& command) {
  fmt::print("means over the models\n");
  for (const Column& column : columnsOf(command))
    for (int level = 1; level <= command.levels; ++level) {
      double mean = 0.0, max = 0.0, alarms = 0.0, count = 0.0;
      for (const Fig14Row& row : rows)
        if (row.builder == column.name && row.level == level) {
          mean += row.meanRatio;
          max += row.maxRatio;
          alarms += row.falseAlarmPercent;
          ++count;
        }
      if (count > 0.0)
        fmt::print("{:<10} {:>5}  {:<17} mean/o {:.3f}  max/o {:.3f}  alarms {:.2f} %\n", "", level,
                   column.name, mean / count, max / count, alarms / count);
    }
}

}  // namespace

std::vector<std::string_view> fig14Builders() {
  std::vector<std::string_view> names;
  for (const Column& column : allColumns()) names.push_back(column.name);
  return names;
}

int runFig14(const Fig14Command& command) {
  const std::vector<std::string> models =
      command.models.empty() ? engine::builtInModels() : command.models;
  LabResult result = newResult("fig14", command,
                               {{"models", namesText(command.models)},
                                {"builders", namesText(command.builders)},
                                {"levels", fmt::format("{}", command.levels)},
                                {"coverage", command.coverage}});
  result.items = models.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {fig14Table()};
  std::vector<Fig14Row> rows;
  int failed = Ok;
  for (std::size_t item = 0; item < models.size(); ++item) {
    if (!command.shard.has(item)) continue;
    const std::size_t first = rows.size();
    const auto added = addModel(models[item], command, rows, failed);
    if (!added && added.error().code == ErrorCode::Cancelled && first > 0) {
      // What is not compared with the octree yet is of no use
      rows.resize(first);
      break;
    }
    if (!added) return complain(added.error(), BadModelOrScene);
    for (std::size_t i = first; i < rows.size(); ++i) addRow(result.tables[0], item, rows[i]);
  }

  print(rows);
  printMeans(rows, command);
  const int outcome = keepResult(command, result, failed);
  return outcome == Ok && command.shard.whole()
             ? writeResults(command.folder, {{"fig14.svg", drawFig14(rows)}})
             : outcome;
}

}  // namespace nearmiss::app
