// SPDX-License-Identifier: MIT
#include "lab/equal_spheres_run.h"

#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>
#include <nearmiss/tree_quality.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/equal_spheres.h"
#include "lab/fit_measure.h"
#include "lab/results.h"
#include "thread_count.h"

namespace nearmiss::app {
namespace {

constexpr std::string_view wantedBuilder = "medial";
/// Those that can make any number of spheres.
constexpr std::array<std::string_view, 2> builders{"variational", "dag"};

Result<WantedFit> wantedFit(const std::string& model, const Polyhedron& polyhedron,
                            const EqualSpheresCommand& command) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  settings.workers = command.workers;
  const auto tree =
      answerWithProgressLine(fmt::format("building the {} tree of {}", wantedBuilder, model),
                             [&](BuildProgress& progress) {
                               return buildSphereTree(*findSphereTreeBuilder(wantedBuilder),
                                                      polyhedron, settings, &progress);
                             });
  if (!tree) return tree.error();
  const SphereLevelMeasure last =
      measureLevels(*tree, polyhedron, fitMeasure(command.levels, command.workers, command.quick))
          .back();
  return WantedFit{last.spheres, last.areaWeighted};
}

/// The most children of a sphere, as a mean over its level.
std::size_t branchingOf(const TriedTree& tree) {
  const double even = std::pow(static_cast<double>(tree.spheres), 1.0 / tree.levels);
  return std::max(static_cast<std::size_t>(std::ceil(even - 1e-9)),
                  static_cast<std::size_t>(tree.branching));
}

void addTables(LabResult& result) {
  LabTable table{
      "equal-spheres", "the fewest spheres that fit as well as medial ones", {}, {}, {}, {}};
  table.columns = {{"model", "a built-in name or a file's"},
                   {"builder", "of the smaller tree"},
                   {"medial_spheres", "of the deepest level of the medial tree"},
                   {"medial_hw_m", "how they fit over the surface, Hw, metres"},
                   {"spheres", "the fewest that fit as well, 0 where none do"},
                   {"hw_m", "how these fit"},
                   {"branching", "most children of a sphere"},
                   {"levels", "of the smaller tree"},
                   {"objective", "as tree build names it"},
                   {"tried", "trees that were built"}};
  table.figures = {{"Spheres of equal fit",
                    "Medial spheres, and the fewest that fit as well",
                    "bars",
                    "model",
                    {"medial_spheres", "spheres"},
                    {"builder"},
                    "",
                    "model",
                    "spheres",
                    {}}};
  LabTable tried{"equal-spheres-tried", "every tree that was built for it", {}, {}, {}, {}};
  tried.columns = {{"model", "a built-in name or a file's"},
                   {"builder", "of the tree"},
                   {"medial_hw_m", "what was to be reached, metres"},
                   {"objective", "as tree build names it"},
                   {"levels", "of the tree"},
                   {"branching", "of the tree"},
                   {"most_spheres", "the limit that it was built with"},
                   {"spheres", "that it has"},
                   {"hw_m", "how these fit"},
                   {"fits", "1: as well as the medial ones"}};
  result.tables = {table, tried};
}

void addRows(LabResult& result, std::size_t item, const EqualSpheresRow& row) {
  const TriedTree& smallest = row.smallest;
  result.tables[0].add(
      item, fmt::format("{},{},{},{:.8g},{},{:.8g},{},{},{},{}", csvText(row.model), row.builder,
                        row.wanted.spheres, row.wanted.hWeighted, smallest.spheres,
                        smallest.hWeighted, smallest.spheres > 0 ? branchingOf(smallest) : 0,
                        smallest.levels, smallest.objective, row.tried.size()));
  for (const TriedTree& tree : row.tried)
    result.tables[1].add(
        item, fmt::format("{},{},{:.8g},{},{},{},{},{},{:.8g},{}", csvText(row.model), row.builder,
                          row.wanted.hWeighted, tree.objective, tree.levels, tree.branching,
                          tree.mostSpheres, tree.spheres, tree.hWeighted,
                          tree.hWeighted <= row.wanted.hWeighted ? 1 : 0));
}

/// Adds both builders' rows of one model.
Result<Success> addModel(const std::string& nameOrFile, std::size_t item,
                         const EqualSpheresCommand& command, LabResult& result,
                         std::vector<EqualSpheresRow>& rows) {
  const auto path = engine::findModel(nameOrFile);
  if (!path) return path.error();
  auto loaded = engine::loadModel(*path);
  if (!loaded) return loaded.error();
  for (const std::string& warning : loaded->warnings) complain(warning);
  const auto polyhedron = makePolyhedron(std::move(loaded->mesh));
  if (!polyhedron) return polyhedron.error();
  const auto wanted = wantedFit(loaded->name, *polyhedron, command);
  if (!wanted) return wanted.error();
  for (const std::string_view builder : builders) {
    auto row =
        equalSpheres(loaded->name, builder, *polyhedron, *wanted,
                     fitMeasure(command.levels, command.workers, command.quick), command.quick);
    if (!row) return row.error();
    addRows(result, item, *row);
    rows.push_back(*std::move(row));
  }
  return Success{};
}

void print(const std::vector<EqualSpheresRow>& rows) {
  if (rows.empty()) return;
  fmt::print("how few spheres fit as well over the surface (Hw) as the deepest level of medial\n");
  for (const EqualSpheresRow& row : rows)
    if (row.smallest.spheres > 0)
      fmt::print(
          "{:<10} {:<12} {:>4} spheres with Hw {:.5f} for {} with {:.5f} (--method {} --objective "
          "{} --levels {} --branching {} --spheres {}), of {} trees\n",
          row.model, row.builder, row.smallest.spheres, row.smallest.hWeighted, row.wanted.spheres,
          row.wanted.hWeighted, row.builder, row.smallest.objective, row.smallest.levels,
          row.smallest.branching, row.smallest.mostSpheres, row.tried.size());
    else
      fmt::print("{:<10} {:<12} no fewer than the {} of medial, of {} trees\n", row.model,
                 row.builder, row.wanted.spheres, row.tried.size());
}

}  // namespace

int runEqualSpheres(const EqualSpheresCommand& asked) {
  EqualSpheresCommand command = asked;
  command.workers = threadsOf(command.workers);
  if (!findSphereTreeBuilder(wantedBuilder))
    return complain({ErrorCode::Unsupported,
                     "this program was built without medial spheres, which the others are compared "
                     "with"},
                    Environment);
  if (command.quick && command.models.empty()) command.models = {engine::builtInModels().front()};
  const std::vector<std::string> models =
      command.models.empty() ? engine::builtInModels() : command.models;
  LabResult result = newResult(
      "equal-spheres", command,
      {{"models", namesText(command.models)}, {"levels", fmt::format("{}", command.levels)}});
  result.items = models.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  addTables(result);
  std::vector<EqualSpheresRow> rows;
  for (std::size_t item = 0; item < models.size(); ++item) {
    if (!command.shard.has(item)) continue;
    const auto added = addModel(models[item], item, command, result, rows);
    if (!added && added.error().code == ErrorCode::Cancelled && !rows.empty()) break;
    if (!added) return complain(added.error(), BadModelOrScene);
  }
  print(rows);
  return keepResult(command, result, Ok);
}

}  // namespace nearmiss::app
