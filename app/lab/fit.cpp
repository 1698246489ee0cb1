// SPDX-License-Identifier: MIT
/// `nearmiss lab fit`: fit of builders for meshes of all kinds by level, relative to the octree: by
/// H as in [H96 Fig. 14], and by Ho, which bounds the distance of solids.
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/fit_measure.h"
#include "lab/models.h"
#include "options/option_checks.h"
#include "tools/tree/flat_set.h"

namespace nearmiss::app::lab {
namespace {

constexpr int fitQuickLevels = 2;
constexpr std::size_t fitQuickModels = 4;

struct FitCommand : ExperimentCommand {
  std::vector<std::string> models;                                    ///< empty: the lab's models
  std::vector<std::string> builders{"variational", "dag", "medial"};  ///< in addition to the octree
  int levels = 3;
  /// As named by `tree build`, for builders that have objectives; empty: their defaults.
  std::string objective;
  int workers = 1;  ///< never changes the spheres
};

void addOptions(OptionList& options, FitCommand& command) {
  options.names("--model", command.models, {},
                "models of the lab or files, instead of all lab models");
  options.names("--tree", command.builders, namesOf(sphereTreeBuilderCatalog()),
                "builders to compare with the octree");
  options.levels(command.levels, "deepest level of spheres");
  options.name(
      "--objective", command.objective, tree::objectiveNames(),
      "the quantity that builders minimise, as in tree build; default: each builder's own");
  options.workers(command.workers, 1);
}

/// One level of one tree.
struct FitRow : LevelComparedWithOctree {
  std::string model, kind, builder;
  std::size_t triangles = 0;
  bool solid = false;  ///< for open surfaces Ho equals H
  int level = 0;
  double buildSeconds = 0.0;  ///< of the whole tree
};

const TableOf<FitRow>& fitTable() {
  using Row = FitRow;
  static const TableOf<Row> table{
      .name = "fit",
      .title = "how tightly spheres fit meshes of all kinds",
      .columns = {{"model", "", "of the lab, or a file's", &Row::model, onTerminal},
                  {"kind", "", "thick, link, thin, open, robot or ship", &Row::kind, onTerminal},
                  {"triangles", "", "of the model", &Row::triangles},
                  {"solid", "", "1 where it has an inside, else Ho is H", &Row::solid},
                  {"builder", "", "of the tree", &Row::builder, onTerminal},
                  {"level", "", "of spheres", &Row::level, onTerminal},
                  {"spheres", "", "of the level", &Row::spheres, onTerminal},
                  {"h_mean_m", "m", "H over the surface of each sphere",
                   significant(&Row::surfaceMean, 6)},
                  {"h_max_m", "m", "the same", significant(&Row::surfaceMax, 6)},
                  {"h_mean_ratio", "", "to the octree's same level",
                   ratioToOctree(&Row::surfaceMean, 4), onTerminal},
                  {"h_max_ratio", "", "the same", ratioToOctree(&Row::surfaceMax, 4), onTerminal},
                  {"ho_mean_m", "m", "H without what lies inside of the solid",
                   significant(&Row::outsideMean, 6)},
                  {"ho_max_m", "m", "the same", significant(&Row::outsideMax, 6)},
                  {"ho_mean_ratio", "", "to the octree's same level",
                   ratioToOctree(&Row::outsideMean, 4), onTerminal},
                  {"ho_max_ratio", "", "the same", ratioToOctree(&Row::outsideMax, 4), onTerminal},
                  {"build_s", "s", "wall time of the whole tree", fixed(&Row::buildSeconds, 3),
                   onTerminal}},
      .figures = {{.title = "Ho by builder",
                   .says = "Maximum Ho relative to the octree's, one bar per builder and level",
                   .kind = "bars",
                   .x = "model",
                   .y = {"ho_max_ratio"},
                   .by = {"builder", "level"},
                   .xLabel = "model",
                   .yLabel = "Ho / Ho of the octree"}}};
  return table;
}

/// The octree and the requested builders.
std::vector<std::string> buildersOf(const FitCommand& command) {
  std::vector<std::string> builders{std::string(referenceBuilder)};
  for (const std::string& builder : command.builders)
    if (builder != referenceBuilder) builders.push_back(builder);
  return builders;
}

/// Measures the rows of one tree, without the octree's values.
Result<std::vector<FitRow>> measure(const LabModel& model, const Polyhedron& polyhedron,
                                    const std::string& builder, const FitCommand& command) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  settings.workers = command.workers;
  if (!command.objective.empty())
    settings.annealed.objective = settings.variational.objective = settings.dag.objective =
        settings.medial.objective = settings.anchored.objective =
            tree::objectiveNamed(command.objective);
  const auto start = std::chrono::steady_clock::now();
  const auto tree = runToEndWithProgressLine(
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
    static_cast<SphereLevelMeasure&>(row) = levels[l];
    row.model = model.name;
    row.kind = model.kind;
    row.builder = builder;
    row.triangles = polyhedron.mesh().triangles.size();
    row.solid = polyhedron.report().solid();
    row.level = static_cast<int>(l);
    row.buildSeconds = seconds.count();
  }
  return rows;
}

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
    // Ignore levels that the octree does not have
    if (own->size() > octreeLevels) own->resize(octreeLevels);
    std::move(own->begin(), own->end(), std::back_inserter(found));
  }
  for (FitRow& row : found) row.octree = found[static_cast<std::size_t>(row.level) - 1];
  std::move(found.begin(), found.end(), std::back_inserter(rows));
  return Success{};
}

/// Prints mean and maximum over the models for each builder.
void printSummary(const std::vector<FitRow>& rows, const FitCommand& command) {
  constexpr std::pair<const char*, Real SphereLevelMeasure::*> figures[] = {
      {"H mean", &FitRow::surfaceMean},
      {"H max", &FitRow::surfaceMax},
      {"Ho mean", &FitRow::outsideMean},
      {"Ho max", &FitRow::outsideMax}};
  fmt::print("over the models: mean (worst)\n");
  for (const std::string& builder : buildersOf(command))
    for (int level = 1; level <= command.levels; ++level) {
      std::string line;
      for (const auto& [name, figure] : figures) {
        double sum = 0.0, worst = 0.0, count = 0.0;
        for (const FitRow& row : rows)
          if (row.builder == builder && row.level == level) {
            sum += row.ratio(figure);
            worst = std::max(worst, row.ratio(figure));
            ++count;
          }
        if (count > 0.0) line += fmt::format("  {} {:.3f} ({:.3f})", name, sum / count, worst);
      }
      if (!line.empty()) fmt::print("{:<12} {}{}\n", builder, level, line);
    }
}

int runFit(const FitCommand& requested) {
  FitCommand command = requested;
  if (command.quick) command.levels = std::min(command.levels, fitQuickLevels);
  ExperimentResult result =
      newResult("fit", command,
                {{"models", settingText(command.models)},
                 {"builders", settingText(command.builders)},
                 {"levels", settingText(command.levels)},
                 {"objective", command.objective.empty() ? "of each builder" : command.objective}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  std::vector<std::string> models = command.models.empty() ? labModelNames() : command.models;
  if (command.models.empty() && command.quick) models.resize(fitQuickModels);
  std::vector<FitRow> rows;
  const auto measure = [&](const LabModel& model, std::vector<FitRow>& found) {
    return addModel(model, command, found);
  };
  const int outcome = measureModels(models, command, result, fitTable(), rows, measure);
  if (outcome != Ok && rows.empty()) return outcome;
  print(result.tables[0]);
  printSummary(rows, command);
  return writeResult(command, result, outcome);
}

const ExperimentEntry fitEntry(makeExperiment<FitCommand>(
    "fit",
    "accuracy of tree builders on twenty thick, thin, open and robot meshes, against the "
    "octree",
    "four models, two levels, coarser bounds", addOptions, runFit));

}  // namespace
}  // namespace nearmiss::app::lab
