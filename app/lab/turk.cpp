// SPDX-License-Identifier: MIT
#include "lab/turk.h"

#include <fmt/format.h>
#include <nearmiss/methods/catalog.h>
#include <nearmiss/methods/meeting_search.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/figure/turk_figure.h"
#include "lab/random_crowd.h"
#include "lab/results.h"
#include "lab/turk_run.h"
#include "lab/turk_tables.h"

namespace nearmiss::app {
namespace {

constexpr std::array allCounts{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
constexpr int mostWhenQuick = 200, runsWhenQuick = 4;
constexpr std::string_view turk = "uniform-grid";
constexpr std::array<std::string_view, 5> lookAhead{"space-time", "space-time-slices",
                                                    "space-time-subdivision", "space-time-horns",
                                                    "space-time-grid"};

/// As the papers' algorithm does, these trust the bounds.
struct Believer {
  std::string_view name;
  std::unique_ptr<BroadPhase> (*make)(Promises);
};
constexpr std::array believers{
    Believer{"space-time-believing", makeSpaceTimeBroadPhase},
    Believer{"space-time-slices-believing", makeSpaceTimeSlicesBroadPhase},
    Believer{"space-time-subdivision-believing", makeSpaceTimeSubdivisionBroadPhase},
    Believer{"space-time-horns-believing", makeSpaceTimeHornBroadPhase}};

/// Crossings that the projection goes through before the first bounds of the flight meet, out of
/// three times C(2N, 2).
double crossingsPercentOf(const CubeFlight& flight, MeetingSearch& search) {
  std::vector<SpaceTimeBound> bounds;
  for (const BodyState& body : flight.bodies()) {
    bounds.push_back(spaceTimeBound(body, flight.time(), flight.setEnd()));
    bounds.back().radius = halfEdgeOf(body);
  }
  search.start(bounds, flight.time(), flight.setEnd());
  std::ignore = search.next();  // its crossings are what counts
  const auto count = static_cast<double>(bounds.size());
  return 100.0 * static_cast<double>(search.counts().crossings) /
         (3.0 * count * (2.0 * count - 1.0));
}

class Experiment {
 public:
  explicit Experiment(const TurkCommand& command)
      : command_(command), methods_(command.methods), counts_(command.bodies) {
    if (methods_.empty()) methods_.assign(lookAhead.begin(), lookAhead.end());
    if (counts_.empty())
      for (const int count : allCounts)
        if (!command.quick || count <= mostWhenQuick) counts_.push_back(count);
    runs_ = command.quick ? std::min(command.runs, runsWhenQuick) : command.runs;
  }

  void run(WorkProgress& progress) {
    // Time goes by the number of bodies
    double whole = 0.0, done = 0.0;
    for (const int count : counts_) whole += count + 200.0;
    for (std::size_t item = 0; item < counts_.size() && !progress.cancelled; ++item) {
      if (!command_.shard.has(item)) continue;
      const int count = counts_[item];
      const double share = (count + 200.0) / whole;
      fly(
          count,
          [&](int run) {
            progress.fraction = static_cast<float>(done + share * run / (runs_ + 1));
            return !progress.cancelled;
          },
          progress.cancelled);
      done += share;
    }
  }

  /// What the rows hang on.
  [[nodiscard]] engine::RecordHead settings() const {
    std::vector<std::string> counts;
    for (const int count : counts_) counts.push_back(fmt::format("{}", count));
    return {{"seed", fmt::format("{}", command_.seed)},
            {"bodies", namesText(counts)},
            {"methods", namesText(command_.methods)},
            {"runs", fmt::format("{}", runs_)},
            {"step_s", fmt::format("{:g}", command_.step)},
            {"longest_s", fmt::format("{:g}", command_.longest)}};
  }
  [[nodiscard]] std::size_t items() const noexcept { return counts_.size(); }

  void addRows(LabResult& result) const {
    const auto itemOf = [this](int bodies) {
      return static_cast<std::size_t>(std::ranges::find(counts_, bodies) - counts_.begin());
    };
    // The grid's record comes first in every run
    const TurkRecord* grid = nullptr;
    for (const TurkRecord& record : records_) {
      if (record.method == turk) grid = &record;
      addTurkRow(result, itemOf(record.bodies), record, *grid);
    }
    for (const TurkFrames& each : frames_) addTurkFrames(result, itemOf(each.bodies), each);
  }

  [[nodiscard]] const std::vector<TurkRecord>& records() const noexcept { return records_; }
  [[nodiscard]] const std::vector<TurkFrames>& frames() const noexcept { return frames_; }
  [[nodiscard]] std::size_t disagreements() const noexcept { return disagreements_; }
  [[nodiscard]] std::size_t flights() const noexcept { return flights_; }

 private:
  template <class Continue>
  void fly(int count, const Continue& mayContinue, const std::atomic<bool>& cancelled) {
    std::vector<TurkContender> contenders;
    const auto enter = [&](std::string_view name, std::unique_ptr<BroadPhase> phase) {
      const std::string label(name);
      contenders.push_back({label, LookAheadDetector(std::move(phase)), {label, count, {}}});
    };
    enter(turk, findBroadPhase(turk)->make());
    for (const std::string& method : methods_) enter(method, findBroadPhase(method)->make());
    if (command_.methods.empty())
      for (const Believer& each : believers) enter(each.name, each.make(Promises::Believed));
    const auto search = makeProjectionSearch(Crossings::Queued);
    SplitMix random(command_.seed * 1000003u + static_cast<std::uint64_t>(count));
    std::vector<TurkRecord> records;
    // Memory is taken in the first run, which does not count
    for (int run = -1; run < runs_; ++run) {
      if (!mayContinue(run + 1)) break;
      const Real firstMeeting = std::pow(10.0, random.between(-1.3, 1.2));
      CubeFlight flight(random.bits(), count, firstMeeting);
      for (TurkContender& contender : contenders) contender.detector.reset();
      const double crossings = crossingsPercentOf(flight, *search);
      if (!flyAndWatch(flight, command_, contenders, cancelled, records)) ++disagreements_;
      if (run < 0) {
        for (TurkContender& contender : contenders) contender.frames.histogram = {};
        continue;
      }
      for (TurkRecord& record : records) {
        record.run = run;
        record.crossingsPercent = crossings;
        records_.push_back(record);
      }
      flights_ += !records.empty();
    }
    for (TurkContender& contender : contenders) frames_.push_back(contender.frames);
  }

  const TurkCommand& command_;
  std::vector<std::string> methods_;
  std::vector<int> counts_;
  int runs_ = 0;
  std::vector<TurkRecord> records_;
  std::vector<TurkFrames> frames_;
  std::size_t disagreements_ = 0, flights_ = 0;
};

}  // namespace

int runTurk(const TurkCommand& command) {
  Experiment experiment(command);
  LabResult result = newResult("turk", command, experiment.settings());
  result.items = experiment.items();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  withProgressLine("flying cubes until they collide",
                   [&](WorkProgress& progress) { experiment.run(progress); });
  addTurkTables(result);
  experiment.addRows(result);

  const auto& records = experiment.records();
  const auto summaries = summarise(records);
  printTurk(summaries);
  fmt::print("{} flights{}; the methods find different first collisions in {}\n",
             experiment.flights(), interrupted() ? " until the interrupt" : "",
             experiment.disagreements());
  const int outcome =
      keepResult(command, result, experiment.disagreements() > 0 ? ValidationFailed : Ok);
  if (outcome != Ok || !command.shard.whole()) return outcome;
  return writeResults(command.folder, {{"turk_speedup.svg", drawTurkSpeedup(records, summaries)},
                                       {"turk_frames.svg", drawTurkFrames(experiment.frames())}});
}

}  // namespace nearmiss::app
