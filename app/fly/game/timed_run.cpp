// SPDX-License-Identifier: MIT
#include "fly/game/timed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "console/gap_text.h"
#include "console/run_text.h"

namespace nearmiss::app {
namespace {

/// The rounding of many steps, simulation seconds.
constexpr Real forgiven = 1e-6;

std::string wordsOf(const engine::NearMiss& miss) {
  return fmt::format("near miss: {}", gapText(miss.distance));
}

std::string wordsOf(const engine::Hit& hit, int levelCap) {
  if (!hit.falseHit()) return "hit";
  const std::string depth =
      hit.stage == Stage::Bounds ? "the bounding spheres" : fmt::format("level {}", hit.level);
  const std::string_view cause = !hit.mayGoOn            ? "the method"
                                 : hit.level >= levelCap ? "the level cap"
                                                         : "the budget";
  return fmt::format("false hit: {} ended at {}, the gap was {}", cause, depth, gapText(hit.gap));
}

}  // namespace

void TimedRun::begin() {
  watchAnew();
  score_ = {};
  running_ = true;
  flown_ = 0.0;
  leastBudget_ = Clock::Duration::max();
  greatestBudget_ = {};
  events_.clear();
  lastEvent_.clear();
}

bool TimedRun::take(const Flight& flight, Clock::Duration budget, int levelCap) {
  const engine::FrameOutput& output = flight.output();
  const std::size_t user = flight.simulation().userIndex();
  const Shapes& shapes = flight.shapes().collision();
  events_.clear();
  nearMisses_.take(output, user, shapes);
  hits_.take(output, user, shapes);
  for (const engine::NearMiss& miss : nearMisses_.ended())
    tell(wordsOf(miss), running_ ? score_.take(miss, flight.shipRadius()) : 0);
  for (const engine::Hit& hit : hits_.now())
    if (running_ || hit.falseHit()) tell(wordsOf(hit, levelCap), running_ ? score_.take(hit) : 0);
  if (!running_) return false;

  leastBudget_ = std::min(leastBudget_, budget);
  greatestBudget_ = std::max(greatestBudget_, budget);
  flown_ = flight.world().time();
  running_ = flown_ < length - forgiven;
  return !running_;
}

void TimedRun::tell(std::string what, std::int64_t points) {
  if (running_) {
    what += fmt::format(": {:+}", points);
    lastEvent_ = what;
  }
  events_.push_back(std::move(what));
}

RunView TimedRun::view() const noexcept {
  return {std::max(length - flown_, 0.0), score_.points(), score_.streak(), score_.times(),
          lastEvent_};
}

engine::BestRun TimedRun::result(const engine::Scene& scene) const {
  engine::BestRun run;
  run.points = score_.points();
  run.scene = scene.name;
  run.seed = scene.seed;
  run.leastBudget = leastBudget_;
  run.greatestBudget = greatestBudget_;
  run.nearMisses = score_.nearMisses().count;
  run.hits = score_.hits().count;
  run.falseHits = score_.falseHits().count;
  run.longestStreak = score_.longestStreak();
  return run;
}

std::vector<PageGroup> runPage(const engine::Score& score, const engine::BestRun& run,
                               const engine::BestRuns& best, std::optional<std::size_t> rank) {
  const auto line = [](const engine::ScoreLine& of) {
    return fmt::format("{:+} for {}", of.points, of.count);
  };
  PageGroup earned{"What earned it",
                   {{"near misses", line(score.nearMisses())},
                    {"hits", line(score.hits())},
                    {"false hits", line(score.falseHits())},
                    {"longest streak", fmt::format("{}", score.longestStreak())},
                    {"least budget", budgetText(run.leastBudget)},
                    {"greatest budget", budgetText(run.greatestBudget)}}};
  PageGroup table{"Best runs", {}};
  for (std::size_t i = 0; i < best.runs.size(); ++i)
    table.rows.push_back({fmt::format("{}. {} points", i + 1, best.runs[i].points),
                          runText(best.runs[i]) + (i == rank ? ", this run" : "")});
  return {std::move(earned), std::move(table)};
}

}  // namespace nearmiss::app
