// SPDX-License-Identifier: MIT
#include "lab/budget.h"

#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "frame_loop.h"
#include "lab/results.h"
#include "scene_shapes.h"

namespace nearmiss::app {
namespace {

constexpr std::uint64_t framesWhenQuick = 60;
constexpr int mostShipsWhenQuick = 100;

/// Threads that take cores until they are gone.
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

/// One flight: a work item.
struct Item {
  int ships = 0;
  double allowanceUs = 0.0;
  int busy = 0;
};

std::vector<Item> itemsOf(const BudgetCommand& command) {
  std::vector<Item> items;
  for (const int ships : command.ships)
    for (const double allowance : command.allowancesUs)
      for (const int busy : command.busyThreads) items.push_back({ships, allowance, busy});
  return items;
}

LabTable budgetTable() {
  LabTable table{"budget", "how far detection goes beyond its allowance", {}, {}, {}, {}};
  table.columns = {{"ships", "besides the user's"},
                   {"allowance_us", "what detection may have of a frame"},
                   {"busy_threads", "of the program's own, beside the flight"},
                   {"frames", "of the flight"},
                   {"frames_short", "of these, those in which detection was short of time"},
                   {"overrun_p50_us", "in these, wall time beyond the allowance"},
                   {"overrun_p99_us", "the same"},
                   {"overrun_max_us", "the same"},
                   {"undisturbed", "frames short of time in which no other process took the core"},
                   {"undisturbed_p99_us", "overrun in these"},
                   {"undisturbed_max_us", "the same"}};
  table.figures = {{"Overrun by allowance",
                    "Medians and tails, a curve a number of ships",
                    "lines",
                    "allowance_us",
                    {"overrun_p50_us", "overrun_p99_us", "overrun_max_us"},
                    {"ships"},
                    "xy",
                    "allowance, us",
                    "overrun, us",
                    {{"busy_threads", "0"}}},
                   {"Overrun by load",
                    "The 99th percentile, a curve an allowance",
                    "lines",
                    "busy_threads",
                    {"overrun_p99_us"},
                    {"ships", "allowance_us"},
                    "y",
                    "busy threads",
                    "overrun, us",
                    {}}};
  return table;
}

Options optionsOf(const BudgetCommand& command, const Item& item) {
  Options options;
  options.frames = command.frames;
  options.scene.seed = command.seed;
  options.scene.drones.front().count = item.ships;
  options.scene.budget.kind = engine::BudgetRule::Kind::Fixed;
  options.scene.budget.fixed = std::chrono::nanoseconds(std::llround(item.allowanceUs * 1e3));
  return options;
}

Result<Success> fly(const BudgetCommand& command, std::size_t number, const Item& item,
                    LabResult& result) {
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
              static_cast<float>(summary.frames()) / static_cast<float>(command.frames);
        });
      });
  if (summary.frames() == 0) return experimentCancelled();
  const engine::SeriesSummary all = summary.overrunUs(), own = summary.undisturbedOverrunUs();
  const auto some = [](const engine::SeriesSummary& of, double value) {
    return of.n > 0 ? numberCell(value, 4) : std::string();
  };
  result.tables[0].add(
      number,
      fmt::format("{},{:g},{},{},{},{},{},{},{},{},{}", item.ships, item.allowanceUs, item.busy,
                  summary.frames(), all.n, some(all, all.p50), some(all, all.p99),
                  some(all, all.max), own.n, some(own, own.p99), some(own, own.max)));
  return Success{};
}

void print(const LabTable& table) {
  fmt::print("overrun, us\n{:>6} {:>9} {:>5} {:>7} {:>7} {:>9} {:>9} {:>9}\n", "ships", "allowed",
             "busy", "frames", "short", "p50", "p99", "max");
  for (const LabRow& row : table.rows)
    fmt::print("{:>6} {:>9} {:>5} {:>7} {:>7} {:>9} {:>9} {:>9}\n", row.cells[0], row.cells[1],
               row.cells[2], row.cells[3], row.cells[4], row.cells[5], row.cells[6], row.cells[7]);
}

}  // namespace

int runBudget(const BudgetCommand& asked) {
  BudgetCommand command = asked;
  if (command.quick) {
    command.frames = std::min(command.frames, framesWhenQuick);
    std::erase_if(command.ships, [](int ships) { return ships > mostShipsWhenQuick; });
  }
  const std::vector<Item> items = itemsOf(command);
  LabResult result =
      newResult("budget", command,
                {{"seed", fmt::format("{}", command.seed)},
                 {"frames", fmt::format("{}", command.frames)},
                 {"ships", fmt::format("{}", fmt::join(command.ships, " "))},
                 {"allowances_us", fmt::format("{}", fmt::join(command.allowancesUs, " "))},
                 {"busy_threads", fmt::format("{}", fmt::join(command.busyThreads, " "))}});
  result.items = items.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {budgetTable()};
  for (std::size_t item = 0; item < items.size() && !interrupted(); ++item) {
    if (!command.shard.has(item)) continue;
    const auto flown = fly(command, item, items[item], result);
    if (!flown) return complain(flown.error(), BadModelOrScene);
  }
  print(result.tables[0]);
  return keepResult(command, result, Ok);
}

}  // namespace nearmiss::app
