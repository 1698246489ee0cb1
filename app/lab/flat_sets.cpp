// SPDX-License-Identifier: MIT
/// `nearmiss lab flat-sets`: excess volume of a given number of spheres that cover a robot's link,
/// for several methods.
#include <engine/base/threads.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>
#include <nearmiss/spheres.h>

#include <array>
#include <chrono>

#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/models.h"
#include "lab/simple_fits.h"
#include "tools/tree/divided_set.h"
#include "tools/tree/flat_set.h"

namespace nearmiss::app::lab {
namespace {

constexpr int rowsToMeasure = 400;

struct FlatSetsCommand : ExperimentCommand {
  std::vector<std::size_t> counts{8, 16, 32, 64, 128};  ///< maximum numbers of spheres
  int workers = 0;  ///< 0: one per core; never changes the result
};

void addOptions(OptionList& options, FlatSetsCommand& command) {
  options.number("--count", command.counts, 1, maxSpheresOfOneLevel, "max spheres");
  options.workers(command.workers, 0);
}

struct FlatSetRow {
  std::string model;
  std::size_t triangles = 0, most = 0;
  std::string_view way;
  std::size_t spheres = 0;
  double outside = 0.0, missed = 0.0;  ///< relative to the link
  std::size_t open = 0;
  double seconds = 0.0;
};

const TableOf<FlatSetRow>& flatSetsTable() {
  using Row = FlatSetRow;
  static const TableOf<Row> table{
      .name = "flat-sets",
      .title = "volume outside of links of robots that are covered by spheres",
      .columns =
          {{"model", "", "one of ten links", &Row::model, onTerminal},
           {"triangles", "", "of its mesh", &Row::triangles},
           {"most", "", "spheres allowed", &Row::most, onTerminal},
           {"way", "",
            "grid: spheres around cells, greedy: inner balls, all grown alike, divided-tree: the "
            "spheres of a tree, one-level: a tree of one level by objective outside, flat-set: "
            "nearmiss spheres",
            &Row::way, onTerminal},
           {"spheres", "", "that were used", &Row::spheres, onTerminal},
           {"outside_share", "",
            "volume of the union outside, of the link's volume, or of its bounding box where it is "
            "open",
            significant(&Row::outside, 4), onTerminal},
           {"missed_share", "", "volume of the link outside of the union, of its volume",
            significant(&Row::missed, 3)},
           {"open", "", "triangles and holes not proven to be covered", &Row::open},
           {"seconds", "s", "of wall time", fixed(&Row::seconds, 2), onTerminal}},
      .notes = {"grid and greedy were written here after the recipes of planners' tools, and are "
                "none of them; each is made to cover the surface. greedy covers what is inside as "
                "well, where a link is one solid"},
      .figures = {{.title = "Spheres around links",
                   .says = "Volume outside against the number of spheres",
                   .kind = "lines",
                   .x = "most",
                   .y = {"outside_share"},
                   .by = {"model", "way"},
                   .log = "xy",
                   .xLabel = "spheres",
                   .yLabel = "share"}}};
  return table;
}

/// A link and the requested number of spheres.
struct SetRequest {
  const Polyhedron& link;
  std::size_t count;
  int workers;
  BuildProgress& progress;
};

std::vector<Sphere> spheresOf(const std::vector<tree::ListedSphere>& listed) {
  std::vector<Sphere> spheres;
  for (const tree::ListedSphere& each : listed) spheres.push_back(each.sphere);
  return spheres;
}

Result<std::vector<Sphere>> dividedTree(const SetRequest& requested) {
  SphereTreeSettings settings;
  settings.levels = 3;
  settings.workers = requested.workers;
  const auto tree = buildVariationalSphereTree(requested.link, settings, &requested.progress);
  if (!tree) return tree.error();
  return spheresOf(tree::dividedSet(tree::listLevels(*tree, settings.levels), requested.count));
}

Result<std::vector<Sphere>> oneLevel(const SetRequest& requested) {
  SphereTreeSettings settings;
  settings.levels = 1;
  settings.workers = requested.workers;
  settings.variational.objective = SphereObjective::Outside;
  settings.variational.maxSpheres = requested.count;
  const auto tree = buildVariationalSphereTree(requested.link, settings, &requested.progress);
  if (!tree) return tree.error();
  return spheresOf(tree::listLevels(*tree, 1).back());
}

Result<std::vector<Sphere>> grid(const SetRequest& requested) {
  return gridSpheres(requested.link, requested.count);
}

Result<std::vector<Sphere>> greedy(const SetRequest& requested) {
  return greedySpheres(requested.link, requested.count);
}

Result<std::vector<Sphere>> flat(const SetRequest& requested) {
  return fitFlatSet(requested.link, {.count = requested.count, .workers = requested.workers},
                    &requested.progress);
}

struct Way {
  std::string_view name;
  Result<std::vector<Sphere>> (*fit)(const SetRequest& requested);
  bool coversSolids;  ///< promises to cover the inside as well
};
constexpr std::array<Way, 5> ways{{{"grid", grid, false},
                                   {"greedy", greedy, true},
                                   {"divided-tree", dividedTree, false},
                                   {"one-level", oneLevel, false},
                                   {"flat-set", flat, true}}};

/// Adds a row. Returns false if spheres that promise to cover the link do not.
Result<bool> addRow(const LabModel& model, std::size_t item, const Way& way,
                    const SetRequest& requested, Table& table) {
  const auto start = std::chrono::steady_clock::now();
  const auto spheres = way.fit(requested);
  if (!spheres) return spheres.error();
  if (requested.progress.cancelled) return experimentCancelled();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  const UnionVolume volume = measureUnion(requested.link, *spheres, rowsToMeasure);
  const auto check = checkFlatSet(requested.link, *spheres, &requested.progress);
  if (!check) return check.error();
  const Vec3 extent = requested.link.bounds().extent();
  const Real all = volume.solid > 0.0 ? volume.solid : extent.x * extent.y * extent.z;
  flatSetsTable().add(table, item,
                      {model.name, model.mesh.triangles.size(), requested.count, way.name,
                       spheres->size(), volume.outside / all, volume.missed / all,
                       check->openTriangles + check->holes, spent.count()});
  return check->openTriangles == 0 && (check->holes == 0 || !way.coversSolids);
}

/// Adds the rows of one link.
Result<bool> addLink(const LabModel& model, std::size_t item, const FlatSetsCommand& command,
                     Table& table) {
  const auto link = makePolyhedron(model.mesh);
  if (!link) return link.error();
  bool sound = true;
  for (const std::size_t count : command.counts)
    for (const Way& way : ways) {
      const auto added = runToEndWithProgressLine(
          fmt::format("{}: {} spheres, {}", model.name, count, way.name),
          [&](BuildProgress& progress) {
            return addRow(model, item, way, {*link, count, command.workers, progress}, table);
          });
      if (!added) return added.error();
      sound = sound && *added;
    }
  return sound;
}

int runFlatSets(const FlatSetsCommand& requested) {
  FlatSetsCommand command = requested;
  command.workers = engine::threadCount(command.workers);
  std::vector<LabModel> models = makeLinkModels();
  if (command.quick) {
    command.counts = {4};
    models.resize(2);
  }
  ExperimentResult result =
      newResult("flat-sets", command, {{"counts", settingText(command.counts)}});
  result.items = models.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {flatSetsTable().empty()};
  Table& table = result.tables[0];
  bool sound = true;
  Result<Success> done = Success{};
  for (std::size_t item = 0; item < models.size() && done && !interrupted(); ++item) {
    if (!command.shard.has(item)) continue;
    const auto added = addLink(models[item], item, command, table);
    if (!added) done = added.error();
    sound = sound && (!added || *added);
  }
  const int outcome = outcomeOf(done, Environment);
  print(table);
  return writeResult(command, result, sound ? outcome : ValidationFailed);
}

const ExperimentEntry flatSetsEntry(makeExperiment<FlatSetsCommand>(
    "flat-sets",
    "excess volume of 8 to 128 spheres that cover ten robot links, for five ways to choose them",
    "two links, four spheres each", addOptions, runFlatSets));

}  // namespace
}  // namespace nearmiss::app::lab
