// SPDX-License-Identifier: MIT
/// `nearmiss lab budget`: overrun of detection by budget, number of ships and load of the machine.
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/result.h"
#include "running/frame_loop.h"
#include "running/scene_shapes.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::uint64_t budgetQuickFrames = 60;
constexpr int budgetQuickShips = 100;

struct BudgetCommand : ExperimentCommand {
  std::vector<int> ships{10, 100, 1000};
  std::vector<double> allowancesUs{20.0, 100.0, 500.0};
  std::vector<int> busyThreads{0, 1, 2};  ///< number of threads that only use CPU time
  std::uint64_t frames = 1500;            ///< per flight
  std::uint64_t seed = 42;
};

void addOptions(OptionList& options, BudgetCommand& command) {
  options.number("--ships", command.ships, 1, 100'000, "ships besides the user's");
  options.number("--allowance", command.allowancesUs, 0.1, 1e6,
                 "time budget of detection per frame, microseconds");
  options.number("--busy", command.busyThreads, 0, 256,
                 "number of threads that compete with the flight for cores");
  options.number("--frames", command.frames, 1, 10'000'000, "frames of each flight");
  options.seed(command.seed, "seed of the flights");
}

/// One flight, which is a work item, and its results.
struct BudgetRow {
  int ships = 0;
  double allowanceUs = 0.0;
  int busy = 0;
  std::uint64_t frames = 0;
  engine::SeriesSummary overrun = {};      ///< of exhausted frames, microseconds
  engine::SeriesSummary undisturbed = {};  ///< of these, frames without preemption
};

/// Four digits of a statistic; missing for an empty series.
auto ofSeries(engine::SeriesSummary BudgetRow::*series, double engine::SeriesSummary::*figure) {
  return [=](const BudgetRow& row) {
    return (row.*series).n > 0 ? significant((row.*series).*figure, 4) : Cell();
  };
}

const TableOf<BudgetRow>& budgetTable() {
  using Row = BudgetRow;
  using Series = engine::SeriesSummary;
  static const TableOf<Row> table{
      .name = "budget",
      .title = "how far detection goes beyond its allowance",
      .columns =
          {{"ships", "", "besides the user's", &Row::ships, onTerminal},
           {"allowance_us", "us", "what detection may have of a frame",
            significant(&Row::allowanceUs, 6), onTerminal},
           {"busy_threads", "", "of the program's own, beside the flight", &Row::busy, onTerminal},
           {"frames", "", "of the flight", &Row::frames, onTerminal},
           {"frames_short", "", "of these, those in which detection was short of time",
            [](const Row& row) { return Cell(row.overrun.n); }, onTerminal},
           {"overrun_p50_us", "us", "in these, wall time beyond the allowance",
            ofSeries(&Row::overrun, &Series::p50), onTerminal},
           {"overrun_p99_us", "us", "the same", ofSeries(&Row::overrun, &Series::p99), onTerminal},
           {"overrun_max_us", "us", "the same", ofSeries(&Row::overrun, &Series::max), onTerminal},
           {"undisturbed", "", "frames short of time in which no other process took the core",
            [](const Row& row) { return Cell(row.undisturbed.n); }},
           {"undisturbed_p99_us", "us", "overrun in these",
            ofSeries(&Row::undisturbed, &Series::p99)},
           {"undisturbed_max_us", "us", "the same", ofSeries(&Row::undisturbed, &Series::max)}},
      .figures = {{.title = "Overrun by allowance",
                   .says = "Medians and tails, a curve per number of ships",
                   .kind = "lines",
                   .x = "allowance_us",
                   .y = {"overrun_p50_us", "overrun_p99_us", "overrun_max_us"},
                   .by = {"ships"},
                   .log = "xy",
                   .xLabel = "allowance, us",
                   .yLabel = "overrun, us",
                   .where = {{"busy_threads", "0"}}},
                  {.title = "Overrun by load",
                   .says = "The 99th percentile, a curve per allowance",
                   .kind = "lines",
                   .x = "busy_threads",
                   .y = {"overrun_p99_us"},
                   .by = {"ships", "allowance_us"},
                   .log = "y",
                   .xLabel = "busy threads",
                   .yLabel = "overrun, us"}}};
  return table;
}

/// Threads that use CPU time until destruction.
class Load {
 public:
  explicit Load(int threads) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this](const std::stop_token& stop) {
        while (!stop.stop_requested()) ++turns_;
      });
  }

 private:
  std::atomic<std::uint64_t> turns_{0};
  std::vector<std::jthread> threads_;
};

std::vector<BudgetRow> flightsOf(const BudgetCommand& command) {
  std::vector<BudgetRow> flights;
  for (const int ships : command.ships)
    for (const double allowance : command.allowancesUs)
      for (const int busy : command.busyThreads)
        flights.push_back({.ships = ships, .allowanceUs = allowance, .busy = busy});
  return flights;
}

Options optionsOf(const BudgetCommand& command, const BudgetRow& item) {
  Options options;
  options.frames = command.frames;
  options.scene.seed = command.seed;
  options.scene.drones.front().count = item.ships;
  options.scene.budget.kind = engine::BudgetRule::Kind::Fixed;
  options.scene.budget.fixed = std::chrono::nanoseconds(std::llround(item.allowanceUs * 1e3));
  return options;
}

/// Flies and fills in the results.
Result<Success> fly(const BudgetCommand& command, BudgetRow& item) {
  const Options options = optionsOf(command, item);
  const auto shapes = loadSceneShapes(options, false);
  if (!shapes) return shapes.error();
  SteadyClock clock;
  const auto simulation = engine::makeSimulation(options.scene, **shapes, clock);
  if (!simulation) return simulation.error();
  engine::RunSummary summary;
  withProgressLine(
      fmt::format("{} ships, {:g} us, {} busy threads", item.ships, item.allowanceUs, item.busy),
      [&](WorkProgress& progress) {
        const Load load(item.busy);
        FrameLoop(options, **simulation).run([&](const engine::FrameProfile& frame) {
          summary.add(frame);
          progress.fraction =
              static_cast<float>(summary.frames().all) / static_cast<float>(command.frames);
        });
      });
  if (summary.frames().all == 0) return experimentCancelled();
  item.frames = summary.frames().all;
  item.overrun = summary.overrunUs();
  item.undisturbed = summary.undisturbedOverrunUs();
  return Success{};
}

int runBudget(const BudgetCommand& requested) {
  BudgetCommand command = requested;
  if (command.quick) {
    command.frames = std::min(command.frames, budgetQuickFrames);
    std::erase_if(command.ships, [](int ships) { return ships > budgetQuickShips; });
  }
  std::vector<BudgetRow> flights = flightsOf(command);
  ExperimentResult result = newResult("budget", command,
                                      {{"seed", settingText(command.seed)},
                                       {"frames", settingText(command.frames)},
                                       {"ships", settingText(command.ships)},
                                       {"allowances_us", settingText(command.allowancesUs)},
                                       {"busy_threads", settingText(command.busyThreads)}});
  result.items = flights.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {budgetTable().empty()};
  Result<Success> done = Success{};
  for (std::size_t item = 0; item < flights.size() && done && !interrupted(); ++item) {
    if (!command.shard.has(item)) continue;
    done = fly(command, flights[item]);
    if (done) budgetTable().add(result.tables[0], item, flights[item]);
  }
  const int outcome = outcomeOf(done, BadModelOrScene);
  print(result.tables[0]);
  return writeResult(command, result, outcome);
}

const ExperimentEntry budgetEntry(makeExperiment<BudgetCommand>(
    "budget", "overrun of detection beyond its budget, by number of ships and load of the machine",
    "at most 100 ships and 60 frames of each flight", addOptions, runBudget));

}  // namespace
}  // namespace nearmiss::app::lab
