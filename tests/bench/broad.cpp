// SPDX-License-Identifier: MIT
/// nearmiss-bench broad -o DIR: every broad phase, and FCL's, on the same recorded flights.
#include <engine/drone_pilots.h>
#include <nearmiss/split_mix.h>
#include <engine/world.h>
#include <fmt/format.h>
#include <nearmiss/detector_catalog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "fcl_peer.h"

namespace nearmiss::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Real detectStep = 0.05;  ///< as in the default scene, simulation seconds
constexpr Real shipRadius = 1.0;   ///< metres; the default scene's models are of about this size
constexpr std::size_t warmUp = 25;
constexpr int rounds = 3;
/// With how many ships a method still ends in reasonable time.
int mostShips(std::string_view name) {
  if (name == "space-time" || name == "space-time-subdivision") return 100;
  if (name == "all-pairs" || name == "boxes" || name == "schedule") return 1000;
  return 1000000;
}

/// What a detector saw at every step.
struct Recording {
  std::vector<std::vector<BodyState>> steps;
  std::vector<Real> times;
};

engine::World worldOf(int ships, engine::DronePilots& pilots) {
  // Ten ships in a ball of nine metres, as in the default scene
  engine::Arena arena;
  arena.radius *= std::cbrt(ships / 10.0);
  engine::World world(arena);
  SplitMix random(static_cast<std::uint64_t>(ships));
  for (int i = 0; i < ships; ++i) {
    engine::ShipDef def;
    def.boundingRadius = shipRadius;
    do {
      for (int axis = 0; axis < 3; ++axis)
        def.pose.position[axis] = arena.radius * random.between(-1.0, 1.0);
    } while (glm::length(def.pose.position) > arena.radius);
    Quat& turn = def.pose.rotation;
    turn.w = random.between(-1.0, 1.0);
    turn.x = random.between(-1.0, 1.0);
    turn.y = random.between(-1.0, 1.0);
    turn.z = random.between(-1.0, 1.0);
    turn = glm::normalize(turn);
    pilots.add(world.create(def));
  }
  return world;
}

/// Flies without collisions: ships pass through each other, so that all methods see one flight.
Recording record(int ships, std::size_t count) {
  engine::DronePilots pilots(7, {});
  engine::World world = worldOf(ships, pilots);
  Recording recording;
  // Some seconds to gather speed
  for (int step = 0; step < 100; ++step) {
    pilots.steer(world);
    world.integrate(detectStep);
  }
  for (std::size_t step = 0; step < count; ++step) {
    if (step % 2 == 0) pilots.steer(world);
    world.integrate(detectStep);
    recording.steps.emplace_back(world.states().begin(), world.states().end());
    recording.times.push_back(world.time());
  }
  return recording;
}

struct Contender {
  std::string name;
  std::unique_ptr<BroadPhase> (*make)() = nullptr;
  std::vector<double> micros;  ///< by step, of all rounds
  std::uint64_t boundTests = 0;
  std::size_t pairs = 0;  ///< of one round
};

void play(const Recording& recording, Contender& contender) {
  const auto phase = contender.make();
  std::vector<BodyPair> pairs;
  contender.pairs = 0;
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    const auto began = Clock::now();
    phase->findPairs(recording.steps[step], recording.times[step], pairs);
    const std::chrono::duration<double, std::micro> took = Clock::now() - began;
    contender.pairs += pairs.size();
    if (step < warmUp) continue;
    contender.micros.push_back(took.count());
    contender.boundTests += phase->work().boundTests;
  }
}

/// Nearest rank.
double percentile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

/// False if the methods disagree.
bool compare(int ships, std::ofstream& csv) {
  const Recording recording = record(ships, ships > 1000 ? 125 : 225);
  std::vector<Contender> contenders;
  for (const BroadPhaseEntry& entry : broadPhaseCatalog())
    if (ships <= mostShips(entry.name))
      contenders.push_back({std::string(entry.name), entry.make, {}, 0, 0});
#ifdef NEARMISS_HAVE_FCL
  contenders.push_back({"fcl", makeFclPeer, {}, 0, 0});
#endif
  for (int round = 0; round < rounds; ++round)
    for (Contender& contender : contenders) play(recording, contender);

  bool agree = true;
  fmt::print("{} ships, {:.2f} pairs a ship and step\n", ships,
             static_cast<double>(contenders[0].pairs) /
                 static_cast<double>(recording.steps.size()) / ships);
  for (Contender& contender : contenders) {
    agree = agree && contender.pairs == contenders[0].pairs;
    auto& micros = contender.micros;
    double sum = 0.0;
    for (const double each : micros) sum += each;
    const auto steps = static_cast<double>(micros.size());
    std::sort(micros.begin(), micros.end());
    const double median = percentile(micros, 0.5), tail = percentile(micros, 0.99);
    const double tests = static_cast<double>(contender.boundTests) / steps;
    fmt::print(
        "  {:<24} median {:>10.2f}  p99 {:>10.2f}  mean {:>10.2f} us a step; {:.4f} us a ship\n",
        contender.name, median, tail, sum / steps, sum / steps / ships);
    csv << fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{:.6f},{:.6f},{:.1f},{}\n", ships,
                       contender.name, micros.size(), median, tail, sum / steps, median / ships,
                       sum / steps / ships, tests, contender.pairs);
  }
  std::fflush(stdout);
  if (!agree) fmt::print(stderr, "nearmiss-bench: the methods found different pairs\n");
  return agree;
}

int broad(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::ofstream csv(folder / "broad.csv");
  csv << "ships,method,steps,median_us,p99_us,mean_us,median_us_per_ship,mean_us_per_ship,"
         "bound_tests_per_step,pairs_per_round\n";
  bool agree = true;
  for (const int ships : {100, 1000, 10000}) agree = compare(ships, csv) && agree;
  csv.close();
  if (!csv) {
    fmt::print(stderr, "nearmiss-bench: cannot write \"{}\"\n", (folder / "broad.csv").string());
    return 1;
  }
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace nearmiss::bench

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() != 3 || words[0] != "broad" || words[1] != "-o") {
    fmt::print(stderr, "usage: nearmiss-bench broad -o DIR\n");
    return 2;
  }
  return nearmiss::bench::broad(words[2]);
}
