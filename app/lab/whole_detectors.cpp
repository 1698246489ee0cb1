// SPDX-License-Identifier: MIT
/// `nearmiss lab x7`: complete detectors on the same recorded states: Turk's grid or space-time
/// bounds, with BSP trees or sphere trees, as published and as we ship them [H93, H96].
#include <engine/flight/recorded_flight.h>
#include <engine/scene/as_published.h>
#include <engine/scene/scene.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/order_statistics.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/result.h"
#include "running/scene_shapes.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::string_view turkGrid = "uniform-grid";
constexpr int wholeQuickShips = 10, wholeQuickSteps = 60;
/// Maximum states per second with --quick.
constexpr double wholeQuickRate = 20.0;
/// The maximum level of the papers' detector [H96 §11.3].
constexpr int lastOfSpheres = 4;

struct WholeDetectorsCommand : ExperimentCommand {
  std::vector<int> ships{10, 30, 100};            ///< per flight
  std::vector<double> rates{20.0, 60.0, 240.0};   ///< states per second
  std::vector<double> densities{0.01, 0.3, 8.0};  ///< of ships, relative to the default scene
  int steps = 400;                                ///< number of recorded states
  int rounds = 5;                                 ///< timed repetitions; the median is used
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, WholeDetectorsCommand& command) {
  options.number("--ships", command.ships, 2, 10'000, "ships in a flight");
  options.number("--rate", command.rates, 1.0, 10'000.0,
                 "states per simulation second: the higher, the less moves between two");
  options.number("--density", command.densities, 1e-6, 100.0,
                 "ships per volume, relative to the default scene: the lower, the longer nothing "
                 "can touch");
  options.steps(command.steps, "recorded states, --rate a second");
  options.rounds(command.rounds);
  options.seed(command.seed, "seed of the flight");
}

enum class Trees : std::uint8_t {
  Published,  ///< medial spheres, levels that cover as a whole, no boxes, no inner spheres
  Own         ///< the default of the program
};

struct Method {
  Trees trees;
  std::string_view broad, narrow;
  int levelCap = Detector::noLevelCap;

  [[nodiscard]] bool exact() const noexcept { return levelCap == Detector::noLevelCap; }
};
constexpr std::array<Method, 11> methods{{
    {Trees::Published, turkGrid, "bsp-all"},
    {Trees::Published, "space-time", "bsp-all"},
    {Trees::Published, turkGrid, "sphere-tree-all", lastOfSpheres},
    {Trees::Published, "space-time", "sphere-tree-all", lastOfSpheres},
    {Trees::Own, turkGrid, "bsp"},
    {Trees::Own, "space-time-queue", "bsp"},
    {Trees::Own, turkGrid, "sphere-tree"},
    {Trees::Own, "space-time-queue", "sphere-tree"},
    {Trees::Own, turkGrid, "sphere-tree", lastOfSpheres},
    {Trees::Own, "space-time-queue", "sphere-tree", lastOfSpheres},
    {Trees::Own, "space-time-grid", "sphere-tree", lastOfSpheres},
}};

/// Results of one method over all states.
struct PlayedStates {
  int ships = 0;
  double rate = 0.0;     ///< states per second
  double density = 0.0;  ///< relative to the default scene
  Method method{};
  std::size_t states = 0, calls = 0, contacts = 0, possible = 0;
  double meanUs = 0.0, slowestUs = 0.0;  ///< per state
};

/// A value of the paper for the comparison with BSP trees.
auto published(const char* number) {
  return [=](const PlayedStates& row) {
    return row.method.trees == Trees::Published && !row.method.exact() ? Cell(number) : Cell();
  };
}

const TableOf<PlayedStates>& wholeDetectorsTable() {
  using Row = PlayedStates;
  static const TableOf<Row> table{
      .name = "x7",
      .title = "whole detectors on the same recorded states",
      .columns =
          {{"ships", "", "lamps", &Row::ships, onTerminal},
           {"density", "", "ships per volume, relative to the default scene",
            significant(&Row::density, 4), onTerminal},
           {"rate", "1/s", "states per simulation second", significant(&Row::rate, 4), onTerminal},
           {"set_up", "", "published: as in the papers, or own: as we ship it",
            [](const Row& row) {
              return Cell(row.method.trees == Trees::Published ? "published" : "own");
            },
            onTerminal},
           {"broad", "",
            "uniform-grid (Turk's), space-time (Hubbard's driver), or space-time-queue and "
            "space-time-grid (ours)",
            [](const Row& row) { return Cell(row.method.broad); }, onTerminal},
           {"narrow", "", "as in nearmiss list",
            [](const Row& row) { return Cell(row.method.narrow); }, onTerminal},
           {"until", "", "exact, or level 4: spheres only",
            [](const Row& row) { return Cell(row.method.exact() ? "exact" : "level 4"); },
            onTerminal},
           {"states", "", "recorded", &Row::states, onTerminal},
           {"calls", "", "states at which the detector was called", &Row::calls, onTerminal},
           {"contacts", "", "over all states", &Row::contacts, onTerminal},
           {"possible", "", "over all states, spheres that collide at level 4", &Row::possible},
           {"mean_us", "us", "wall time of a state, the median of the rounds",
            fixed(&Row::meanUs, 3), onTerminal},
           {"slowest_us", "us", "the slowest state, the median of the rounds",
            fixed(&Row::slowestUs, 3), onTerminal},
           {"speedup", "", "mean_us of the grid with BSP trees of the same set-up to this one",
            [](const Row&) { return Cell(); }, onTerminal},
           {"paper_least", "", "as published: 10 to 100 times better than BSP trees",
            published("10")},
           {"paper_most", "", "the same", published("100")}},
      .figures = {{.title = "Whole detectors",
                   .says = "Speed-up over Turk's grid with BSP trees",
                   .kind = "lines",
                   .x = "rate",
                   .y = {"speedup"},
                   .by = {"set_up", "ships", "density", "broad", "narrow", "until"},
                   .log = "xy",
                   .xLabel = "states per second",
                   .yLabel = "speed-up"}}};
  return table;
}

/// Processes the states in order. Does not call the detector while it guarantees that nothing can
/// touch [H93, "Detecting collisions"].
PlayedStates play(const engine::RecordedFlight& flight, Detector& detector) {
  PlayedStates played;
  Real quietUntil = -std::numeric_limits<Real>::infinity();
  double sum = 0.0;
  for (std::size_t step = 0; step < flight.steps.size(); ++step) {
    const auto began = std::chrono::steady_clock::now();
    if (!(flight.times[step] < quietUntil)) {
      const Detection& found =
          detector.detect(flight.steps[step], flight.times[step], TimeBudget::unlimited());
      // Near pairs may touch at any time
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

class WholeDetectors {
 public:
  WholeDetectors(const WholeDetectorsCommand& command, ExperimentResult& result)
      : command_(command), result_(result) {}

  /// A work item is a number of ships at one density and rate.
  Result<Success> run() {
    Options published;
    engine::setAsPublished(published.scene, true);
    for (const Options& options : {published, Options{}}) {
      const auto shapes = loadSceneShapes(options, true);
      if (!shapes) return shapes.error();
      shapes_.push_back(*shapes);
    }
    std::size_t item = 0;
    for (const double density : command_.densities)
      for (const int ships : command_.ships)
        for (const double rate : command_.rates) {
          if (command_.shard.has(item) && !interrupted())
            withProgressLine(
                fmt::format("detecting {} ships, density {:g}, {:g} times a second", ships, density,
                            rate),
                [&](WorkProgress& progress) { compare(item, ships, density, rate, progress); });
          ++item;
        }
    return Success{};
  }

  [[nodiscard]] bool differ() const noexcept { return differ_; }

 private:
  void compare(std::size_t item, int ships, double density, double rate, WorkProgress& progress) {
    // The bounding sphere of a ship does not depend on its trees
    const std::array<ShapeRef, 1> refs{shapesFor(Trees::Own).ref(0)};
    const engine::RecordedFlight flight =
        engine::recordFlight(refs, {.ships = ships,
                                    .crowding = density,
                                    .steps = static_cast<std::size_t>(command_.steps),
                                    .step = 1.0 / rate,
                                    .positionSeed = command_.seed,
                                    .pilotSeed = command_.seed});
    std::optional<std::size_t> contacts;
    for (std::size_t i = 0; i < methods.size() && !progress.cancelled; ++i) {
      PlayedStates played = measure(methods[i], flight, rate);
      progress.fraction = static_cast<float>(i + 1) / static_cast<float>(methods.size());
      const bool exact = methods[i].exact();
      if (exact && played.contacts != contacts.value_or(played.contacts)) differ_ = true;
      if (exact) contacts = played.contacts;
      played.ships = ships;
      played.rate = rate;
      played.density = density;
      played.method = methods[i];
      played.states = flight.steps.size();
      wholeDetectorsTable().add(result_.tables[0], item, played);
    }
  }

  [[nodiscard]] const Shapes& shapesFor(Trees trees) const {
    return shapes_[static_cast<std::size_t>(trees)]->collision();
  }

  [[nodiscard]] PlayedStates measure(const Method& method, const engine::RecordedFlight& flight,
                                     double rate) const {
    const Shapes& shapes = shapesFor(method.trees);
    std::vector<double> means, slowest;
    PlayedStates played;
    for (int round = 0; round < command_.rounds; ++round) {
      // Start without state, as at the start of a flight
      Detector detector(makeBroadPhase(*findBroadPhase(method.broad), shapes),
                        *makeNarrowPhase(*findNarrowPhase(method.narrow), shapes));
      detector.setLevelCap(method.levelCap);
      detector.setResolution(1.0 / rate);
      played = play(flight, detector);
      means.push_back(played.meanUs);
      slowest.push_back(played.slowestUs);
    }
    played.meanUs = median(means);
    played.slowestUs = median(slowest);
    return played;
  }

  const WholeDetectorsCommand& command_;
  ExperimentResult& result_;
  std::vector<std::shared_ptr<const engine::ShapeSet>> shapes_;  ///< by Trees
  bool differ_ = false;
};

/// Fills in the comparison with grid and BSP trees.
void finishWholeDetectors(ExperimentResult& result) {
  Table& table = result.table("x7");
  const std::size_t speedup = table.column("speedup");
  // The grid with BSP trees is the first row of each set-up
  double reference = 0.0;
  for (TableRow& row : table.rows) {
    const double mean = table.number(row, "mean_us");
    if (table.text(row, "broad") == turkGrid && table.text(row, "narrow").starts_with("bsp"))
      reference = mean;
    row.cells[speedup] = significant(reference / mean, 4).text;
  }
}

int runWholeDetectors(const WholeDetectorsCommand& requested) {
  WholeDetectorsCommand command = requested;
  if (command.quick) {
    std::erase_if(command.ships, [](int ships) { return ships > wholeQuickShips; });
    std::erase_if(command.rates, [](double rate) { return rate > wholeQuickRate; });
    if (command.densities.size() > 1) command.densities = {command.densities.back()};
    command.steps = std::min(command.steps, wholeQuickSteps);
    command.rounds = 1;
  }
  ExperimentResult result = newResult("x7", command,
                                      {{"seed", settingText(command.seed)},
                                       {"ships", settingText(command.ships)},
                                       {"rates", settingText(command.rates)},
                                       {"densities", settingText(command.densities)},
                                       {"steps", settingText(command.steps)},
                                       {"rounds", settingText(command.rounds)}});
  result.items = command.ships.size() * command.rates.size() * command.densities.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {wholeDetectorsTable().empty()};
  WholeDetectors experiment(command, result);
  if (const int outcome = outcomeOf(experiment.run(), BadModelOrScene); outcome != Ok)
    return outcome;
  finishWholeDetectors(result);
  print(result.tables[0]);
  return writeResult(command, result, experiment.differ() ? ValidationFailed : Ok);
}

const ExperimentEntry wholeDetectorsEntry(makeExperiment<WholeDetectorsCommand>(
    "x7", "grid or space-time bounds, BSP trees or sphere trees, on the same recorded states",
    "10 ships, the highest density, 60 states at 20 a second, one round", addOptions,
    runWholeDetectors, finishWholeDetectors));

}  // namespace
}  // namespace nearmiss::app::lab
