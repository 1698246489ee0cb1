// SPDX-License-Identifier: MIT
#include "lab/flat_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/flat_set.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/link_models.h"
#include "lab/results.h"
#include "lab/simple_fits.h"
#include "thread_count.h"
#include "tree/flat_set.h"

namespace nearmiss::app {
namespace {

constexpr int rowsToMeasure = 400;

/// A link, the spheres asked for, and what may interrupt it.
struct Asked {
  const Polyhedron& link;
  std::size_t count;
  int workers;
  BuildProgress& progress;
};

std::vector<Sphere> spheresOf(const std::vector<ListedSphere>& listed) {
  std::vector<Sphere> spheres;
  for (const ListedSphere& each : listed) spheres.push_back(each.sphere);
  return spheres;
}

Result<std::vector<Sphere>> dividedTree(const Asked& asked) {
  SphereTreeSettings settings;
  settings.levels = 3;
  settings.workers = asked.workers;
  const auto tree = buildVariationalSphereTree(asked.link, settings, &asked.progress);
  if (!tree) return tree.error();
  return spheresOf(flatSet(listLevels(*tree, settings.levels), asked.count));
}

Result<std::vector<Sphere>> oneLevel(const Asked& asked) {
  SphereTreeSettings settings;
  settings.levels = 1;
  settings.workers = asked.workers;
  settings.variational.objective = SphereObjective::Outside;
  settings.variational.mostSpheres = asked.count;
  const auto tree = buildVariationalSphereTree(asked.link, settings, &asked.progress);
  if (!tree) return tree.error();
  return spheresOf(listLevels(*tree, 1).back());
}

Result<std::vector<Sphere>> grid(const Asked& asked) {
  return gridSpheres(asked.link, asked.count);
}

Result<std::vector<Sphere>> greedy(const Asked& asked) {
  return greedySpheres(asked.link, asked.count);
}

Result<std::vector<Sphere>> flat(const Asked& asked) {
  return fitFlatSet(asked.link, {.count = asked.count, .workers = asked.workers}, &asked.progress);
}

struct Way {
  std::string_view name;
  Result<std::vector<Sphere>> (*fit)(const Asked& asked);
  bool coversSolids;  ///< what is inside as well, as it promises
};
constexpr std::array<Way, 5> ways{{{"grid", grid, false},
                                   {"greedy", greedy, true},
                                   {"divided-tree", dividedTree, false},
                                   {"one-level", oneLevel, false},
                                   {"flat-set", flat, true}}};

LabTable flatSetsTable() {
  LabTable table{
      "flat-sets", "volume outside of links of robots that are covered by spheres", {}, {}, {}, {}};
  table.columns = {
      {"model", "one of ten links"},
      {"triangles", "of its mesh"},
      {"most", "spheres allowed"},
      {"way",
       "grid: spheres around cells; greedy: inner balls, all grown alike; divided-tree: the "
       "spheres of a tree; one-level: a tree of one level by objective outside; flat-set: "
       "nearmiss spheres"},
      {"spheres", "that were used"},
      {"outside_share",
       "volume of the union outside, of the link's volume, or of its bounding box "
       "where it is open"},
      {"missed_share", "volume of the link outside of the union, of its volume"},
      {"open", "triangles and holes not proven to be covered"},
      {"seconds", "of wall time"}};
  table.notes = {
      "grid and greedy were written here after the recipes of planners' tools, and are none of "
      "them; each is made to cover the surface. greedy covers what is inside as well, where a link "
      "is one solid"};
  table.figures = {{"Spheres around links",
                    "Volume outside against the number of spheres",
                    "lines",
                    "most",
                    {"outside_share"},
                    {"model", "way"},
                    "xy",
                    "spheres",
                    "share",
                    {}}};
  return table;
}

/// Adds a row; false where spheres that promise to cover do not.
Result<bool> addRow(const LabModel& model, std::size_t item, const Way& way, const Asked& asked,
                    LabTable& table) {
  const auto start = std::chrono::steady_clock::now();
  const auto spheres = way.fit(asked);
  if (!spheres) return spheres.error();
  if (asked.progress.cancelled) return experimentCancelled();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  const UnionVolume volume = measureUnion(asked.link, *spheres, rowsToMeasure);
  const FlatSetCheck check = checkFlatSet(asked.link, *spheres);
  const Vec3 extent = asked.link.bounds().extent();
  const Real all = volume.solid > 0.0 ? volume.solid : extent.x * extent.y * extent.z;
  table.add(item,
            fmt::format("{},{},{},{},{},{},{},{},{:.2f}", model.name, model.mesh.triangles.size(),
                        asked.count, way.name, spheres->size(), numberCell(volume.outside / all, 4),
                        numberCell(volume.missed / all, 3), check.openTriangles + check.holes,
                        spent.count()));
  return check.openTriangles == 0 && (check.holes == 0 || !way.coversSolids);
}

/// Adds the rows of one link.
Result<bool> addLink(const LabModel& model, std::size_t item, const FlatSetsCommand& command,
                     LabTable& table) {
  const auto link = makePolyhedron(model.mesh);
  if (!link) return link.error();
  bool sound = true;
  for (const std::size_t count : command.counts)
    for (const Way& way : ways) {
      const auto added = answerWithProgressLine(
          fmt::format("{}: {} spheres, {}", model.name, count, way.name),
          [&](BuildProgress& progress) {
            return addRow(model, item, way, {*link, count, command.workers, progress}, table);
          });
      if (!added) return added.error();
      sound = sound && *added;
    }
  return sound;
}

void print(const LabTable& table) {
  fmt::print("{:<10} {:>6} {:<14} {:>8} {:>10} {:>8}\n", "model", "most", "way", "spheres",
             "outside", "seconds");
  for (const LabRow& row : table.rows)
    fmt::print("{:<10} {:>6} {:<14} {:>8} {:>10} {:>8}\n", table.text(row, "model"),
               table.text(row, "most"), table.text(row, "way"), table.text(row, "spheres"),
               table.text(row, "outside_share"), table.text(row, "seconds"));
}

}  // namespace

int runFlatSets(const FlatSetsCommand& asked) {
  FlatSetsCommand command = asked;
  command.workers = threadsOf(command.workers);
  std::vector<LabModel> models = makeLinkModels();
  if (command.quick) {
    command.counts = {4};
    models.resize(2);
  }
  LabResult result = newResult("flat-sets", command,
                               {{"counts", fmt::format("{}", fmt::join(command.counts, " "))}});
  result.items = models.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {flatSetsTable()};
  bool sound = true;
  for (std::size_t item = 0; item < models.size() && !interrupted(); ++item) {
    if (!command.shard.has(item)) continue;
    const auto added = addLink(models[item], item, command, result.tables[0]);
    if (!added && added.error().code == ErrorCode::Cancelled && !result.tables[0].rows.empty())
      break;
    if (!added) return complain(added.error(), Environment);
    sound = sound && *added;
  }
  print(result.tables[0]);
  return keepResult(command, result, sound ? Ok : ValidationFailed);
}

}  // namespace nearmiss::app
