// SPDX-License-Identifier: MIT
/// `nearmiss lab equal-spheres`: finds how few spheres of other builders fit as well as those of
/// the paper's builder. The fit is Hw: the mean, over uniform points of the surface, of the
/// smallest H (Hausdorff distance) of a sphere that contains the point.
#include <engine/base/threads.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/fit_measure.h"
#include "lab/models.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::string_view wantedBuilder = "medial";
/// Builders that can make any number of spheres.
constexpr std::array<std::string_view, 2> smallerBuilders{"variational", "dag"};

struct EqualSpheresCommand : ExperimentCommand {
  std::vector<std::string> models;  ///< empty: the built-in models
  int levels = 3;                   ///< of the medial tree
  int workers = 0;                  ///< 0: one per core; never changes the result
};

void addOptions(OptionList& options, EqualSpheresCommand& command) {
  options.names("--model", command.models, {}, "models or files, instead of the built-in ones");
  options.levels(command.levels, "levels of the medial tree");
  options.workers(command.workers, 0);
}

/// The target: the spheres of one level and their Hw, metres.
struct RequestedFit {
  std::size_t spheres = 0;
  double hWeighted = 0.0;
};

/// A tree built by the search, and the fit of its deepest level.
struct TriedTree {
  std::string_view objective;  ///< as named by `tree build`
  int levels = 0, branching = 0;
  std::size_t maxSpheres = 0;  ///< its limit of spheres
  std::size_t spheres = 0;
  double hWeighted = 0.0;
};

/// The trees of one builder for one model.
struct EqualSpheresRow {
  std::string model, builder;
  RequestedFit wanted = {};
  TriedTree smallest = {};            ///< smallest tree that fits as well; empty if there is none
  std::vector<TriedTree> tried = {};  ///< all trees in order of construction
};

/// Maximum number of children per sphere: the tree's own, or the mean that its number of spheres
/// requires if that is larger.
std::size_t branchingOf(const TriedTree& tree) {
  const double even = std::pow(static_cast<double>(tree.spheres), 1.0 / tree.levels);
  return std::max(static_cast<std::size_t>(std::ceil(even - 1e-9)),
                  static_cast<std::size_t>(tree.branching));
}

const TableOf<EqualSpheresRow>& equalSpheresTable() {
  using Row = EqualSpheresRow;
  static const TableOf<Row> table{
      .name = "equal-spheres",
      .title = "the fewest spheres that fit as well as medial ones",
      .columns = {{"model", "", "a built-in name or a file's", &Row::model, onTerminal},
                  {"builder", "", "of the smaller tree", &Row::builder, onTerminal},
                  {"medial_spheres", "", "of the deepest level of the medial tree",
                   [](const Row& row) { return Cell(row.wanted.spheres); }, onTerminal},
                  {"medial_hw_m", "m", "how they fit over the surface, Hw",
                   [](const Row& row) { return significant(row.wanted.hWeighted, 8); }, onTerminal},
                  {"spheres", "", "the fewest that fit as well, 0 where none do",
                   [](const Row& row) { return Cell(row.smallest.spheres); }, onTerminal},
                  {"hw_m", "m", "how these fit",
                   [](const Row& row) { return significant(row.smallest.hWeighted, 8); },
                   onTerminal},
                  {"branching", "", "max children of a sphere",
                   [](const Row& row) {
                     return Cell(row.smallest.spheres > 0 ? branchingOf(row.smallest) : 0);
                   },
                   onTerminal},
                  {"levels", "", "of the smaller tree",
                   [](const Row& row) { return Cell(row.smallest.levels); }, onTerminal},
                  {"objective", "", "as tree build names it",
                   [](const Row& row) { return Cell(row.smallest.objective); }, onTerminal},
                  {"tried", "", "trees that were built",
                   [](const Row& row) { return Cell(row.tried.size()); }, onTerminal}},
      .figures = {{.title = "Spheres of equal fit",
                   .says = "Medial spheres, and the fewest that fit as well",
                   .kind = "bars",
                   .x = "model",
                   .y = {"medial_spheres", "spheres"},
                   .by = {"builder"},
                   .xLabel = "model",
                   .yLabel = "spheres"}}};
  return table;
}

/// A tree built for a row.
struct TriedRow {
  const EqualSpheresRow& of;
  const TriedTree& tree;
};

const TableOf<TriedRow>& triedTable() {
  using Row = TriedRow;
  static const TableOf<Row> table{
      .name = "equal-spheres-tried",
      .title = "every tree that was built for it",
      .columns = {
          {"model", "", "a built-in name or a file's",
           [](const Row& row) { return Cell(row.of.model); }},
          {"builder", "", "of the tree", [](const Row& row) { return Cell(row.of.builder); }},
          {"medial_hw_m", "m", "what was to be reached",
           [](const Row& row) { return significant(row.of.wanted.hWeighted, 8); }},
          {"objective", "", "as tree build names it",
           [](const Row& row) { return Cell(row.tree.objective); }},
          {"levels", "", "of the tree", [](const Row& row) { return Cell(row.tree.levels); }},
          {"branching", "", "of the tree", [](const Row& row) { return Cell(row.tree.branching); }},
          {"most_spheres", "", "the limit that it was built with",
           [](const Row& row) { return Cell(row.tree.maxSpheres); }},
          {"spheres", "", "that it has", [](const Row& row) { return Cell(row.tree.spheres); }},
          {"hw_m", "m", "how these fit",
           [](const Row& row) { return significant(row.tree.hWeighted, 8); }},
          {"fits", "", "1: as well as the medial ones",
           [](const Row& row) { return Cell(row.tree.hWeighted <= row.of.wanted.hWeighted); }}}};
  return table;
}

/// Objectives to try, in order of fit for each shape: after the best one, a single tree suffices to
/// reject each of the others.
struct NamedObjective {
  std::string_view name;
  SphereObjective objective;
};
constexpr std::array<NamedObjective, 2> objectives{{
    {"outside", SphereObjective::Outside},
    {"area", SphereObjective::AreaWeighted},
}};
struct TreeShape {
  int levels, branching;
};
constexpr std::array<TreeShape, 4> triedShapes{{{2, 8}, {1, 8}, {4, 5}, {5, 3}}};
/// Number of shapes with --quick.
constexpr std::size_t quickShapes = 2;
/// Maximum number of children of one sphere; more take too long.
constexpr std::size_t maxOfOneSphere = 256;
/// Number of sizes below the smallest that are all tried.
constexpr std::size_t verified = 4;

/// Builds trees with several objectives and numbers of levels and decreasing numbers of spheres, to
/// find the smallest one that fits as well as `row.wanted`. Hw is not monotonic in the number of
/// spheres, so all sizes just below the smallest are tried.
class EqualSpheresSearch {
 public:
  EqualSpheresSearch(const SphereTreeBuilderEntry& builder, const Polyhedron& polyhedron,
                     const LevelMeasureSettings& measure, EqualSpheresRow& row)
      : builder_(builder), polyhedron_(polyhedron), measure_(measure), row_(row) {}

  Result<Success> run(std::span<const TreeShape> shapes);

 private:
  bool tryTree(const NamedObjective& objective, const TreeShape& shape, std::size_t most);
  void descend(const NamedObjective& objective, const TreeShape& shape);
  void verify();
  [[nodiscard]] bool found() const noexcept { return row_.smallest.spheres > 0; }

  const SphereTreeBuilderEntry& builder_;
  const Polyhedron& polyhedron_;
  LevelMeasureSettings measure_;
  EqualSpheresRow& row_;
  std::optional<Error> error_;
  NamedObjective objective_{};  ///< of the smallest tree
  TreeShape shape_{};
};

/// Builds a tree. Returns true if it fits as well and is the smallest so far; false also after an
/// error.
bool EqualSpheresSearch::tryTree(const NamedObjective& objective, const TreeShape& shape,
                                 std::size_t most) {
  if (interrupted()) error_ = experimentCancelled();
  if (error_) return false;
  SphereTreeSettings settings;
  settings.levels = shape.levels;
  settings.dag = {
      .branching = shape.branching, .maxSpheres = most, .objective = objective.objective};
  settings.variational = {
      .branching = shape.branching, .maxSpheres = most, .objective = objective.objective};
  settings.workers = measure_.workers;
  // The same spheres without refined H, which is measured below
  settings.hausdorffTolerance = 1.0;
  const auto tree = runToEndWithProgressLine(
      fmt::format("fitting {} spheres of {} to {} ({}, {} levels)", most, builder_.name, row_.model,
                  objective.name, shape.levels),
      [&](BuildProgress& progress) { return builder_.build(polyhedron_, settings, &progress); });
  if (!tree) {
    error_ = tree.error();
    return false;
  }
  measure_.deepest = shape.levels;
  const SphereLevelMeasure last = measureLevels(*tree, polyhedron_, measure_).back();
  const TriedTree& tried = row_.tried.emplace_back(TriedTree{
      objective.name, shape.levels, shape.branching, most, last.spheres, last.areaWeighted});
  if (tried.hWeighted > row_.wanted.hWeighted || tried.spheres > row_.wanted.spheres) return false;
  if (!found() || tried.spheres < row_.smallest.spheres) {
    row_.smallest = tried;
    objective_ = objective;
    shape_ = shape;
  }
  return true;
}

/// Searches for fewer spheres than in the smallest tree: with increasing steps until the fit fails,
/// then by bisection.
void EqualSpheresSearch::descend(const NamedObjective& objective, const TreeShape& shape) {
  std::size_t fits = found() ? row_.smallest.spheres - 1 : row_.wanted.spheres;
  if (shape.levels == 1) fits = std::min(fits, maxOfOneSphere);
  if (fits == 0 || !tryTree(objective, shape, fits)) return;
  std::size_t fails = 0;
  for (std::size_t step = std::max<std::size_t>(1, fits / 16); step < fits; step *= 2) {
    if (!tryTree(objective, shape, fits - step)) {
      fails = fits - step;
      break;
    }
    fits -= step;
  }
  // Below this resolution Hw is not monotonic
  while (fits - fails > std::max<std::size_t>(1, fits / 64)) {
    const std::size_t middle = fails + (fits - fails) / 2;
    (tryTree(objective, shape, middle) ? fits : fails) = middle;
  }
}

void EqualSpheresSearch::verify() {
  const auto known = [this](std::size_t most) {
    return std::any_of(row_.tried.begin(), row_.tried.end(), [&](const TriedTree& tried) {
      return tried.objective == objective_.name && tried.levels == shape_.levels &&
             tried.branching == shape_.branching && tried.maxSpheres == most;
    });
  };
  for (std::size_t below = 1; below <= verified && below < row_.smallest.maxSpheres;) {
    const std::size_t most = row_.smallest.maxSpheres - below;
    const bool smaller = !known(most) && tryTree(objective_, shape_, most);
    below = smaller ? 1 : below + 1;
  }
}

Result<Success> EqualSpheresSearch::run(std::span<const TreeShape> some) {
  for (const TreeShape& shape : some)
    for (const NamedObjective& objective : objectives) descend(objective, shape);
  if (found()) verify();
  if (error_) return *error_;
  return Success{};
}

Result<RequestedFit> requestedFit(const std::string& model, const Polyhedron& polyhedron,
                                  const EqualSpheresCommand& command) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  settings.workers = command.workers;
  const auto tree =
      runToEndWithProgressLine(fmt::format("building the {} tree of {}", wantedBuilder, model),
                               [&](BuildProgress& progress) {
                                 return buildSphereTree(*findSphereTreeBuilder(wantedBuilder),
                                                        polyhedron, settings, &progress);
                               });
  if (!tree) return tree.error();
  const SphereLevelMeasure last =
      measureLevels(*tree, polyhedron, fitMeasure(command.levels, command.workers, command.quick))
          .back();
  return RequestedFit{last.spheres, last.areaWeighted};
}

/// Adds the rows of both builders for one model.
Result<Success> addModel(const std::string& nameOrFile, std::size_t item,
                         const EqualSpheresCommand& command, ExperimentResult& result) {
  const auto ship = readShip(nameOrFile);
  if (!ship) return ship.error();
  const auto polyhedron = makePolyhedron(ship->mesh);
  if (!polyhedron) return polyhedron.error();
  const auto wanted = requestedFit(ship->name, *polyhedron, command);
  if (!wanted) return wanted.error();
  for (const std::string_view builder : smallerBuilders) {
    EqualSpheresRow row{ship->name, std::string(builder), *wanted};
    const auto some = std::span<const TreeShape>(triedShapes)
                          .first(command.quick ? quickShapes : triedShapes.size());
    const auto measure = fitMeasure(command.levels, command.workers, command.quick);
    const auto done =
        EqualSpheresSearch(*findSphereTreeBuilder(builder), *polyhedron, measure, row).run(some);
    if (!done) return done.error();
    equalSpheresTable().add(result.tables[0], item, row);
    for (const TriedTree& tree : row.tried) triedTable().add(result.tables[1], item, {row, tree});
  }
  return Success{};
}

int runEqualSpheres(const EqualSpheresCommand& requested) {
  EqualSpheresCommand command = requested;
  command.workers = engine::threadCount(command.workers);
  if (!findSphereTreeBuilder(wantedBuilder))
    return complain({ErrorCode::Unsupported,
                     "this program was built without medial spheres, which the others are compared "
                     "with"},
                    Environment);
  if (command.quick && command.models.empty()) command.models = {paperModels().front()};
  const std::vector<std::string> models = command.models.empty() ? paperModels() : command.models;
  ExperimentResult result =
      newResult("equal-spheres", command,
                {{"models", settingText(command.models)}, {"levels", settingText(command.levels)}});
  result.items = models.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {equalSpheresTable().empty(), triedTable().empty()};
  Result<Success> done = Success{};
  for (std::size_t item = 0; item < models.size() && done; ++item)
    if (command.shard.has(item)) done = addModel(models[item], item, command, result);
  const int outcome = outcomeOf(done, BadModelOrScene);
  print(result.tables[0]);
  return writeResult(command, result, outcome);
}

const ExperimentEntry equalSpheresEntry(makeExperiment<EqualSpheresCommand>(
    "equal-spheres", "how few spheres fit as well as the deepest level of medial ones",
    "one model, coarser bounds, trees of one and two levels only", addOptions, runEqualSpheres));

}  // namespace
}  // namespace nearmiss::app::lab
