// SPDX-License-Identifier: MIT
/// `nearmiss lab triangles`: growth of detection time with the number of triangles of the same
/// surface.
#include <engine/base/threads.h>
#include <engine/flight/depth.h>
#include <engine/scene/scene.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "console/order_statistics.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/models.h"
#include "lab/pair_poses.h"
#include "options/option_checks.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::size_t timedLevels = engine::exactDepth;
constexpr std::size_t trianglesQuickMost = 3'000, trianglesQuickPoses = 12;
constexpr int trianglesQuickRounds = 3;
/// Maximum gap of bodies that count as near, in radii.
constexpr Real nearRadii = 0.1;

struct TrianglesCommand : ExperimentCommand {
  std::vector<std::string> models{"lamp", "rocket"};
  std::vector<std::string> narrow;  ///< names to run; empty: the whole catalogue
  std::size_t most = 1'500'000;     ///< maximum number of triangles
  std::size_t poses = 60;           ///< per kind
  int rounds = 5;                   ///< timed repetitions; the median is used
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, TrianglesCommand& command) {
  options.names("--model", command.models, {}, "models whose meshes are subdivided");
  options.names("--narrow", command.narrow, namesOf(narrowPhaseCatalog()),
                "narrow phases; default: all");
  options.number("--most", command.most, 1, 10'000'000, "max triangles of the finest mesh");
  options.number("--poses", command.poses, 1, 100'000,
                 "poses in contact, and as many near contact");
  options.rounds(command.rounds);
  options.seed(command.seed, "seed of the poses");
}

struct TrianglesRow {
  std::string model;
  std::size_t triangles = 0;
  std::string_view method;
  std::size_t level = 0;
  double meanUs = 0.0;
};

const TableOf<TrianglesRow>& trianglesTable() {
  using Row = TrianglesRow;
  const TableFigure toLevel4{.title = "Time to level 4 against triangles",
                             .says = "Sphere trees do not see the triangles until the last level",
                             .kind = "lines",
                             .x = "triangles",
                             .y = {"mean_us"},
                             .by = {"model", "method"},
                             .log = "xy",
                             .xLabel = "triangles",
                             .yLabel = "microseconds per pair",
                             .where = {{"level", "4"}}};
  TableFigure toTheEnd = toLevel4;
  toTheEnd.title = "Time to the final answer against triangles";
  toTheEnd.says = "What grows with the mesh, and what does not";
  toTheEnd.where = {{"level", "5"}};
  static const TableOf<Row> table{
      .name = "triangles",
      .title = "detection time against the number of triangles of one surface",
      .columns = {{"model", "", "whose mesh is subdivided", &Row::model},
                  {"triangles", "", "every subdivision makes four of one, on the same surface",
                   &Row::triangles},
                  {"method", "", "narrow phase", &Row::method},
                  {"level", "", "1 to 4: spheres or volumes, 5: the final answer", &Row::level},
                  {"mean_us", "us", "wall time of a pair until the level is known",
                   fixed(&Row::meanUs, 4)}},
      .notes = {"poses are the same for all meshes of a model: half of them in contact, half apart "
                "by up to a tenth of a radius",
                "methods that answer in one step have level 5 only",
                "brute-force and region-bsp are left out above 3000 triangles, bsp, gjk and "
                "lin-canny above 100000, since their trees or their answers take too long"},
      .figures = {toLevel4, toTheEnd}};
  return table;
}

struct SlopeRow {
  std::string model, method, level;
  std::size_t meshes = 0;
  double slope = 0.0;
};

const TableOf<SlopeRow>& slopesTable() {
  using Row = SlopeRow;
  static const TableOf<Row> table{
      .name = "triangles_slopes",
      .title = "growth of detection time with the number of triangles",
      .columns = {{"model", "", "whose mesh is subdivided", &Row::model, onTerminal},
                  {"method", "", "narrow phase", &Row::method, onTerminal},
                  {"level", "", "1 to 4: spheres or volumes, 5: the final answer", &Row::level,
                   onTerminal},
                  {"meshes", "", "that the line is fitted to", &Row::meshes, onTerminal},
                  {"slope", "", "of the logarithm of time against that of triangles",
                   fixed(&Row::slope, 4), onTerminal}},
      .notes = {"a slope of 0 is time that does not depend on the triangles, 1 proportional time"},
      .figures = {{.title = "Growth by level",
                   .says = "Slopes of the fitted lines",
                   .kind = "bars",
                   .x = "method",
                   .y = {"slope"},
                   .by = {"level"},
                   .xLabel = "method",
                   .yLabel = "slope"}}};
  return table;
}

/// Maximum number of triangles of a method, due to memory or time.
std::size_t maxOf(std::string_view narrow) {
  if (narrow == "brute-force" || narrow == "region-bsp") return 3'000;
  if (narrow == "bsp" || narrow == "bsp-all" || narrow == "gjk" || narrow == "lin-canny")
    return 100'000;
  return static_cast<std::size_t>(-1);
}

/// One mesh of one model: a work item.
struct MeshItem {
  std::string model;
  int subdivisions = 0;
};

/// Poses of a second ship near the first, and whether they touch; the same for all meshes.
struct NearPoses {
  std::vector<Pose> poses;
  std::vector<bool> contact;
};

NearPoses nearPoses(const Shape& shape, const TrianglesCommand& command) {
  constexpr std::size_t patience = 200;  // maximum draws per requested pose
  const Real farthest = nearRadii * shape.radius();
  NearPoses found;
  std::array<std::size_t, 2> count{};  // separate, in contact
  DistanceQuery query;
  for (const Pose& pose : drawPoses(shape, patience * command.poses, command.seed)) {
    if (count[0] >= command.poses && count[1] >= command.poses) break;
    query.begin(shape, Pose{}, shape, pose);
    if (query.refineUntil(farthest).isWithin(farthest) == false) continue;
    const bool contact = query.refine().upper <= 0.0;
    if (count[contact] >= command.poses) continue;
    ++count[contact];
    found.poses.push_back(pose);
    found.contact.push_back(contact);
  }
  return found;
}

/// Mean times until each level is done, microseconds; micros[4] is exact.
struct LevelTimes {
  std::array<double, timedLevels> micros{};
  bool right = true;  ///< all verdicts are correct
};

class PoseTimer {
 public:
  PoseTimer(const Shapes& shapes, std::unique_ptr<NarrowPhase> narrow, const NearPoses& poses)
      : narrow_(std::move(narrow)), poses_(poses) {
    for (BodyState& body : bodies_) body.shape = shapes.ref(0);
    bodies_[1].key = 1;
  }

  LevelTimes round() {
    LevelTimes times;
    for (std::size_t i = 0; i < poses_.poses.size(); ++i) {
      bodies_[1].pose = poses_.poses[i];
      times.right = add(times) == poses_.contact[i] && times.right;
    }
    for (double& each : times.micros) each /= static_cast<double>(poses_.poses.size());
    return times;
  }

 private:
  /// Refines to the end and adds the time of each level. Returns true for contact.
  bool add(LevelTimes& times) {
    using Clock = std::chrono::steady_clock;
    const std::array<BodyPair, 1> pairs{{{0, 1}}};
    const auto began = Clock::now();
    std::size_t known = 0;
    const auto stamp = [&](std::size_t upTo) {
      const std::chrono::duration<double, std::micro> spent = Clock::now() - began;
      for (; known < upTo; ++known) times.micros[known] += spent.count();
    };
    narrow_->begin(bodies_, pairs);
    Refinement now = narrow_->result(0);
    while (now.canRefine) {
      narrow_->refine(0, TimeBudget::unlimited());
      now = narrow_->result(0);
      stamp(static_cast<std::size_t>(engine::depthOf(now)));
    }
    stamp(timedLevels);
    return now.verdict == Verdict::Contact;
  }

  std::array<BodyState, 2> bodies_;
  std::unique_ptr<NarrowPhase> narrow_;
  const NearPoses& poses_;
};

class TrianglesExperiment {
 public:
  TrianglesExperiment(const TrianglesCommand& command, ExperimentResult& result)
      : command_(command), result_(result) {}

  /// Items are numbered before they are divided into shards.
  Result<Success> prepare() {
    for (const std::string& name : command_.models) {
      auto ship = readShip(name);
      if (!ship) return ship.error();
      std::size_t triangles = ship->mesh.triangles.size();
      for (int times = 0; triangles <= command_.most; ++times, triangles *= 4)
        items_.push_back({ship->name, times});
      meshes_[ship->name] = std::move(ship->mesh);
    }
    result_.items = items_.size();
    return Success{};
  }

  Result<Success> run() {
    for (std::size_t item = 0; item < items_.size(); ++item) {
      if (!command_.shard.has(item)) continue;
      if (interrupted()) return Success{};
      const auto measured = measure(item);
      if (!measured) return measured.error();
    }
    return Success{};
  }

  [[nodiscard]] bool succeeded() const noexcept { return right_; }

 private:
  /// Poses of a model, drawn on first use.
  Result<const NearPoses*> posesOf(const std::string& model) {
    NearPoses& own = poses_[model];
    if (own.poses.empty()) {
      ShapeSettings bare;
      bare.quality = TreeQuality::None;
      const auto shape = makeShape(meshes_[model], bare);
      if (!shape) return shape.error();
      own = nearPoses(*shape, command_);
    }
    return &own;
  }

  Result<Success> measure(std::size_t item) {
    const MeshItem& about = items_[item];
    const auto poses = posesOf(about.model);
    if (!poses) return poses.error();
    TriangleMesh mesh = meshes_[about.model];
    for (int i = 0; i < about.subdivisions; ++i) mesh = subdivided(mesh);
    const std::size_t triangles = mesh.triangles.size();
    ShapeSettings settings;
    settings.treeBuilder = defaultSphereTreeBuilder;
    settings.tree = engine::treeSettings(engine::Scene{});
    settings.usualAdditions = false;
    settings.tree.workers = engine::threadCount(0);
    settings.bspTree = triangles <= maxOf("bsp");
    auto shape = runToEndWithProgressLine(
        fmt::format("building the trees of {} triangles", triangles),
        [&](BuildProgress& progress) { return makeShape(std::move(mesh), settings, &progress); });
    if (!shape) return shape.error();
    Shapes shapes;
    shapes.add(*std::move(shape));
    Result<Success> done = Success{};
    withProgressLine(fmt::format("timing {} triangles of {}", triangles, about.model),
                     [&](WorkProgress& progress) {
                       done = timeMethods(item, triangles, shapes, **poses, progress);
                     });
    return done;
  }

  Result<Success> timeMethods(std::size_t item, std::size_t triangles, const Shapes& shapes,
                              const NearPoses& poses, WorkProgress& progress) {
    const auto& requested = command_.narrow;
    const auto catalog = narrowPhaseCatalog();
    for (std::size_t k = 0; k < catalog.size() && !progress.cancelled; ++k) {
      const NarrowPhaseEntry& entry = catalog[k];
      progress.fraction = static_cast<float>(k) / static_cast<float>(catalog.size());
      if (!requested.empty() &&
          std::find(requested.begin(), requested.end(), entry.name) == requested.end())
        continue;
      if (triangles > maxOf(entry.name)) continue;
      auto narrow = makeNarrowPhase(entry, shapes);
      if (!narrow) return narrow.error();
      PoseTimer timer(shapes, *std::move(narrow), poses);
      addRows(item, triangles, entry, timer);
    }
    return Success{};
  }

  void addRows(std::size_t item, std::size_t triangles, const NarrowPhaseEntry& entry,
               PoseTimer& timer) {
    std::array<std::vector<double>, timedLevels> means;
    // The first round warms up the caches and is ignored
    for (int round = -1; round < command_.rounds; ++round) {
      const LevelTimes times = timer.round();
      right_ = right_ && times.right;
      for (std::size_t l = 0; l < timedLevels && round >= 0; ++l)
        means[l].push_back(times.micros[l]);
    }
    for (std::size_t l = entry.interruptible ? 0 : timedLevels - 1; l < timedLevels; ++l)
      trianglesTable().add(result_.tables[0], item,
                           {items_[item].model, triangles, entry.name, l + 1, median(means[l])});
  }

  const TrianglesCommand& command_;
  ExperimentResult& result_;
  std::vector<MeshItem> items_;
  std::map<std::string, TriangleMesh> meshes_;
  std::map<std::string, NearPoses> poses_;
  bool right_ = true;
};

/// Slope of the least-squares line through points.
double slopeOf(const std::vector<std::pair<double, double>>& points) {
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  const auto n = static_cast<double>(points.size());
  for (const auto& [px, py] : points) {
    x += px / n;
    y += py / n;
  }
  for (const auto& [px, py] : points) {
    xx += (px - x) * (px - x);
    xy += (px - x) * (py - y);
  }
  return xy / xx;
}

/// Fills in the table triangles_slopes from triangles.
void finishTriangles(ExperimentResult& result) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::vector<Key> order;
  std::map<Key, std::vector<std::pair<double, double>>> points;
  const Table& table = result.table("triangles");
  for (const TableRow& row : table.rows) {
    const Key key{table.text(row, "model"), table.text(row, "method"), table.text(row, "level")};
    auto& own = points[key];
    if (own.empty()) order.push_back(key);
    own.emplace_back(std::log(table.number(row, "triangles")),
                     std::log(table.number(row, "mean_us")));
  }
  Table& slopes = result.table("triangles_slopes");
  for (const auto& key : order)
    if (points[key].size() > 1)
      slopesTable().add(slopes, 0,
                        {std::get<0>(key), std::get<1>(key), std::get<2>(key), points[key].size(),
                         slopeOf(points[key])});
}

int runTriangles(const TrianglesCommand& requested) {
  TrianglesCommand command = requested;
  if (command.quick) {
    command.models.resize(1);
    command.most = std::min(command.most, trianglesQuickMost);
    command.poses = std::min(command.poses, trianglesQuickPoses);
    command.rounds = std::min(command.rounds, trianglesQuickRounds);
  }

  ExperimentResult result = newResult("triangles", command,
                                      {{"seed", settingText(command.seed)},
                                       {"models", settingText(command.models)},
                                       {"methods", settingText(command.narrow)},
                                       {"most_triangles", settingText(command.most)},
                                       {"poses_of_each_kind", settingText(command.poses)},
                                       {"rounds", settingText(command.rounds)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {trianglesTable().empty(), slopesTable().empty()};
  TrianglesExperiment experiment(command, result);
  auto done = experiment.prepare();
  if (done) done = experiment.run();
  const int outcome = outcomeOf(done, BadModelOrScene);
  if (command.shard.whole()) {
    finishTriangles(result);
    print(result.tables[1]);
  }
  return writeResult(command, result, experiment.succeeded() ? outcome : ValidationFailed);
}

const ExperimentEntry trianglesEntry(makeExperiment<TrianglesCommand>(
    "triangles", "time of every narrow phase, level by level, against the number of triangles",
    "one model, at most 3,000 triangles, 12 poses of each kind", addOptions, runTriangles,
    finishTriangles));

}  // namespace
}  // namespace nearmiss::app::lab
