// SPDX-License-Identifier: MIT
#include "lab/x7.h"

#include <engine/flight/recorded_flight.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/detector.h>
#include <nearmiss/methods/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/results.h"
#include "scene_shapes.h"

namespace nearmiss::app {
namespace {

constexpr std::string_view grid = "uniform-grid", spaceTime = "space-time", bsp = "bsp",
                           spheres = "sphere-tree";
constexpr int mostShipsWhenQuick = 10, stepsWhenQuick = 60;
/// Times the ships in ten lamps' usual space, so that they meet.
constexpr double crowding = 2.0;
/// As deep as the papers' detector goes when there is time [H96 §11.3].
constexpr int lastOfSpheres = 4;

struct Method {
  std::string_view broad, narrow;
  int levelCap = Detector::noLevelCap;
};
constexpr std::array<Method, 6> methods{{{grid, bsp},
                                         {spaceTime, bsp},
                                         {grid, spheres},
                                         {spaceTime, spheres},
                                         {grid, spheres, lastOfSpheres},
                                         {spaceTime, spheres, lastOfSpheres}}};

/// What one method did with all states.
struct Played {
  std::size_t calls = 0, contacts = 0, possible = 0;
  double meanUs = 0.0, slowestUs = 0.0;  ///< a state
};

/// The states one after the other; the detector is not called where it has promised that nothing
/// can touch [H93, "Detecting collisions"].
Played play(const engine::RecordedFlight& flight, Detector& detector) {
  Played played;
  Real quietUntil = -std::numeric_limits<Real>::infinity();
  double sum = 0.0;
  for (std::size_t step = 0; step < flight.steps.size(); ++step) {
    const auto began = std::chrono::steady_clock::now();
    if (!(flight.times[step] < quietUntil)) {
      const Detection& found =
          detector.detect(flight.steps[step], flight.times[step], TimeBudget::unlimited());
      // Pairs that are near now may touch at any time
      quietUntil = found.pairs.empty() ? found.noContactBefore : flight.times[step];
      ++played.calls;
      for (const DetectedPair& pair : found.pairs) {
        played.contacts += pair.refinement.verdict == Verdict::Contact;
        played.possible += pair.refinement.verdict == Verdict::Possible;
      }
    }
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - began;
    sum += spent.count();
    played.slowestUs = std::max(played.slowestUs, spent.count());
  }
  played.meanUs = sum / static_cast<double>(flight.steps.size());
  return played;
}

LabTable x7Table() {
  LabTable table{"x7", "whole detectors on the same recorded states", {}, {}, {}, {}};
  table.columns = {{"ships", "lamps, twice as dense as in the default scene"},
                   {"broad", "uniform-grid (Turk's) or space-time"},
                   {"narrow", "bsp or sphere-tree"},
                   {"until", "exact, or level 4: spheres only"},
                   {"states", "recorded, a twentieth of a second apart"},
                   {"calls", "states at which the detector was called"},
                   {"contacts", "over all states"},
                   {"possible", "over all states, spheres that collide at level 4"},
                   {"mean_us", "wall time of a state, the median of the rounds"},
                   {"slowest_us", "the slowest state, the median of the rounds"},
                   {"speedup", "mean_us of the grid with BSP trees to this one"},
                   {"paper_least", "as published: 10 to 100 times better than BSP trees"},
                   {"paper_most", "the same"}};
  table.figures = {{"Whole detectors",
                    "Speed-up over Turk's grid with BSP trees",
                    "bars",
                    "ships",
                    {"speedup", "paper_least", "paper_most"},
                    {"broad", "narrow", "until"},
                    "y",
                    "ships",
                    "speed-up",
                    {}}};
  return table;
}

class Experiment {
 public:
  Experiment(const X7Command& command, LabResult& result) : command_(command), result_(result) {}

  /// A work item is a number of ships.
  Result<Success> run() {
    const auto shapes = loadSceneShapes(Options{}, true);
    if (!shapes) return shapes.error();
    for (std::size_t item = 0; item < command_.ships.size(); ++item)
      if (command_.shard.has(item) && !interrupted())
        withProgressLine(
            fmt::format("detecting {} ships", command_.ships[item]),
            [&](WorkProgress& progress) { compare(item, (*shapes)->collision(), progress); });
    return Success{};
  }

  [[nodiscard]] bool differ() const noexcept { return differ_; }

 private:
  void compare(std::size_t item, const Shapes& shapes, WorkProgress& progress) {
    const int ships = command_.ships[item];
    const std::array<ShapeRef, 1> refs{shapes.ref(ShapeId{0})};
    const engine::RecordedFlight flight =
        engine::recordFlight(refs, {.ships = ships,
                                    .crowding = crowding,
                                    .steps = static_cast<std::size_t>(command_.steps),
                                    .positionSeed = command_.seed,
                                    .pilotSeed = command_.seed});
    std::optional<std::size_t> contacts;
    for (std::size_t i = 0; i < methods.size() && !progress.cancelled; ++i) {
      const Played played = measure(methods[i], shapes, flight);
      progress.fraction = static_cast<float>(i + 1) / static_cast<float>(methods.size());
      const bool exact = methods[i].levelCap == Detector::noLevelCap;
      if (exact && played.contacts != contacts.value_or(played.contacts)) differ_ = true;
      if (exact) contacts = played.contacts;
      addRow(item, methods[i], played, flight.steps.size());
    }
  }

  [[nodiscard]] Played measure(const Method& method, const Shapes& shapes,
                               const engine::RecordedFlight& flight) const {
    std::vector<double> means, slowest;
    Played played;
    for (int round = 0; round < command_.rounds; ++round) {
      // From the start each time, as a flight begins
      Detector detector(makeBroadPhase(*findBroadPhase(method.broad), shapes),
                        *makeNarrowPhase(*findNarrowPhase(method.narrow), shapes));
      detector.setLevelCap(method.levelCap);
      played = play(flight, detector);
      means.push_back(played.meanUs);
      slowest.push_back(played.slowestUs);
    }
    played.meanUs = median(means);
    played.slowestUs = median(slowest);
    return played;
  }

  void addRow(std::size_t item, const Method& method, const Played& played, std::size_t states) {
    const bool exact = method.levelCap == Detector::noLevelCap;
    const bool rival = method.narrow == bsp;
    result_.tables[0].add(
        item, fmt::format("{},{},{},{},{},{},{},{},{:.3f},{:.3f},,{},{}", command_.ships[item],
                          method.broad, method.narrow, exact ? "exact" : "level 4", states,
                          played.calls, played.contacts, played.possible, played.meanUs,
                          played.slowestUs, rival ? "" : "10", rival ? "" : "100"));
  }

  const X7Command& command_;
  LabResult& result_;
  bool differ_ = false;
};

void print(const LabTable& table) {
  fmt::print("{:>6} {:<13} {:<12} {:<8} {:>7} {:>7} {:>9} {:>10} {:>10} {:>8}\n", "ships", "broad",
             "narrow", "until", "states", "calls", "contacts", "mean us", "slowest", "speedup");
  for (const LabRow& row : table.rows)
    fmt::print("{:>6} {:<13} {:<12} {:<8} {:>7} {:>7} {:>9} {:>10} {:>10} {:>8}\n", row.cells[0],
               row.cells[1], row.cells[2], row.cells[3], row.cells[4], row.cells[5], row.cells[6],
               row.cells[8], row.cells[9], row.cells[10]);
}

}  // namespace

void finishX7(LabResult& result) {
  LabTable& table = result.table("x7");
  const std::size_t speedup = table.column("speedup");
  // The grid with BSP trees comes first of every number of ships
  double reference = 0.0;
  for (LabRow& row : table.rows) {
    const double mean = table.number(row, "mean_us");
    if (table.text(row, "broad") == grid && table.text(row, "narrow") == bsp) reference = mean;
    row.cells[speedup] = numberCell(reference / mean, 4);
  }
}

int runX7(const X7Command& asked) {
  X7Command command = asked;
  if (command.quick) {
    std::erase_if(command.ships, [](int ships) { return ships > mostShipsWhenQuick; });
    command.steps = std::min(command.steps, stepsWhenQuick);
    command.rounds = 1;
  }
  LabResult result = newResult("x7", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"ships", fmt::format("{}", fmt::join(command.ships, " "))},
                                {"steps", fmt::format("{}", command.steps)},
                                {"rounds", fmt::format("{}", command.rounds)}});
  result.items = command.ships.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {x7Table()};
  Experiment experiment(command, result);
  const auto done = experiment.run();
  if (!done) return complain(done.error(), BadModelOrScene);
  finishX7(result);
  print(result.tables[0]);
  return keepResult(command, result, experiment.differ() ? ValidationFailed : Ok);
}

}  // namespace nearmiss::app
