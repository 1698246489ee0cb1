// SPDX-License-Identifier: MIT
/// `nearmiss lab projection`: earliest intersection of random bounds by projection and by
/// subdivision [H93, "Intersecting space-time bounds"; Y04, "Projection vs. Subdivision"].
#include <nearmiss/rivals/meeting_search.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/order_statistics.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/projection_summary.h"
#include "lab/random_cubes.h"
#include "lab/result.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::array bodyCounts{10, 20, 50, 100, 200, 500, 1000};
constexpr int projectionQuickBodies = 200;
/// Seconds; the second is the detection step of the default scene.
constexpr std::array<Real, 5> resolutions{0.2, 0.05, 0.02, 0.005, 0.001};

/// Tolerated rounding of the projection's result [s]: earlier and later than exact.
constexpr Real earlyRounding = 1e-6, lateRounding = 1e-12;

struct ProjectionCommand : ExperimentCommand {
  int sets = 200;  ///< random sets per number of bodies, with and without planes
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, ProjectionCommand& command) {
  options.number("--sets", command.sets, 1, 1'000'000, "random sets for each number of bodies");
  options.seed(command.seed, "seed of the sets");
}

const TableOf<ProjectionSample>& projectionTable() {
  using Row = ProjectionSample;
  static const TableOf<Row> table{
      .name = "projection",
      .title =
          "earliest intersection of random bounds, searched in two published ways and two of ours",
      .columns =
          {{"bodies", "", "in the set", &Row::bodies},
           {"set", "", "its number", &Row::set},
           {"planes", "", "1: two bodies in three have a cutting plane", &Row::planes},
           {"span_s", "s", "how long the bounds hold, of simulation", significant(&Row::span, 6)},
           {"resolution_s", "s", "of the subdivision", significant(&Row::step, 6)},
           {"t_oracle_s", "s", "first meeting by the closed form over all pairs",
            significant(&Row::oracle, 12)},
           {"t_projection_s", "s", "by the published projection",
            significant(&Row::projection, 12)},
           {"t_subdivision_s", "s", "by the published subdivision",
            significant(&Row::subdivision, 12)},
           {"projection_us", "us",
            "wall time of the published projection, by a queue of crossings, median",
            fixed(&Row::projectionUs, 3)},
           {"sliced_projection_us", "us", "the same of ours, by slices of time",
            fixed(&Row::slicedUs, 3)},
           {"subdivision_us", "us", "of the published subdivision, every pair in every interval",
            fixed(&Row::subdivisionUs, 3)},
           {"listed_subdivision_us", "us", "of ours, with pair lists", fixed(&Row::listedUs, 3)},
           {"crossings", "", "of the published projection until the first meeting",
            &Row::crossings},
           {"crossings_percent", "%", "of three times C(2N over 2)",
            significant(&Row::crossingsPercent, 6)},
           {"intervals", "", "of the published subdivision", &Row::intervals},
           {"pair_tests", "", "of the published subdivision", &Row::pairTests},
           {"listed_pair_tests", "", "of ours, with pair lists", &Row::listedPairTests},
           {"false_positive", "",
            "1: the published subdivision found a meeting that no bounds have within the "
            "interval",
            &Row::falsePositive}},
      .figures = {{.title = "Time of the searches",
                   .says = "Projection beside subdivision, a point per set",
                   .kind = "points",
                   .x = "bodies",
                   .y = {"projection_us", "sliced_projection_us", "subdivision_us",
                         "listed_subdivision_us"},
                   .log = "xy",
                   .xLabel = "bodies",
                   .yLabel = "microseconds",
                   .where = {{"resolution_s", "0.05"}}}}};
  return table;
}

/// A search method, its result and time.
struct SearchContender {
  std::unique_ptr<MeetingSearch> search;
  std::optional<Real> found;
  MeetingCounts counts;
  int repeats = 1;  ///< searches per measurement, because of the clock's resolution
  std::vector<double> micros;

  void run(const BoundSet& set) {
    search->start(set.bounds, 0.0, set.until);
    const auto meeting = search->next();
    found = meeting ? std::optional(meeting->time) : std::nullopt;
  }
  double measure(const BoundSet& set) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) run(set);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
    return took.count() / repeats;
  }
};

class ProjectionExperiment {
 public:
  explicit ProjectionExperiment(const ProjectionCommand& command)
      : command_(command), sets_(command.quick ? std::max(1, command.sets / 10) : command.sets) {
    projection_.search = makeProjectionSearch(Crossings::Queued);
    sliced_.search = makeProjectionSearch(Crossings::Sliced);
    for (std::size_t i = 0; i < resolutions.size(); ++i) {
      subdivisions_[i].search = *makeSubdivisionSearch(resolutions[i], PairLists::None);
      listed_[i].search = *makeSubdivisionSearch(resolutions[i], PairLists::Kept);
    }
  }

  /// Alternates the numbers of bodies, so that an interrupted run has all of them.
  void run(WorkProgress& progress) {
    std::vector<int> counts;
    for (const int count : bodyCounts)
      if (!command_.quick || count <= projectionQuickBodies) counts.push_back(count);
    for (int set = 0; set < sets_; ++set) {
      if (!command_.shard.has(static_cast<std::size_t>(set))) continue;
      // A separate seed per set, so that shards draw the same sets
      SplitMix random(command_.seed * 1000003u + static_cast<std::uint64_t>(set));
      for (const int count : counts)
        for (const bool planes : {false, true}) {
          if (progress.cancelled) return;
          compare(random, count, set, planes);
        }
      progress.fraction = static_cast<float>(set + 1) / static_cast<float>(sets_);
    }
  }

  [[nodiscard]] const std::vector<ProjectionSample>& samples() const noexcept { return samples_; }
  [[nodiscard]] int sets() const noexcept { return sets_; }
  [[nodiscard]] std::size_t disagreements() const noexcept { return disagreements_; }
  [[nodiscard]] std::size_t late() const noexcept { return late_; }

 private:
  void compare(SplitMix& random, int count, int number, bool planes) {
    const BoundSet set = drawBoundSet(random, count, planes);
    const auto oracle = firstMeetingOfAll(set);
    const auto forEach = [this](const auto& act) {
      act(projection_);
      act(sliced_);
      for (std::size_t i = 0; i < resolutions.size(); ++i) {
        act(subdivisions_[i]);
        act(listed_[i]);
      }
    };
    forEach([&set](SearchContender& contender) {
      // The first search warms up and determines the number of repetitions
      contender.run(set);
      contender.counts = contender.search->counts();
      contender.repeats = 1;
      const double once = contender.measure(set);
      contender.repeats = std::clamp(static_cast<int>(20.0 / once), 1, 100);
      contender.micros.clear();
    });
    constexpr int rounds = 5;
    for (int round = 0; round < rounds; ++round)
      forEach([&set](SearchContender& contender) {
        contender.micros.push_back(contender.measure(set));
      });

    const auto differs = [&oracle](const std::optional<Real>& found) {
      if (found.has_value() != oracle.has_value()) return true;
      return oracle && (*found > *oracle + lateRounding || *found < *oracle - earlyRounding);
    };
    disagreements_ += differs(projection_.found) || differs(sliced_.found);
    const double worst = 3.0 * count * (2.0 * count - 1.0);
    for (std::size_t i = 0; i < resolutions.size(); ++i) {
      SearchContender& subdivision = subdivisions_[i];
      const auto isLate = [&](const std::optional<Real>& found) {
        return oracle && (!found || *found > *oracle + lateRounding);
      };
      late_ += isLate(subdivision.found) || isLate(listed_[i].found);
      ProjectionSample& sample = samples_.emplace_back();
      sample.bodies = count;
      sample.set = number;
      sample.planes = planes;
      sample.span = set.until;
      sample.step = resolutions[i];
      sample.oracle = oracle;
      sample.projection = projection_.found;
      sample.subdivision = subdivision.found;
      sample.projectionUs = median(projection_.micros);
      sample.slicedUs = median(sliced_.micros);
      sample.subdivisionUs = median(subdivision.micros);
      sample.listedUs = median(listed_[i].micros);
      sample.crossings = projection_.counts.crossings;
      sample.crossingsPercent = 100.0 * static_cast<double>(projection_.counts.crossings) / worst;
      sample.intervals = subdivision.counts.crossings;
      sample.pairTests = subdivision.counts.pairTests;
      sample.listedPairTests = listed_[i].counts.pairTests;
      sample.falsePositive =
          subdivision.found && (!oracle || *oracle - *subdivision.found > resolutions[i]);
    }
  }

  const ProjectionCommand& command_;
  int sets_;
  SearchContender projection_;                                    ///< published
  SearchContender sliced_;                                        ///< ours
  std::array<SearchContender, resolutions.size()> subdivisions_;  ///< published
  std::array<SearchContender, resolutions.size()> listed_;        ///< ours
  std::vector<ProjectionSample> samples_;
  std::size_t disagreements_ = 0, late_ = 0;
};

int runProjection(const ProjectionCommand& command) {
  ProjectionExperiment experiment(command);
  ExperimentResult result =
      newResult("projection", command,
                {{"seed", settingText(command.seed)}, {"sets", settingText(experiment.sets())}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.items = static_cast<std::size_t>(experiment.sets());
  withProgressLine("comparing projection and subdivision",
                   [&](WorkProgress& progress) { experiment.run(progress); });
  const auto& samples = experiment.samples();
  result.tables = {projectionTable().empty()};
  for (const ProjectionSample& sample : samples)
    projectionTable().add(result.tables[0], static_cast<std::size_t>(sample.set), sample);

  const Table summaries = summarise(samples);
  print(summaries);
  if (command.shard.whole()) result.tables.push_back(summaries);
  const std::size_t sets = samples.size() / resolutions.size();
  fmt::print(
      "{} sets{}: the projection differs from the closed form over all pairs in {}; the "
      "subdivision is late in {}\n",
      sets, interrupted() ? " until the interrupt" : "", experiment.disagreements(),
      experiment.late());
  const bool wrong = experiment.disagreements() + experiment.late() > 0;
  return writeResult(command, result, wrong ? ValidationFailed : Ok,
                     {{"projection.svg", drawProjection(summaries)}});
}

const ExperimentEntry projectionEntry(makeExperiment<ProjectionCommand>(
    "projection", "earliest intersection of space-time bounds: projection against subdivision",
    "a tenth of the sets, and at most 200 bodies", addOptions, runProjection));

}  // namespace
}  // namespace nearmiss::app::lab
