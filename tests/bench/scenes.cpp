// SPDX-License-Identifier: MIT
/// Whole steps of crowds, broad and narrow phase: to each level and exactly, beside FCL.
#include <engine/flight/recorded_flight.h>
#include <engine/model/model_loader.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>

#include "bench.h"
#include "model_pairs.h"
#include "percentile.h"
#ifdef NEARMISS_HAVE_FCL
#include "fcl_scene.h"
#endif

namespace nearmiss::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Pairs = std::vector<BodyPair>;

constexpr std::size_t warmUp = 25;
constexpr int exactly = Detector::noLevelCap;

/// A method on one flight.
struct Contender {
  std::string name;
  std::function<void(std::span<const BodyState>, Real, Pairs&)> step;  ///< finds who may touch
  bool own = false;                                                    ///< must find every contact
  std::vector<double> micros{};                                        ///< by step
  std::size_t pairs = 0, more = 0, fewer = 0;  ///< the latter two than the first contender
};

void enter(int level, const Shapes& shapes, std::vector<Contender>& contenders) {
  const auto detector =
      std::make_shared<Detector>(makeSpaceTimeGridBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  detector->setLevelCap(level);
  contenders.push_back({level == exactly ? "exact" : fmt::format("L{}", level),
                        [detector](std::span<const BodyState> bodies, Real time, Pairs& pairs) {
                          const Detection& found =
                              detector->detect(bodies, time, TimeBudget::unlimited());
                          pairs.clear();
                          for (const DetectedPair& pair : found.pairs)
                            if (pair.refinement.verdict != Verdict::Separate)
                              pairs.push_back(pair.bodies);
                        },
                        true});
}

std::vector<Contender> contendersOf(const Model& model, const Shapes& shapes) {
  std::vector<Contender> contenders;
#ifdef NEARMISS_HAVE_FCL
  const auto scene = std::make_shared<FclScene>(model.shape.polyhedron().mesh());
  contenders.push_back({"FCL exact", [scene](std::span<const BodyState> bodies, Real,
                                             Pairs& pairs) { pairs = scene->step(bodies); }});
#else
  (void)model;
#endif
  for (const int level : {1, 2, 3, 4, exactly}) enter(level, shapes, contenders);
  return contenders;
}

void play(const engine::RecordedFlight& flight, std::vector<Contender>& contenders) {
  std::vector<Pairs> found(contenders.size());
  for (std::size_t step = 0; step < flight.steps.size(); ++step) {
    // Each in turn comes first: nobody always inherits the same neighbour's caches
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const std::size_t c = (step + k) % contenders.size();
      const auto began = Clock::now();
      contenders[c].step(flight.steps[step], flight.times[step], found[c]);
      const std::chrono::duration<double, std::micro> took = Clock::now() - began;
      if (step >= warmUp) contenders[c].micros.push_back(took.count());
    }
    for (Pairs& pairs : found) std::sort(pairs.begin(), pairs.end());
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      Pairs only;
      std::set_difference(found[c].begin(), found[c].end(), found[0].begin(), found[0].end(),
                          std::back_inserter(only));
      contenders[c].pairs += found[c].size();
      contenders[c].more += only.size();
      contenders[c].fewer += found[0].size() + only.size() - found[c].size();
    }
  }
}

/// False if a method of ours misses contacts of the peer.
bool compare(const ScenesCommand& command, const Model& model, int ships, Real crowding,
             std::ofstream& csv) {
  Shapes shapes;
  const ShapeRef shape = shapes.add(model.shape);
  const std::size_t steps = warmUp + static_cast<std::size_t>(command.steps);
  const engine::RecordedFlight flight =
      engine::recordFlight(std::array{shape}, {.ships = ships,
                                               .crowding = crowding,
                                               .steps = steps,
                                               .positionSeed = static_cast<std::uint64_t>(ships)});
  std::vector<Contender> contenders = contendersOf(model, shapes);
  play(flight, contenders);

  fmt::print("{} of {}, {} times as dense as the default scene\n", ships, model.name, crowding);
  bool agree = true;
  const double first = meanOf(contenders[0].micros);
  for (Contender& contender : contenders) {
    auto& micros = contender.micros;
    std::sort(micros.begin(), micros.end());
    const double mean = meanOf(micros);
    const auto found = static_cast<double>(contender.pairs) / static_cast<double>(steps);
    agree = agree && (!contender.own || contender.fewer == 0);
    fmt::print(
        "  {:<10} mean {:>10.1f}  median {:>10.1f}  p95 {:>10.1f}  p99 {:>10.1f}  max {:>10.1f} us "
        "a step  {:>7.2f} times; {:.1f} pairs, {} more, {} fewer\n",
        contender.name, mean, percentile(micros, 0.5), percentile(micros, 0.95),
        percentile(micros, 0.99), micros.back(), first / mean, found, contender.more,
        contender.fewer);
    csv << fmt::format("{},{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.3f},{:.2f},{},{}\n",
                       model.name, ships, crowding, contender.name, micros.size(), mean,
                       percentile(micros, 0.5), percentile(micros, 0.95), percentile(micros, 0.99),
                       micros.back(), first / mean, found, contender.more, contender.fewer);
  }
  std::fflush(stdout);
  if (!agree) fmt::print(stderr, "nearmiss-lab: a level missed contacts that FCL found\n");
  return agree;
}

}  // namespace

int scenes(const ScenesCommand& command) {
  PeersCommand models;
  models.usual = false;
  models.models = command.models;
  if (models.models.empty()) {
    const auto truck = engine::findModel("truck");
    if (truck) models.models.push_back(*truck);
  }
  const auto pairs = modelPairs(models);
  if (!pairs) {
    fmt::print(stderr, "nearmiss-lab: {}\n", pairs.error().message);
    return 2;
  }
  std::error_code failed;
  std::filesystem::create_directories(command.folder, failed);
  const auto table = command.folder / "scenes.csv";
  std::ofstream csv(table);
  csv << engine::headText(engine::machineHead(engine::commitName()))
      << "model,ships,crowding,method,steps,mean_us,median_us,p95_us,p99_us,max_us,"
         "times_fcl_mean,pairs_per_step,more,fewer\n";
  bool agree = true;
  for (const ModelPair& pair : *pairs)
    for (const int ships : command.ships)
      for (const double crowding : command.crowding)
        agree = compare(command, pair.a, ships, crowding, csv) && agree;
  csv.close();
  if (!csv) {
    fmt::print(stderr, "nearmiss-lab: cannot write \"{}\"\n", table.string());
    return 2;
  }
  return agree ? 0 : 1;
}

}  // namespace nearmiss::bench
