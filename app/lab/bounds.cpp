// SPDX-License-Identifier: MIT
#include "lab/bounds.h"

#include <engine/model/model_loader.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/false_alarms.h"
#include "lab/model_rows.h"
#include "lab/pair_comparison.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

constexpr int posesWhenQuick = 300, levelsWhenQuick = 2;
constexpr std::size_t modelsWhenQuick = 8;
/// What rounding may take from a distance, as a share of the radii.
constexpr Real rounding = 1e-9;

std::vector<std::string> modelsOf(const BoundsCommand& command) {
  if (!command.models.empty()) return command.models;
  std::vector<std::string> names = engine::builtInModels();
  for (const LabModel& model : makeLabModels()) names.push_back(model.name);
  if (command.quick) names.resize(std::min(names.size(), modelsWhenQuick));
  return names;
}

/// The default's settings, but without inner spheres: a contact that these prove has no bound.
SphereTreeSettings settingsOf(const BoundsCommand& command, std::string_view builder) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  if (builder == engine::Scene{}.tree) settings.nodeBoxRatio = engine::defaultNodeBoxRatio;
  return settings;
}

/// One pose, and the truth about it.
struct Sample {
  Pose pose;
  std::optional<Real> distance;  ///< 0: in contact; sought when first asked for
};

Real distanceIn(Sample& sample, const Polyhedron& polyhedron) {
  if (!sample.distance) sample.distance = distanceBetween(polyhedron, polyhedron, sample.pose);
  return *sample.distance;
}

/// Adds one pose to the rows of one tree, by level.
void addPose(Sample& sample, const Shape& shape, PairComparison& comparison,
             std::vector<BoundsRow>& rows) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  Clock::duration judging{};
  std::size_t known = 0;
  const auto stamp = [&](std::size_t upTo, Clock::time_point now) {
    const std::chrono::duration<double, std::micro> spent = now - began - judging;
    for (; known < std::min(upTo, rows.size()); ++known) rows[known].witnessUs += spent.count();
  };
  const Verdict verdict = comparison.refine(sample.pose, [&](const Refinement& found) {
    const auto now = Clock::now();
    const auto level = static_cast<std::size_t>(found.level);
    stamp(level, now);
    if (level == 0 || level > rows.size()) return;
    BoundsRow& row = rows[level - 1];
    const Real truth = distanceIn(sample, shape.polyhedron());
    ++row.possible;
    row.falseAlarms += truth > 0.0;
    row.boundMean += found.separationBound;
    row.boundMax = std::max(row.boundMax, found.separationBound);
    row.gapMean += found.separationBound - truth;
    row.broken += found.separationBound < truth - rounding * 2.0 * shape.radius();
    judging += Clock::now() - now;
  });
  stamp(rows.size(), Clock::now());
  for (BoundsRow& row : rows) row.contacts += verdict == Verdict::Contact;
}

std::vector<BoundsRow> measure(const LabModel& model, std::string_view builder, const Shape& shape,
                               std::vector<Sample>& samples, WorkProgress& progress) {
  std::vector<BoundsRow> rows;
  const SphereTree& tree = *shape.sphereTree();
  std::vector<SphereId> spheres;
  for (int level = 1; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    BoundsRow& row = rows.emplace_back();
    row.model = model.name;
    row.kind = model.kind;
    row.builder = builder;
    row.triangles = shape.polyhedron().mesh().triangles.size();
    row.level = level;
    row.spheres = spheres.size();
  }
  PairComparison comparison(shape);
  std::size_t done = 0;
  for (Sample& sample : samples) {
    if (progress.cancelled) return {};
    addPose(sample, shape, comparison, rows);
    progress.fraction = static_cast<float>(++done) / static_cast<float>(samples.size());
  }
  for (BoundsRow& row : rows) {
    row.poses = samples.size();
    row.witnessUs /= static_cast<double>(samples.size());
    if (row.possible == 0) continue;
    row.boundMean /= static_cast<double>(row.possible);
    row.gapMean /= static_cast<double>(row.possible);
  }
  return rows;
}

/// Adds the rows of one model, those of the first builder first.
Result<Success> addModel(const LabModel& model, const BoundsCommand& command,
                         std::vector<BoundsRow>& rows) {
  ShapeSettings treeless;
  treeless.treeBuilder = {};
  const auto bare = makeShape(model.mesh, treeless);
  if (!bare) return bare.error();
  std::vector<Sample> samples;
  for (const Pose& pose : drawPoses(*bare, static_cast<std::size_t>(command.poses), command.seed))
    samples.push_back({pose, std::nullopt});
  const std::size_t first = rows.size();
  for (const std::string& builder : command.builders) {
    auto tree = answerWithProgressLine(
        fmt::format("building the {} tree of {}", builder, model.name),
        [&](BuildProgress& progress) {
          return buildSphereTree(*findSphereTreeBuilder(builder), bare->polyhedron(),
                                 settingsOf(command, builder), &progress);
        });
    if (!tree) return tree.error();
    const auto shape = bare->with(*std::move(tree));
    if (!shape) return shape.error();
    std::vector<BoundsRow> own;
    withProgressLine(
        fmt::format("comparing {} by {}", model.name, builder),
        [&](WorkProgress& progress) { own = measure(model, builder, *shape, samples, progress); });
    if (interrupted()) return experimentCancelled();
    for (BoundsRow& row : own) {
      const std::size_t same = first + static_cast<std::size_t>(row.level) - 1;
      const BoundsRow& reference = same < rows.size() ? rows[same] : row;
      row.boundMeanRatio = reference.boundMean > 0.0 ? row.boundMean / reference.boundMean : 1.0;
      row.boundMaxRatio = reference.boundMax > 0.0 ? row.boundMax / reference.boundMax : 1.0;
    }
    std::move(own.begin(), own.end(), std::back_inserter(rows));
  }
  return Success{};
}

double percentOf(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Of the poses without contact, those that the level does not tell from one.
double alarmPercent(const BoundsRow& row) {
  return percentOf(row.falseAlarms, row.poses - row.contacts);
}

LabTable boundsTable() {
  LabTable table{"bounds", "separation bounds and false alarms, level by level", {}, {}, {}, {}};
  table.columns = {{"model", "against itself"},
                   {"kind", "thick, thin, link, open or ship"},
                   {"triangles", "of the model"},
                   {"builder", "of the tree"},
                   {"level", "of spheres"},
                   {"spheres", "of the level"},
                   {"poses", "of the second body"},
                   {"contacts", "of these"},
                   {"possible", "poses whose spheres collide at the level"},
                   {"false_alarm_percent", "of the poses without contact, those that are possible"},
                   {"bound_mean_m", "bound on the separation in possible poses, metres"},
                   {"bound_max_m", "the same"},
                   {"bound_mean_ratio", "to the first builder's"},
                   {"bound_max_ratio", "the same"},
                   {"gap_mean_m", "by how much the bound exceeds the true distance, metres"},
                   {"broken", "bounds below the true distance"},
                   {"witness_us", "wall time until the level is known, a mean over all poses"}};
  table.figures = {{"Bounds by level",
                    "Mean bound on the separation, a curve a builder and model",
                    "lines",
                    "level",
                    {"bound_mean_m"},
                    {"builder", "model"},
                    "y",
                    "level",
                    "bound, m",
                    {}}};
  return table;
}

void addRow(LabTable& table, std::size_t item, const BoundsRow& row) {
  table.add(item,
            fmt::format("{},{},{},{},{},{},{},{},{},{:.3f},{:.6g},{:.6g},{:.4f},{:.4f},{:.6g},"
                        "{},{:.4f}",
                        csvText(row.model), row.kind, row.triangles, row.builder, row.level,
                        row.spheres, row.poses, row.contacts, row.possible, alarmPercent(row),
                        row.boundMean, row.boundMax, row.boundMeanRatio, row.boundMaxRatio,
                        row.gapMean, row.broken, row.witnessUs));
}

void print(const std::vector<BoundsRow>& rows) {
  fmt::print(
      "bounds at a level, where its spheres collide, and their ratio to the first builder's\n"
      "{:<10} {:<6} {:>5}  {:<12} {:>7} {:>8} {:>9} {:>9} {:>7} {:>7} {:>9} {:>8}\n",
      "model", "kind", "level", "builder", "spheres", "alarms %", "mean m", "worst m", "mean/1",
      "worst/1", "gap m", "us");
  for (const BoundsRow& row : rows)
    fmt::print(
        "{:<10} {:<6} {:>5}  {:<12} {:>7} {:>8.2f} {:>9.5f} {:>9.5f} {:>7.3f} {:>7.3f} {:>9.5f} "
        "{:>8.3f}\n",
        row.model, row.kind, row.level, row.builder, row.spheres, alarmPercent(row), row.boundMean,
        row.boundMax, row.boundMeanRatio, row.boundMaxRatio, row.gapMean, row.witnessUs);
}

}  // namespace

int runBounds(const BoundsCommand& asked) {
  BoundsCommand command = asked;
  if (command.quick) {
    command.poses = std::min(command.poses, posesWhenQuick);
    command.levels = std::min(command.levels, levelsWhenQuick);
  }
  LabResult result = newResult("bounds", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"models", namesText(command.models)},
                                {"builders", namesText(command.builders)},
                                {"poses", fmt::format("{}", command.poses)},
                                {"levels", fmt::format("{}", command.levels)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {boundsTable()};
  std::vector<BoundsRow> rows;
  const auto measure = [&](const LabModel& model, std::vector<BoundsRow>& found) {
    return addModel(model, command, found);
  };
  const auto write = [&](std::size_t item, const BoundsRow& row) {
    addRow(result.tables[0], item, row);
  };
  if (const auto failed = measureModels(modelsOf(command), command, result, rows, measure, write))
    return *failed;

  print(rows);
  std::size_t compared = 0, broken = 0;
  for (const BoundsRow& row : rows) {
    compared += row.possible;
    broken += row.broken;
  }
  fmt::print("{} bounds compared with the true distance: {} below it\n", compared, broken);
  return keepResult(command, result, broken > 0 ? ValidationFailed : Ok);
}

}  // namespace nearmiss::app
