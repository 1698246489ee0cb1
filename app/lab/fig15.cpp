// SPDX-License-Identifier: MIT
#include "lab/fig15.h"

#include <engine/scene/as_published.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <nearmiss/distance.h>
#include <nearmiss/methods/catalog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "frame_loop.h"
#include "lab/fig15_tables.h"
#include "lab/results.h"
#include "scene_shapes.h"

namespace nearmiss::app {
namespace {

constexpr std::size_t callsWhenQuick = 1500;
constexpr std::array<std::string_view, 2> setUps{"published", "shipped"};
constexpr std::string_view reference = "bsp";
constexpr std::uint64_t framesAFlight = 400;  // H96 §11.3

/// A narrow phase that remembers the poses of the pairs that it is given, one a call.
class PoseRecorder final : public NarrowPhase {
 public:
  using Poses = std::vector<std::array<std::pair<ShapeId, Pose>, 2>>;
  PoseRecorder(std::unique_ptr<NarrowPhase> inner, Poses& poses)
      : inner_(std::move(inner)), poses_(poses) {}

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override {
    for (const BodyPair& pair : pairs) {
      const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
      poses_.push_back({{{a.shape.id(), a.pose}, {b.shape.id(), b.pose}}});
    }
    inner_->begin(bodies, pairs);
  }
  bool refine(std::size_t i, const TimeBudget& budget) override {
    return inner_->refine(i, budget);
  }
  [[nodiscard]] Refinement result(std::size_t i) const noexcept override {
    return inner_->result(i);
  }
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override {
    inner_->contacts(i, most, out);
  }
  [[nodiscard]] WorkCount work() const noexcept override { return inner_->work(); }

 private:
  std::unique_ptr<NarrowPhase> inner_;
  Poses& poses_;
};

Options publishedFlight(const Fig15Command& command) {
  Options options;
  options.scene.drones.front().count = 10;
  options.scene.seed = command.seed;
  options.scene.budget.kind = engine::BudgetRule::Kind::Unlimited;
  options.frames = framesAFlight;
  engine::setAsPublished(options.scene, true);
  // The published bounce leaves ships tangled for many frames, and one tangle fills the tables
  options.scene.response = engine::Response::Bounce;
  return options;
}

/// The same flight, and how its pairs are compared besides.
Options comparedAs(std::string_view setUp, const Options& flight) {
  Options options = flight;
  if (setUp == "published") return options;
  engine::takeTrees(engine::Scene{}, options.scene);
  options.scene.narrow = engine::Scene{}.narrow;
  return options;
}

class Experiment {
 public:
  Experiment(const Fig15Command& command, LabResult& result) : command_(command), result_(result) {}

  Result<Success> run() {
    const Options flight = publishedFlight(command_);
    const auto flown = loadSceneShapes(flight, false);
    if (!flown) return flown.error();
    for (std::size_t item = 0; item < setUps.size(); ++item) {
      if (!command_.shard.has(item) || interrupted()) continue;
      const Options compared = comparedAs(setUps[item], flight);
      const auto shapes = loadSceneShapes(compared, true);
      if (!shapes) return shapes.error();
      Result<Success> done = Success{};
      withProgressLine(fmt::format("comparing both methods, {}", setUps[item]),
                       [&](WorkProgress& progress) {
                         done = compare(item, flight, **flown, compared, **shapes, progress);
                       });
      if (!done) return done.error();
    }
    return Success{};
  }

  [[nodiscard]] bool faulty() const noexcept { return faulty_; }

 private:
  Result<Success> compare(std::size_t item, const Options& flight, const engine::ShapeSet& flown,
                          const Options& compared, const engine::ShapeSet& shapes,
                          WorkProgress& progress) {
    auto driver = makeNarrowPhase(*findNarrowPhase(compared.scene.narrow), shapes.collision());
    if (!driver) return driver.error();
    auto bsp = makeNarrowPhase(*findNarrowPhase(reference), shapes.collision());
    if (!bsp) return bsp.error();
    PoseRecorder::Poses poses;
    engine::PairCalls calls(*std::move(driver),
                            std::make_unique<PoseRecorder>(*std::move(bsp), poses));
    // Many short flights, as the papers' were: no one state of the world fills the tables
    Options next = flight;
    while (calls.calls().size() < command_.calls && !progress.cancelled) {
      SteadyClock clock;
      const auto simulation = engine::makeSimulation(next.scene, flown, clock);
      if (!simulation) return simulation.error();
      (*simulation)->setPairCalls(&calls);
      FrameLoop(next, **simulation).run([](const engine::FrameProfile&) {});
      ++next.scene.seed;
      progress.fraction =
          0.5f * static_cast<float>(calls.calls().size()) / static_cast<float>(command_.calls);
    }
    Fig15Calls data;
    data.calls.assign(calls.calls().begin(), calls.calls().end());
    data.distances = distancesOf(data.calls, poses, shapes.collision(), progress);
    const Fig15Faults faults = addFig15Rows(result_, item, setUps[item], data);
    faulty_ = faulty_ || faults.any();
    return Success{};
  }

  std::vector<Real> distancesOf(const std::vector<engine::PairCall>& calls,
                                const PoseRecorder::Poses& poses, const Shapes& shapes,
                                WorkProgress& progress) const {
    std::vector<Real> distances(calls.size(), std::numeric_limits<Real>::quiet_NaN());
    DistanceQuery query;
    for (std::size_t i = 0; i < calls.size() && !progress.cancelled; i += command_.distanceEvery) {
      // Without a bound there is nothing to compare a distance with
      if (std::none_of(calls[i].bound.begin(), calls[i].bound.end(),
                       [](Real bound) { return std::isfinite(bound); }))
        continue;
      const auto& [a, b] = poses[i];
      query.begin(shapes[a.first], a.second, shapes[b.first], b.second);
      distances[i] = query.refine().lower;
      progress.fraction = 0.5f + 0.5f * static_cast<float>(i) / static_cast<float>(calls.size());
    }
    return distances;
  }

  const Fig15Command& command_;
  LabResult& result_;
  bool faulty_ = false;
};

void print(LabResult& result) {
  const LabTable &speed = result.table("fig15"), &fit = result.table("fig16");
  fmt::print("speed-up over BSP trees\n{:<10} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>7}\n",
             "set-up", "level", "calls", "median", "mean", "p10", "p90", "faster", "paper");
  for (const LabRow& row : speed.rows)
    fmt::print("{:<10} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>7}\n", row.cells[0],
               row.cells[1], row.cells[2], row.cells[3], row.cells[4], row.cells[5], row.cells[6],
               row.cells[7], row.cells[8]);
  fmt::print(
      "bounds and true distances, metres\n{:<10} {:>5} {:>8} {:>10} {:>10} {:>10} {:>10} {:>7}\n",
      "set-up", "level", "calls", "bound/med", "bound/mean", "true/med", "true/mean", "broken");
  for (const LabRow& row : fit.rows)
    fmt::print("{:<10} {:>5} {:>8} {:>10} {:>10} {:>10} {:>10} {:>7}\n", row.cells[0], row.cells[1],
               row.cells[2], row.cells[3], row.cells[4], row.cells[6], row.cells[7], row.cells[8]);
  for (const LabRow& row : result.table("fig15_calls").rows)
    fmt::print(
        "{}: {} calls, {} collisions (paper: {} and {}); {} missed and {} invented at level 5\n",
        row.cells[0], row.cells[1], row.cells[2], row.cells[5], row.cells[6], row.cells[3],
        row.cells[4]);
}

}  // namespace

int runFig15(const Fig15Command& asked) {
  Fig15Command command = asked;
  if (command.quick) command.calls = std::min(command.calls, callsWhenQuick);
  LabResult result = newResult("fig15", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"calls", fmt::format("{}", command.calls)},
                                {"distance_every", fmt::format("{}", command.distanceEvery)}});
  result.items = setUps.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  addFig15Tables(result);
  result.table("fig16").notes.push_back(
      fmt::format("the true distance is that of the exact query, sought in one call of {}",
                  command.distanceEvery));
  Experiment experiment(command, result);
  const auto done = experiment.run();
  if (!done) return complain(done.error(), BadModelOrScene);
  print(result);
  return keepResult(command, result, experiment.faulty() ? ValidationFailed : Ok);
}

}  // namespace nearmiss::app
