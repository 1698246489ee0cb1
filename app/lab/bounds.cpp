// SPDX-License-Identifier: MIT
/// `nearmiss lab bounds`: compares the separation bounds of each level of spheres with the true
/// distance.
#include <engine/scene/scene.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/models.h"
#include "lab/pair_poses.h"
#include "options/option_checks.h"

namespace nearmiss::app::lab {
namespace {

constexpr int boundsQuickPoses = 300, boundsQuickLevels = 2;
constexpr std::size_t boundsQuickModels = 8;
/// Rounding error of a distance, relative to the radii.
constexpr Real boundRounding = 1e-9;

struct BoundsCommand : ExperimentCommand {
  std::vector<std::string> builders{"octree", "variational", "dag"};
  std::vector<std::string> models;  ///< empty: the ships and the lab's models
  int poses = 20'000;               ///< per model, against itself
  int levels = 3;
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, BoundsCommand& command) {
  options.names("--model", command.models, {},
                "models of the lab or files, instead of all ships and lab models");
  options.names("--tree", command.builders, namesOf(sphereTreeBuilderCatalog()),
                "builders to compare; the first is the reference");
  options.number("--poses", command.poses, 1, 10'000'000, "poses of each model against itself");
  options.levels(command.levels, "deepest level of spheres");
  options.seed(command.seed, "seed of the poses");
}

/// One level of one tree over all poses. Metres and microseconds.
struct BoundsRow {
  std::string model, kind, builder;
  std::size_t triangles = 0;
  int level = 0;
  std::size_t spheres = 0;
  std::size_t poses = 0, contacts = 0;
  std::size_t possible = 0;                ///< poses with colliding spheres at this level
  std::size_t falseAlarms = 0;             ///< of these, poses without contact
  double boundMean = 0.0, boundMax = 0.0;  ///< over the possible poses; NaN if there are none
  double boundMeanRatio = NAN, boundMaxRatio = NAN;  ///< relative to the same level of the first
                                                     ///< builder
  double gapMean = 0.0;                              ///< mean excess of the bound over the true
                                                     ///< distance
  std::size_t broken = 0;                            ///< bounds below the true distance
  double witnessUs = 0.0;  ///< mean wall time over all poses until this level is done
};

/// Percentage of the poses without contact that collide at this level.
double alarmPercent(const BoundsRow& row) {
  const std::size_t apart = row.poses - row.contacts;
  return apart == 0 ? NAN
                    : 100.0 * static_cast<double>(row.falseAlarms) / static_cast<double>(apart);
}

const TableOf<BoundsRow>& boundsTable() {
  using Row = BoundsRow;
  static const TableOf<Row> table{
      .name = "bounds",
      .title = "separation bounds and false alarms, level by level",
      .columns = {{"model", "", "against itself", &Row::model, onTerminal},
                  {"kind", "", "thick, thin, link, open or ship", &Row::kind, onTerminal},
                  {"triangles", "", "of the model", &Row::triangles},
                  {"builder", "", "of the tree", &Row::builder, onTerminal},
                  {"level", "", "of spheres", &Row::level, onTerminal},
                  {"spheres", "", "of the level", &Row::spheres, onTerminal},
                  {"poses", "", "of the second body", &Row::poses},
                  {"contacts", "", "of these", &Row::contacts},
                  {"possible", "", "poses whose spheres collide at the level", &Row::possible},
                  {"false_alarm_percent", "%", "poses without contact that are possible",
                   [](const Row& row) { return fixed(alarmPercent(row), 3); }, onTerminal},
                  {"bound_mean_m", "m", "bound on the separation in possible poses",
                   significant(&Row::boundMean, 6), onTerminal},
                  {"bound_max_m", "m", "the same", significant(&Row::boundMax, 6), onTerminal},
                  {"bound_mean_ratio", "", "to the first builder's", fixed(&Row::boundMeanRatio, 4),
                   onTerminal},
                  {"bound_max_ratio", "", "the same", fixed(&Row::boundMaxRatio, 4), onTerminal},
                  {"gap_mean_m", "m", "by how much the bound exceeds the true distance",
                   significant(&Row::gapMean, 6), onTerminal},
                  {"broken", "", "bounds below the true distance", &Row::broken},
                  {"witness_us", "us", "wall time until the level is known, a mean over all poses",
                   fixed(&Row::witnessUs, 4), onTerminal}},
      .figures = {{.title = "Bounds by level",
                   .says = "Mean bound on the separation, a curve per builder and model",
                   .kind = "lines",
                   .x = "level",
                   .y = {"bound_mean_m"},
                   .by = {"builder", "model"},
                   .log = "y",
                   .xLabel = "level",
                   .yLabel = "bound, m"}}};
  return table;
}

std::vector<std::string> modelsOf(const BoundsCommand& command) {
  if (!command.models.empty()) return command.models;
  std::vector<std::string> names = paperModels();
  for (const LabModel& model : makeLabModels()) names.push_back(model.name);
  if (command.quick) names.resize(std::min(names.size(), boundsQuickModels));
  return names;
}

/// The default settings without inner spheres, because a contact proven by these has no bound.
SphereTreeSettings settingsOf(const BoundsCommand& command, std::string_view builder) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  if (builder == engine::Scene{}.tree) settings.nodeBoxRatio = usualNodeBoxRatio;
  return settings;
}

/// One pose and its true result.
struct Sample {
  Pose pose;
  std::optional<Real> distance;  ///< 0: in contact; computed on first use
};

Real distanceIn(Sample& sample, const Polyhedron& polyhedron) {
  if (!sample.distance) sample.distance = distanceBetween(polyhedron, polyhedron, sample.pose);
  return *sample.distance;
}

/// Adds one pose to the rows of one tree, one per level.
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
    row.broken += found.separationBound < truth - boundRounding * 2.0 * shape.radius();
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
    const auto possible = static_cast<double>(row.possible);
    row.boundMean = row.possible > 0 ? row.boundMean / possible : NAN;
    row.gapMean = row.possible > 0 ? row.gapMean / possible : NAN;
    if (row.possible == 0) row.boundMax = NAN;
  }
  return rows;
}

/// Adds the rows of one model, the first builder first.
Result<Success> addModel(const LabModel& model, const BoundsCommand& command,
                         std::vector<BoundsRow>& rows) {
  ShapeSettings treeless;
  treeless.quality = TreeQuality::None;
  const auto bare = makeShape(model.mesh, treeless);
  if (!bare) return bare.error();
  std::vector<Sample> samples;
  for (const Pose& pose : drawPoses(*bare, static_cast<std::size_t>(command.poses), command.seed))
    samples.push_back({pose, std::nullopt});
  const std::size_t first = rows.size();
  std::size_t levels = 0;  // of the first builder's tree
  for (const std::string& builder : command.builders) {
    auto tree = runToEndWithProgressLine(
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
    if (rows.size() == first) levels = own.size();
    std::move(own.begin(), own.end(), std::back_inserter(rows));
    for (std::size_t i = rows.size() - own.size(); i < rows.size(); ++i) {
      BoundsRow& row = rows[i];
      const auto level = static_cast<std::size_t>(row.level);
      if (level > levels) continue;
      const BoundsRow& reference = rows[first + level - 1];
      if (reference.boundMean > 0.0) row.boundMeanRatio = row.boundMean / reference.boundMean;
      if (reference.boundMax > 0.0) row.boundMaxRatio = row.boundMax / reference.boundMax;
    }
  }
  return Success{};
}

int runBounds(const BoundsCommand& requested) {
  BoundsCommand command = requested;
  if (command.quick) {
    command.poses = std::min(command.poses, boundsQuickPoses);
    command.levels = std::min(command.levels, boundsQuickLevels);
  }
  ExperimentResult result = newResult("bounds", command,
                                      {{"seed", settingText(command.seed)},
                                       {"models", settingText(command.models)},
                                       {"builders", settingText(command.builders)},
                                       {"poses", settingText(command.poses)},
                                       {"levels", settingText(command.levels)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  std::vector<BoundsRow> rows;
  const auto measure = [&](const LabModel& model, std::vector<BoundsRow>& found) {
    return addModel(model, command, found);
  };
  const int outcome =
      measureModels(modelsOf(command), command, result, boundsTable(), rows, measure);
  if (outcome != Ok && rows.empty()) return outcome;

  print(result.tables[0]);
  std::size_t compared = 0, broken = 0;
  for (const BoundsRow& row : rows) {
    compared += row.possible;
    broken += row.broken;
  }
  fmt::print("{} bounds compared with the true distance: {} below it\n", compared, broken);
  return writeResult(command, result, broken > 0 ? ValidationFailed : outcome);
}

const ExperimentEntry boundsEntry(makeExperiment<BoundsCommand>(
    "bounds",
    "separation bounds and false alarms of tree builders on twenty models, level by level",
    "eight models, at most 300 poses of each, two levels", addOptions, runBounds));

}  // namespace
}  // namespace nearmiss::app::lab
