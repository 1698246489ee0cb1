// SPDX-License-Identifier: MIT
/// `nearmiss lab fig15`: sphere trees and BSP trees on the same calls, level by level: speed-up
/// [H96 Fig. 15] and accuracy [H96 Fig. 16].
#include <engine/flight/depth.h>
#include <engine/scene/as_published.h>
#include <engine/scene/scene.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/fig15_tables.h"
#include "running/frame_loop.h"
#include "running/scene_shapes.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::size_t callsWhenQuick = 1500;

/// Sphere trees as published or with this program's defaults, each compared with BSP trees.
struct SetUp {
  std::string_view name, reference;
  bool shipped = false;
};
constexpr std::array<SetUp, 3> setUps{
    {{"published", "bsp-all"}, {"own-bsp", "bsp"}, {"shipped", "bsp", true}}};

constexpr std::uint64_t framesAFlight = 400;  // H96 §11.3

struct Fig15Command : ExperimentCommand {
  std::size_t calls = paperCalls;  ///< minimum number per setup
  std::size_t distanceEvery = 1;   ///< the true distance is computed in every Nth call
  std::uint64_t seed = 42;
};

void addOptions(OptionList& options, Fig15Command& command) {
  options.number("--calls", command.calls, 1, 10'000'000, "min calls of each set-up");
  options.number("--distance-every", command.distanceEvery, 1, 1'000'000,
                 "seek the true distance in every Nth call");
  options.seed(command.seed, "seed of the flight");
}

/// A narrow phase that records the pose of the pair of each call.
class PoseRecorder final : public NarrowPhase {
 public:
  using Poses = std::vector<std::array<std::pair<std::uint32_t, Pose>, 2>>;
  PoseRecorder(std::unique_ptr<NarrowPhase> inner, Poses& poses)
      : inner_(std::move(inner)), poses_(poses) {}

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override {
    for (const BodyPair& pair : pairs) {
      const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
      poses_.push_back({{{a.shape.index(), a.pose}, {b.shape.index(), b.pose}}});
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
  options.scene.maxLevel = engine::exactDepth;  // includes the triangles [H96 §11.2]
  // With the published bounce ships stay entangled for many frames, which would dominate the tables
  options.scene.response = engine::Response::Bounce;
  return options;
}

/// The same flight with the methods of a setup.
Options comparedAs(const SetUp& setUp, const Options& flight) {
  Options options = flight;
  if (!setUp.shipped) return options;
  engine::copyTrees(engine::Scene{}, options.scene);
  options.scene.narrow = engine::Scene{}.narrow;
  return options;
}

class Fig15Experiment {
 public:
  Fig15Experiment(const Fig15Command& command, ExperimentResult& result)
      : command_(command), result_(result) {}

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
      withProgressLine(fmt::format("comparing both methods, {}", setUps[item].name),
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
    auto bsp = makeNarrowPhase(*findNarrowPhase(setUps[item].reference), shapes.collision());
    if (!bsp) return bsp.error();
    PoseRecorder::Poses poses;
    engine::PairCalls calls(*std::move(driver),
                            std::make_unique<PoseRecorder>(*std::move(bsp), poses));
    // Many short flights, as in the papers, so that no single state dominates the tables
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
    const Fig15Faults faults = addFig15Rows(result_, item, setUps[item].name, data);
    faulty_ = faulty_ || faults.any();
    return Success{};
  }

  std::vector<Real> distancesOf(const std::vector<engine::PairCall>& calls,
                                const PoseRecorder::Poses& poses, const Shapes& shapes,
                                WorkProgress& progress) const {
    std::vector<Real> distances(calls.size(), std::numeric_limits<Real>::quiet_NaN());
    DistanceQuery query;
    for (std::size_t i = 0; i < calls.size() && !progress.cancelled; i += command_.distanceEvery) {
      // The distance is compared with bounds only
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
  ExperimentResult& result_;
  bool faulty_ = false;
};

int runFig15(const Fig15Command& requested) {
  Fig15Command command = requested;
  if (command.quick) command.calls = std::min(command.calls, callsWhenQuick);
  ExperimentResult result = newResult("fig15", command,
                                      {{"seed", settingText(command.seed)},
                                       {"calls", settingText(command.calls)},
                                       {"distance_every", settingText(command.distanceEvery)}});
  result.items = setUps.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = fig15Tables(command.distanceEvery);
  Fig15Experiment experiment(command, result);
  const int outcome = outcomeOf(experiment.run(), BadModelOrScene);
  for (const char* table : {"fig15", "fig16", "fig15_calls"}) print(result.table(table));
  return writeResult(command, result, experiment.faulty() ? ValidationFailed : outcome);
}

const ExperimentEntry fig15Entry(makeExperiment<Fig15Command>(
    "fig15", "speed-up over BSP trees and separation bounds, call by call, level by level",
    "at most 1,500 calls of each set-up", addOptions, runFig15));

}  // namespace
}  // namespace nearmiss::app::lab
