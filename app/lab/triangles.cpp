// SPDX-License-Identifier: MIT
#include "lab/triangles.h"

#include <engine/flight/depth.h>
#include <engine/model/model_loader.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <nearmiss/distance.h>
#include <nearmiss/methods/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/false_alarms.h"
#include "lab/results.h"
#include "lab/subdivision.h"
#include "thread_count.h"

namespace nearmiss::app {
namespace {

constexpr std::size_t levels = engine::exactDepth;
constexpr std::size_t mostWhenQuick = 3'000, posesWhenQuick = 12;
constexpr int roundsWhenQuick = 3;
/// Bodies are near at so many radii apart.
constexpr Real near = 0.1;

/// Where a method's trees, or its time, would take too much.
struct Limit {
  std::string_view narrow;
  std::size_t triangles;
};
constexpr std::array<Limit, 5> limits{{{"brute-force", 3'000},
                                       {"region-bsp", 3'000},
                                       {"bsp", 100'000},
                                       {"gjk", 100'000},
                                       {"lin-canny", 100'000}}};

std::size_t mostOf(std::string_view narrow) {
  for (const Limit& limit : limits)
    if (limit.narrow == narrow) return limit.triangles;
  return static_cast<std::size_t>(-1);
}

/// One mesh of one model: a work item.
struct Item {
  std::string model;
  int subdivisions = 0;
};

/// Poses of a second ship near the first, and whether they touch: the same for all meshes.
struct NearPoses {
  std::vector<Pose> poses;
  std::vector<bool> contact;
};

NearPoses nearPoses(const Shape& shape, const TrianglesCommand& command) {
  constexpr std::size_t patience = 200;  // draws for each pose that is wanted
  const Real farthest = near * shape.radius();
  NearPoses found;
  std::array<std::size_t, 2> count{};  // apart, in contact
  DistanceQuery query;
  for (const Pose& pose : drawPoses(shape, patience * command.poses, command.seed)) {
    if (count[0] >= command.poses && count[1] >= command.poses) break;
    query.begin(shape, Pose{}, shape, pose);
    if (nearness(query.refineUntil(farthest), farthest) == Nearness::Farther) continue;
    const bool contact = query.refine().upper <= 0.0;
    if (count[contact] >= command.poses) continue;
    ++count[contact];
    found.poses.push_back(pose);
    found.contact.push_back(contact);
  }
  return found;
}

/// Mean times until each level is known, microseconds; levels[4] is exact.
struct LevelTimes {
  std::array<double, levels> micros{};
  bool right = true;  ///< the verdicts are the known ones
};

class PoseTimer {
 public:
  PoseTimer(const Shapes& shapes, std::unique_ptr<NarrowPhase> narrow, const NearPoses& poses)
      : narrow_(std::move(narrow)), poses_(poses) {
    for (BodyState& body : bodies_) body.shape = shapes.ref(ShapeId{0});
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
  /// Refines to the end; adds what each level took. True for contact.
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
    stamp(levels);
    return now.verdict == Verdict::Contact;
  }

  std::array<BodyState, 2> bodies_;
  std::unique_ptr<NarrowPhase> narrow_;
  const NearPoses& poses_;
};

void addTables(LabResult& result) {
  LabTable table{
      "triangles", "detection time against the number of triangles of one surface", {}, {}, {}, {}};
  table.columns = {{"model", "whose mesh is subdivided"},
                   {"triangles", "every subdivision makes four of one, on the same surface"},
                   {"method", "narrow phase"},
                   {"level", "1 to 4: spheres or volumes, 5: the final answer"},
                   {"mean_us", "wall time of a pair until the level is known, microseconds"}};
  table.notes = {
      "poses are the same for all meshes of a model: half of them in contact, half apart by up to "
      "a tenth of a radius",
      "methods that answer in one step have level 5 only",
      "brute-force and region-bsp are left out above 3000 triangles, bsp, gjk and lin-canny above "
      "100000, their trees or their answers take too long"};
  table.figures = {{"Time to level 4 against triangles",
                    "Sphere trees do not see the triangles until the last level",
                    "lines",
                    "triangles",
                    {"mean_us"},
                    {"model", "method"},
                    "xy",
                    "triangles",
                    "microseconds a pair",
                    {{"level", "4"}}},
                   {"Time to the final answer against triangles",
                    "What grows with the mesh, and what does not",
                    "lines",
                    "triangles",
                    {"mean_us"},
                    {"model", "method"},
                    "xy",
                    "triangles",
                    "microseconds a pair",
                    {{"level", "5"}}}};
  LabTable slopes{
      "triangles_slopes", "growth of detection time with the number of triangles", {}, {}, {}, {}};
  slopes.columns = {{"model", "whose mesh is subdivided"},
                    {"method", "narrow phase"},
                    {"level", "1 to 4: spheres or volumes, 5: the final answer"},
                    {"meshes", "that the line is fitted to"},
                    {"slope", "of the logarithm of time against that of triangles"}};
  slopes.notes = {
      "a slope of 0 is time that does not depend on the triangles, 1 proportional time"};
  slopes.figures = {{"Growth by level",
                     "Slopes of the fitted lines",
                     "bars",
                     "method",
                     {"slope"},
                     {"level"},
                     "",
                     "method",
                     "slope",
                     {}}};
  result.tables = {table, slopes};
}

class Experiment {
 public:
  Experiment(const TrianglesCommand& command, LabResult& result)
      : command_(command), result_(result) {}

  /// Items are numbered before any is left to another shard.
  Result<Success> prepare() {
    for (const std::string& name : command_.models) {
      const auto path = engine::findModel(name);
      if (!path) return path.error();
      auto loaded = engine::loadModel(*path);
      if (!loaded) return loaded.error();
      const std::string label = csvText(loaded->name);
      std::size_t triangles = loaded->mesh.triangles.size();
      for (int times = 0; triangles <= command_.most; ++times, triangles *= 4)
        items_.push_back({label, times});
      meshes_[label] = std::move(loaded->mesh);
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

  [[nodiscard]] bool allRight() const noexcept { return right_; }

 private:
  /// Those of a model, drawn when its first mesh needs them.
  Result<const NearPoses*> posesOf(const std::string& model) {
    NearPoses& own = poses_[model];
    if (own.poses.empty()) {
      ShapeSettings bare;
      bare.treeBuilder = {};
      const auto shape = makeShape(meshes_[model], bare);
      if (!shape) return shape.error();
      own = nearPoses(*shape, command_);
    }
    return &own;
  }

  Result<Success> measure(std::size_t item) {
    const Item& about = items_[item];
    const auto poses = posesOf(about.model);
    if (!poses) return poses.error();
    TriangleMesh mesh = meshes_[about.model];
    for (int i = 0; i < about.subdivisions; ++i) mesh = subdivided(mesh);
    const std::size_t triangles = mesh.triangles.size();
    ShapeSettings settings;
    settings.tree = engine::treeSettings(engine::Scene{});
    settings.tree.workers = threadsOf(0);
    settings.bspTree = triangles <= mostOf("bsp");
    auto shape = answerWithProgressLine(
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
    const auto& asked = command_.narrow;
    const auto catalog = narrowPhaseCatalog();
    for (std::size_t k = 0; k < catalog.size() && !progress.cancelled; ++k) {
      const NarrowPhaseEntry& entry = catalog[k];
      progress.fraction = static_cast<float>(k) / static_cast<float>(catalog.size());
      if (!asked.empty() && std::find(asked.begin(), asked.end(), entry.name) == asked.end())
        continue;
      if (triangles > mostOf(entry.name)) continue;
      auto narrow = makeNarrowPhase(entry, shapes);
      if (!narrow) return narrow.error();
      PoseTimer timer(shapes, *std::move(narrow), poses);
      addRows(item, triangles, entry, timer);
    }
    return Success{};
  }

  void addRows(std::size_t item, std::size_t triangles, const NarrowPhaseEntry& entry,
               PoseTimer& timer) {
    std::array<std::vector<double>, levels> means;
    // The first round fills the caches and does not count
    for (int round = -1; round < command_.rounds; ++round) {
      const LevelTimes times = timer.round();
      right_ = right_ && times.right;
      for (std::size_t l = 0; l < levels && round >= 0; ++l) means[l].push_back(times.micros[l]);
    }
    for (std::size_t l = entry.interruptible ? 0 : levels - 1; l < levels; ++l)
      result_.table("triangles")
          .add(item, fmt::format("{},{},{},{},{:.4f}", items_[item].model, triangles, entry.name,
                                 l + 1, median(means[l])));
  }

  const TrianglesCommand& command_;
  LabResult& result_;
  std::vector<Item> items_;
  std::map<std::string, TriangleMesh> meshes_;
  std::map<std::string, NearPoses> poses_;
  bool right_ = true;
};

/// Of the least squares through points.
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

void print(LabResult& result) {
  const LabTable& table = result.table("triangles_slopes");
  fmt::print("growth of time with triangles\n{:<10} {:<18} {:>5} {:>7} {:>8}\n", "model", "method",
             "level", "meshes", "slope");
  for (const LabRow& row : table.rows)
    fmt::print("{:<10} {:<18} {:>5} {:>7} {:>8}\n", row.cells[0], row.cells[1], row.cells[2],
               row.cells[3], row.cells[4]);
}

}  // namespace

void finishTriangles(LabResult& result) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::vector<Key> order;
  std::map<Key, std::vector<std::pair<double, double>>> points;
  const LabTable& table = result.table("triangles");
  for (const LabRow& row : table.rows) {
    const Key key{table.text(row, "model"), table.text(row, "method"), table.text(row, "level")};
    auto& own = points[key];
    if (own.empty()) order.push_back(key);
    own.emplace_back(std::log(table.number(row, "triangles")),
                     std::log(table.number(row, "mean_us")));
  }
  LabTable& slopes = result.table("triangles_slopes");
  for (const Key& key : order)
    if (points[key].size() > 1)
      slopes.add(0, fmt::format("{},{},{},{},{:.4f}", std::get<0>(key), std::get<1>(key),
                                std::get<2>(key), points[key].size(), slopeOf(points[key])));
}

int runTriangles(const TrianglesCommand& asked) {
  TrianglesCommand command = asked;
  if (command.quick) {
    command.models.resize(1);
    command.most = std::min(command.most, mostWhenQuick);
    command.poses = std::min(command.poses, posesWhenQuick);
    command.rounds = std::min(command.rounds, roundsWhenQuick);
  }
  LabResult result = newResult("triangles", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"models", namesText(command.models)},
                                {"methods", namesText(command.narrow)},
                                {"most_triangles", fmt::format("{}", command.most)},
                                {"poses_of_each_kind", fmt::format("{}", command.poses)},
                                {"rounds", fmt::format("{}", command.rounds)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  addTables(result);
  Experiment experiment(command, result);
  auto done = experiment.prepare();
  if (done) done = experiment.run();
  if (!done) return complain(done.error(), BadModelOrScene);
  if (command.shard.whole()) {
    finishTriangles(result);
    print(result);
  }
  return keepResult(command, result, experiment.allRight() ? Ok : ValidationFailed);
}

}  // namespace nearmiss::app
