// SPDX-License-Identifier: MIT
/// Every broad phase, and FCL's, on the same recorded flights.
#include <engine/flight/recorded_flight.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bench.h"
#include "fcl_peer.h"
#include "percentile.h"

namespace nearmiss::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Real shipRadius = 1.0;  ///< metres; the default scene's models are of about this size
constexpr std::size_t warmUp = 25;
constexpr int rounds = 3;
/// With how many ships a method still ends in reasonable time.
int maxShips(std::string_view name) {
  if (name.starts_with("space-time") && name != "space-time-grid") return 100;
  if (name == "all-pairs" || name == "boxes" || name == "schedule") return 1000;
  return 1000000;
}

struct Contender {
  std::string name;
  std::unique_ptr<BroadPhase> (*make)() = nullptr;
  std::vector<double> micros;  ///< by step, of all rounds
  std::uint64_t boundTests = 0;
  std::size_t pairs = 0;  ///< of one round
};

void play(const engine::RecordedFlight& recording, Contender& contender) {
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

std::vector<Contender> contendersOf(const BroadCommand& command, int ships) {
  std::vector<Contender> contenders;
  const auto enter = [&](std::string_view name, std::unique_ptr<BroadPhase> (*make)()) {
    const auto& chosen = command.methods;
    const bool takesPart = chosen.empty()
                               ? ships <= maxShips(name)
                               : std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    if (takesPart) contenders.push_back({std::string(name), make, {}, 0, 0});
  };
  for (const BroadPhaseEntry& entry : broadPhaseCatalog()) enter(entry.name, entry.make);
#ifdef NEARMISS_HAVE_FCL
  enter("fcl", makeFclPeer);
#endif
  return contenders;
}

/// False if the methods disagree.
bool compare(const BroadCommand& command, int ships, std::ofstream& csv) {
  const engine::RecordedFlight recording =
      engine::recordFlight(std::array{ShapeRef::ofRadius(shipRadius)},
                           {.ships = ships,
                            .steps = ships > 1000 ? std::size_t{125} : std::size_t{225},
                            .positionSeed = static_cast<std::uint64_t>(ships)});
  std::vector<Contender> contenders = contendersOf(command, ships);
  for (int round = 0; round < rounds; ++round)
    for (Contender& contender : contenders) play(recording, contender);

  bool agree = true;
  fmt::print("{} ships, {:.2f} pairs per ship and step\n", ships,
             static_cast<double>(contenders[0].pairs) /
                 static_cast<double>(recording.steps.size()) / ships);
  for (Contender& contender : contenders) {
    agree = agree && contender.pairs == contenders[0].pairs;
    auto& micros = contender.micros;
    const double mean = meanOf(micros);
    const auto steps = static_cast<double>(micros.size());
    std::sort(micros.begin(), micros.end());
    const double median = percentile(micros, 0.5), tail = percentile(micros, 0.99);
    const double tests = static_cast<double>(contender.boundTests) / steps;
    fmt::print(
        "  {:<24} median {:>10.2f}  p99 {:>10.2f}  mean {:>10.2f} us per step; {:.4f} us per "
        "ship\n",
        contender.name, median, tail, mean, mean / ships);
    csv << fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{:.6f},{:.6f},{:.1f},{}\n", ships,
                       contender.name, micros.size(), median, tail, mean, median / ships,
                       mean / ships, tests, contender.pairs);
  }
  std::fflush(stdout);
  if (!agree) fmt::print(stderr, "nearmiss-lab: the methods found different pairs\n");
  return agree;
}

}  // namespace

int broad(const BroadCommand& command) {
  std::error_code failed;
  std::filesystem::create_directories(command.folder, failed);
  const auto table = command.folder / "broad.csv";
  std::ofstream csv(table);
  csv << engine::headText(engine::machineHead(engine::commitName()))
      << "ships,method,steps,median_us,p99_us,mean_us,median_us_per_ship,mean_us_per_ship,"
         "bound_tests_per_step,pairs_per_round\n";
  bool agree = true;
  for (const int ships : command.ships) agree = compare(command, ships, csv) && agree;
  csv.close();
  if (!csv) {
    fmt::print(stderr, "nearmiss-lab: cannot write \"{}\"\n", table.string());
    return 1;
  }
  return agree ? 0 : 1;
}

}  // namespace nearmiss::bench
