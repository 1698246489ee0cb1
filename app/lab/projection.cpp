// SPDX-License-Identifier: MIT
#include "lab/projection.h"

#include <fmt/format.h>
#include <nearmiss/methods/meeting_search.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <memory>
#include <string>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/figure/projection_figure.h"
#include "lab/projection_sets.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

constexpr std::array bodyCounts{10, 20, 50, 100, 200, 500, 1000};
constexpr int mostWhenQuick = 200;
/// Seconds; the second is the default scene's detection step.
constexpr std::array<Real, 5> resolutions{0.2, 0.05, 0.02, 0.005, 0.001};

/// Rounding may bring the projection's answer forward by so much, seconds, and no answer back.
constexpr Real earlyRounding = 1e-6, lateRounding = 1e-12;

/// One of the ways to search, and what it found and took.
struct Contender {
  std::unique_ptr<MeetingSearch> search;
  std::optional<Real> found;
  MeetingCounts counts;
  int repeats = 1;  ///< searches to one measurement, against the clock's own grain
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

class Experiment {
 public:
  explicit Experiment(const ProjectionCommand& command)
      : command_(command), sets_(command.quick ? std::max(1, command.sets / 10) : command.sets) {
    projection_.search = makeProjectionSearch(Crossings::Sliced);
    queued_.search = makeProjectionSearch(Crossings::Queued);
    for (std::size_t i = 0; i < resolutions.size(); ++i) {
      subdivisions_[i].search = makeSubdivisionSearch(resolutions[i]);
      plain_[i].search = makeSubdivisionSearch(resolutions[i], PairLists::None);
    }
  }

  /// Every number of bodies in turn, so that what an interrupt leaves is of all kinds.
  void run(WorkProgress& progress) {
    std::vector<int> counts;
    for (const int count : bodyCounts)
      if (!command_.quick || count <= mostWhenQuick) counts.push_back(count);
    for (int set = 0; set < sets_; ++set) {
      if (!command_.shard.has(static_cast<std::size_t>(set))) continue;
      // Each set by a seed of its own: shards draw the same
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
      act(queued_);
      for (std::size_t i = 0; i < resolutions.size(); ++i) {
        act(subdivisions_[i]);
        act(plain_[i]);
      }
    };
    forEach([&set](Contender& contender) {
      // The first search warms up and gives the number of searches per reading of the clock
      contender.run(set);
      contender.counts = contender.search->counts();
      contender.repeats = 1;
      const double once = contender.measure(set);
      contender.repeats = std::clamp(static_cast<int>(20.0 / once), 1, 100);
      contender.micros.clear();
    });
    constexpr int rounds = 5;
    for (int round = 0; round < rounds; ++round)
      forEach([&set](Contender& contender) { contender.micros.push_back(contender.measure(set)); });

    const auto differs = [&oracle](const std::optional<Real>& found) {
      if (found.has_value() != oracle.has_value()) return true;
      return oracle && (*found > *oracle + lateRounding || *found < *oracle - earlyRounding);
    };
    disagreements_ += differs(projection_.found) || differs(queued_.found);
    const double worst = 3.0 * count * (2.0 * count - 1.0);
    for (std::size_t i = 0; i < resolutions.size(); ++i) {
      Contender& subdivision = subdivisions_[i];
      const auto isLate = [&](const std::optional<Real>& found) {
        return oracle && (!found || *found > *oracle + lateRounding);
      };
      late_ += isLate(subdivision.found) || isLate(plain_[i].found);
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
      sample.queuedUs = median(queued_.micros);
      sample.subdivisionUs = median(subdivision.micros);
      sample.plainUs = median(plain_[i].micros);
      sample.crossings = queued_.counts.crossings;
      sample.crossingsPercent = 100.0 * static_cast<double>(queued_.counts.crossings) / worst;
      sample.intervals = subdivision.counts.crossings;
      sample.pairTests = subdivision.counts.pairTests;
      sample.plainPairTests = plain_[i].counts.pairTests;
      sample.falsePositive =
          subdivision.found && (!oracle || *oracle - *subdivision.found > resolutions[i]);
    }
  }

  const ProjectionCommand& command_;
  int sets_;
  Contender projection_, queued_;
  std::array<Contender, resolutions.size()> subdivisions_;
  std::array<Contender, resolutions.size()> plain_;  ///< without pair lists
  std::vector<ProjectionSample> samples_;
  std::size_t disagreements_ = 0, late_ = 0;
};

LabTable projectionTable() {
  LabTable table{"projection", "earliest intersection of random bounds, searched in four ways",
                 {},           {},
                 {},           {}};
  table.columns = {{"bodies", "in the set"},
                   {"set", "its number"},
                   {"planes", "1: two bodies in three have a cutting plane"},
                   {"span_s", "how long the bounds hold, seconds of simulation"},
                   {"resolution_s", "of the subdivision"},
                   {"t_oracle_s", "first meeting by the closed form over all pairs"},
                   {"t_projection_s", "by projection"},
                   {"t_subdivision_s", "by subdivision"},
                   {"projection_us", "wall time of the projection by slices, median"},
                   {"queued_projection_us", "the same with a queue of crossings"},
                   {"subdivision_us", "of the subdivision with pair lists"},
                   {"plain_subdivision_us", "of that which compares every pair"},
                   {"crossings", "until the first meeting"},
                   {"crossings_percent", "of three times C(2N over 2)"},
                   {"intervals", "of the subdivision"},
                   {"pair_tests", "of the subdivision with pair lists"},
                   {"plain_pair_tests", "of that which compares every pair"},
                   {"false_positive", "1: a meeting that no bounds have within the interval"}};
  table.figures = {{"Time of the searches",
                    "Projection beside subdivision, a point a set",
                    "points",
                    "bodies",
                    {"projection_us", "subdivision_us", "plain_subdivision_us"},
                    {},
                    "xy",
                    "bodies",
                    "microseconds",
                    {{"resolution_s", "0.05"}}}};
  return table;
}

void addRow(LabTable& table, const ProjectionSample& sample) {
  table.add(
      static_cast<std::size_t>(sample.set),
      fmt::format(
          "{},{},{:d},{:.6g},{:g},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{},{:.6g},{},{},{},{:d}",
          sample.bodies, sample.set, sample.planes, sample.span, sample.step,
          cell("{:.12g}", sample.oracle), cell("{:.12g}", sample.projection),
          cell("{:.12g}", sample.subdivision), sample.projectionUs, sample.queuedUs,
          sample.subdivisionUs, sample.plainUs, sample.crossings, sample.crossingsPercent,
          sample.intervals, sample.pairTests, sample.plainPairTests, sample.falsePositive));
}

void print(const std::vector<ProjectionSummary>& summaries) {
  fmt::print(
      "time / time of the projection by slices, medians (5 to 95 %): projection with a queue of "
      "crossings,\nsubdivision that compares every pair in every interval, and with pair lists\n"
      "{:>6} {:>6} {:>8} {:>5} {:>11} {:>20} {:>20} {:>20} {:>7} {:>27} {:>16}\n",
      "bodies", "planes", "resol. s", "sets", "project. us", "queue", "every pair", "pair lists",
      "false %", "early, median/mean/most s", "crossings (%)");
  const auto ratio = [](const RatioSummary& of) {
    return fmt::format("{:.3g} ({:.3g}..{:.3g})", of.median, of.at5, of.at95);
  };
  for (const ProjectionSummary& each : summaries)
    fmt::print(
        "{:>6} {:>6} {:>8} {:>5} {:>11.2f} {:>20} {:>20} {:>20} {:>7.1f} {:>9.5f} {:>8.5f} "
        "{:>8.5f} {:>8.1f} ({:.2f})\n",
        each.bodies, each.planes ? "yes" : "no", each.step, each.sets, each.projectionUs,
        ratio(each.queuedRatio), ratio(each.plainRatio), ratio(each.ratio), each.falsePercent,
        each.earlyMedian, each.earlyMean, each.earlyMost, each.crossingsMean,
        each.crossingsPercent);
}

}  // namespace

int runProjection(const ProjectionCommand& command) {
  Experiment experiment(command);
  LabResult result = newResult(
      "projection", command,
      {{"seed", fmt::format("{}", command.seed)}, {"sets", fmt::format("{}", experiment.sets())}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.items = static_cast<std::size_t>(experiment.sets());
  withProgressLine("comparing projection and subdivision",
                   [&](WorkProgress& progress) { experiment.run(progress); });
  const auto& samples = experiment.samples();
  result.tables = {projectionTable()};
  for (const ProjectionSample& sample : samples) addRow(result.tables[0], sample);

  const auto summaries = summarise(samples);
  print(summaries);
  const std::size_t sets = samples.size() / resolutions.size();
  fmt::print(
      "{} sets{}: the projection differs from the closed form over all pairs in {}; the "
      "subdivision is late in {}\n",
      sets, interrupted() ? " until the interrupt" : "", experiment.disagreements(),
      experiment.late());
  const bool wrong = experiment.disagreements() + experiment.late() > 0;
  const int outcome = keepResult(command, result, wrong ? ValidationFailed : Ok);
  return outcome == Ok && command.shard.whole()
             ? writeResults(command.folder, {{"projection.svg", drawProjection(summaries)}})
             : outcome;
}

}  // namespace nearmiss::app
