// SPDX-License-Identifier: MIT
#include "lab/fit.h"

#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>
#include <nearmiss/tree_quality.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/fit_measure.h"
#include "lab/model_rows.h"
#include "lab/results.h"
#include "lab/robot_models.h"
#include "tree/objective_names.h"

namespace nearmiss::app {
namespace {

constexpr std::string_view referenceBuilder = "octree";
constexpr int levelsWhenQuick = 2;
constexpr std::size_t modelsWhenQuick = 4;

std::vector<std::string> modelsOf(const FitCommand& command) {
  if (!command.models.empty()) return command.models;
  std::vector<std::string> names;
  for (const LabModel& model : makeLabModels()) names.push_back(model.name);
  for (const LabModel& model : makeRobotModels()) names.push_back(model.name);
  if (command.quick) names.resize(modelsWhenQuick);
  return names;
}

/// The octree, and those that are asked for.
std::vector<std::string> buildersOf(const FitCommand& command) {
  std::vector<std::string> builders{std::string(referenceBuilder)};
  for (const std::string& builder : command.builders)
    if (builder != referenceBuilder) builders.push_back(builder);
  return builders;
}

/// The rows of one tree, not yet compared with the octree's.
Result<std::vector<FitRow>> measure(const LabModel& model, const Polyhedron& polyhedron,
                                    const std::string& builder, const FitCommand& command) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  settings.workers = command.workers;
  if (!command.objective.empty())
    settings.annealed.objective = settings.variational.objective = settings.dag.objective =
        settings.medial.objective = settings.anchored.objective = objectiveNamed(command.objective);
  const auto start = std::chrono::steady_clock::now();
  const auto tree = answerWithProgressLine(
      fmt::format("building the {} tree of {}", builder, model.name), [&](BuildProgress& progress) {
        return buildSphereTree(*findSphereTreeBuilder(builder), polyhedron, settings, &progress);
      });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!tree) return tree.error();
  const auto levels =
      measureLevels(*tree, polyhedron, fitMeasure(command.levels, command.workers, command.quick));
  std::vector<FitRow> rows;
  for (std::size_t l = 1; l < levels.size(); ++l) {
    FitRow& row = rows.emplace_back();
    row.model = model.name;
    row.kind = model.kind;
    row.builder = builder;
    row.triangles = polyhedron.mesh().triangles.size();
    row.solid = polyhedron.report().solid();
    row.level = static_cast<int>(l);
    row.spheres = levels[l].spheres;
    row.hMean = levels[l].surfaceMean;
    row.hMax = levels[l].surfaceMax;
    row.outsideMean = levels[l].outsideMean;
    row.outsideMax = levels[l].outsideMax;
    row.buildSeconds = seconds.count();
  }
  return rows;
}

double ratio(double value, double reference) { return reference > 0.0 ? value / reference : 1.0; }

/// Adds the rows of one model, the octree's first.
Result<Success> addModel(const LabModel& model, const FitCommand& command,
                         std::vector<FitRow>& rows) {
  const auto polyhedron = makePolyhedron(model.mesh);
  if (!polyhedron) return polyhedron.error();
  std::vector<FitRow> found;
  std::size_t octreeLevels = 0;
  for (const std::string& builder : buildersOf(command)) {
    if (interrupted()) return experimentCancelled();
    auto own = measure(model, *polyhedron, builder, command);
    if (!own) return own.error();
    if (octreeLevels == 0) octreeLevels = own->size();
    // Below the octree's levels there is nothing to compare with
    if (own->size() > octreeLevels) own->resize(octreeLevels);
    std::move(own->begin(), own->end(), std::back_inserter(found));
  }
  for (FitRow& row : found) {
    const FitRow octree = found[static_cast<std::size_t>(row.level) - 1];
    row.hMeanRatio = ratio(row.hMean, octree.hMean);
    row.hMaxRatio = ratio(row.hMax, octree.hMax);
    row.outsideMeanRatio = ratio(row.outsideMean, octree.outsideMean);
    row.outsideMaxRatio = ratio(row.outsideMax, octree.outsideMax);
  }
  std::move(found.begin(), found.end(), std::back_inserter(rows));
  return Success{};
}

LabTable fitTable() {
  LabTable table{"fit", "how tightly spheres fit meshes of all kinds", {}, {}, {}, {}};
  table.columns = {{"model", "of the lab, or a file's"},
                   {"kind", "thick, link, thin, open, robot or ship"},
                   {"triangles", "of the model"},
                   {"solid", "1 where it has an inside; elsewhere Ho is H"},
                   {"builder", "of the tree"},
                   {"level", "of spheres"},
                   {"spheres", "of the level"},
                   {"h_mean_m", "H over the surface of each sphere, metres"},
                   {"h_max_m", "the same"},
                   {"h_mean_ratio", "to the octree's same level"},
                   {"h_max_ratio", "the same"},
                   {"ho_mean_m", "H without what lies inside of the solid"},
                   {"ho_max_m", "the same"},
                   {"ho_mean_ratio", "to the octree's same level"},
                   {"ho_max_ratio", "the same"},
                   {"build_s", "wall time of the whole tree"}};
  table.figures = {{"Ho by builder",
                    "Greatest Ho to the octree's, a bar a builder and level",
                    "bars",
                    "model",
                    {"ho_max_ratio"},
                    {"builder", "level"},
                    "",
                    "model",
                    "Ho / Ho of the octree",
                    {}}};
  return table;
}

void addRow(LabTable& table, std::size_t item, const FitRow& row) {
  table.add(item, fmt::format("{},{},{},{},{},{},{},{:.6g},{:.6g},{:.4f},{:.4f},{:.6g},{:.6g},"
                              "{:.4f},{:.4f},{:.3f}",
                              csvText(row.model), row.kind, row.triangles, row.solid ? 1 : 0,
                              row.builder, row.level, row.spheres, row.hMean, row.hMax,
                              row.hMeanRatio, row.hMaxRatio, row.outsideMean, row.outsideMax,
                              row.outsideMeanRatio, row.outsideMaxRatio, row.buildSeconds));
}

void print(const std::vector<FitRow>& rows) {
  fmt::print(
      "to the octree's same level\n{:<12} {:<6} {:>5}  {:<12} {:>7} {:>8} {:>8} {:>8} {:>8} "
      "{:>8}\n",
      "model", "kind", "level", "builder", "spheres", "H mean", "H max", "Ho mean", "Ho max",
      "build s");
  for (const FitRow& row : rows)
    fmt::print("{:<12} {:<6} {:>5}  {:<12} {:>7} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.2f}\n",
               row.model, row.kind, row.level, row.builder, row.spheres, row.hMeanRatio,
               row.hMaxRatio, row.outsideMeanRatio, row.outsideMaxRatio, row.buildSeconds);
}

/// The mean over the models and the worst of them, builder by builder.
void printSummary(const std::vector<FitRow>& rows, const FitCommand& command) {
  constexpr std::pair<const char*, double FitRow::*> figures[] = {
      {"H mean", &FitRow::hMeanRatio},
      {"H max", &FitRow::hMaxRatio},
      {"Ho mean", &FitRow::outsideMeanRatio},
      {"Ho max", &FitRow::outsideMaxRatio}};
  fmt::print("over the models: mean (worst)\n");
  for (const std::string& builder : buildersOf(command))
    for (int level = 1; level <= command.levels; ++level) {
      std::string line;
      for (const auto& [name, figure] : figures) {
        double sum = 0.0, worst = 0.0, count = 0.0;
        for (const FitRow& row : rows)
          if (row.builder == builder && row.level == level) {
            sum += row.*figure;
            worst = std::max(worst, row.*figure);
            ++count;
          }
        if (count > 0.0) line += fmt::format("  {} {:.3f} ({:.3f})", name, sum / count, worst);
      }
      if (!line.empty()) fmt::print("{:<12} {}{}\n", builder, level, line);
    }
}

}  // namespace

int runFit(const FitCommand& asked) {
  FitCommand command = asked;
  if (command.quick) command.levels = std::min(command.levels, levelsWhenQuick);
  LabResult result =
      newResult("fit", command,
                {{"models", namesText(command.models)},
                 {"builders", namesText(command.builders)},
                 {"levels", fmt::format("{}", command.levels)},
                 {"objective", command.objective.empty() ? "of each builder" : command.objective}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {fitTable()};
  std::vector<FitRow> rows;
  const auto measure = [&](const LabModel& model, std::vector<FitRow>& found) {
    return addModel(model, command, found);
  };
  const auto write = [&](std::size_t item, const FitRow& row) {
    addRow(result.tables[0], item, row);
  };
  if (const auto failed = measureModels(modelsOf(command), command, result, rows, measure, write))
    return *failed;
  print(rows);
  printSummary(rows, command);
  return keepResult(command, result, Ok);
}

}  // namespace nearmiss::app
