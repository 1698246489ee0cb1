// SPDX-License-Identifier: MIT
/// `nearmiss lab turk`: broad phases with look-ahead against Turk's uniform grid, on random cubes
/// until the first collision [H93, "Performance"; Y04, "Evaluation"].
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/meeting_search.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/result.h"
#include "lab/turk_flight.h"
#include "lab/turk_summary.h"
#include "options/option_checks.h"

namespace nearmiss::app::lab {
namespace {

constexpr std::array allCounts{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
constexpr int turkQuickBodies = 200, turkQuickRuns = 4;
/// The published ones come first.
constexpr std::array<std::string_view, 7> lookAhead{
    "space-time",        "space-time-subdivision", "space-time-queue", "space-time-slices",
    "space-time-halves", "space-time-horns",       "space-time-grid"};
/// The published subdivision compares every pair in every interval: for more bodies it takes hours.
constexpr std::string_view publishedSubdivision = "space-time-subdivision";
constexpr int maxPublishedSubdivisionBodies = 200;
constexpr std::string_view believing = "-believing";

/// Speed-up of the look-ahead in the papers after papersBreakEven [Y04, "Evaluation"].
constexpr const char* papersSpeedup = "10";

struct TurkCommand : ExperimentCommand {
  int runs = 20;                     ///< per number of bodies
  std::vector<int> bodies;           ///< empty: 10 to 10,000
  std::vector<std::string> methods;  ///< in addition to Turk's grid; empty: those with look-ahead
  TurkFlight flight;
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, TurkCommand& command) {
  options.number("--runs", command.runs, 1, 100'000, "flights for each number of bodies");
  options.number("--bodies", command.bodies, 2, 100'000,
                 "numbers of bodies; default: 10 to 10,000");
  options.names("--broad", command.methods, namesOf(broadPhaseCatalog()),
                "broad phases; default: those that look ahead");
  options.number("--step", command.flight.step, 1e-4, 1.0, "seconds of simulation in a frame");
  options.number("--longest", command.flight.longest, 1e-3, 1e6,
                 "seconds after which a flight ends");
  options.seed(command.seed, "seed of the flights");
}

/// A record and that of Turk's grid in the same run.
struct TurkRow {
  const TurkRecord& own;
  const TurkRecord& grid;
};

/// A member of the record, formatted by `format`.
template <class Value, class Format>
auto ofRecord(Value TurkRecord::*member, const Format& format) {
  return [=](const TurkRow& row) { return format(row.own.*member); };
}
template <class Value>
auto ofRecord(Value TurkRecord::*member) {
  return [=](const TurkRow& row) { return Cell(row.own.*member); };
}

/// From the method's catalogue entry, ignoring the suffix for trusting the bounds.
bool isOurs(std::string_view method) {
  if (method.ends_with(believing)) method.remove_suffix(believing.size());
  const BroadPhaseEntry* const entry = findBroadPhase(method);
  return entry && entry->summary.starts_with("ours");
}

double testsPerFrame(const TurkRecord& record) {
  return static_cast<double>(record.tests) / static_cast<double>(record.frames);
}

const TableOf<TurkRow>& turkTable() {
  using Row = TurkRow;
  using Record = TurkRecord;
  const auto micros = [](double value) { return fixed(value, 3); };
  const auto ratio = [](double value) { return fixed(value, 4); };
  static const TableOf<Row> table{
      .name = "turk",
      .title = "look-ahead against Turk's grid, until the first collision",
      .columns = {{"bodies", "", "cubes that fly", ofRecord(&Record::bodies)},
                  {"run", "", "its number", ofRecord(&Record::run)},
                  {"method", "", "broad phase", ofRecord(&Record::method)},
                  {"source", "", "published, or ours",
                   [](const Row& row) { return isOurs(row.own.method) ? "ours" : "published"; }},
                  {"collided", "", "1: two cubes met before the end", ofRecord(&Record::collided)},
                  {"end_s", "s", "simulation time of the first collision, or of the last frame",
                   ofRecord(&Record::end, [](double value) { return fixed(value, 6); })},
                  {"frames", "", "until then", ofRecord(&Record::frames)},
                  {"calls", "", "of these, those in which the method had to look at all bodies",
                   ofRecord(&Record::calls)},
                  {"detection_us", "us", "wall time of all frames",
                   ofRecord(&Record::detectionUs, micros)},
                  {"integrator_us", "us", "the same of the motion",
                   ofRecord(&Record::integratorUs, micros)},
                  {"slowest_us", "us", "the slowest frame", ofRecord(&Record::slowestUs, micros)},
                  {"speedup", "", "detection time of the grid to that of the method",
                   ofRecord(&Record::speedup, ratio)},
                  {"speedup_with_integrator", "", "the same with the motion in both",
                   ofRecord(&Record::speedupWithIntegrator, ratio)},
                  {"slowest_ratio", "", "slowest frame of the method to that of the grid",
                   ofRecord(&Record::slowestRatio, ratio)},
                  {"break_even_s", "s", "from when on it stays ahead of the grid, missing if never",
                   [](const Row& row) {
                     return row.own.breakEven < row.own.end ? fixed(row.own.breakEven, 6) : Cell();
                   }},
                  {"crossings_percent", "%",
                   "of three times C(2N over 2), by projection, before the first meeting",
                   ofRecord(&Record::crossingsPercent,
                            [](double value) { return significant(value, 6); })},
                  {"tests", "", "of spheres or of bounds in all frames", ofRecord(&Record::tests)},
                  {"tests_a_frame", "", "the same, a mean",
                   [](const Row& row) { return significant(testsPerFrame(row.own), 4); }},
                  {"model_speedup", "", "computed: tests of the grid to those of the method",
                   [](const Row& row) {
                     if (row.own.tests == 0) return Cell();
                     return significant(
                         static_cast<double>(row.grid.tests) / static_cast<double>(row.own.tests),
                         4);
                   }},
                  {"paper_speedup", "", "as published, for collisions after a quarter of a second",
                   [](const Row& row) {
                     const bool late = row.own.collided && row.own.end > papersBreakEven;
                     return row.own.method != row.grid.method && late ? Cell(papersSpeedup)
                                                                      : Cell();
                   }}},
      .notes =
          {"space-time and space-time-subdivision bound the cubes themselves, as published; Turk's "
           "grid, as published, and our methods bound spheres around them",
           "model_speedup is the ratio under the papers' cost of a test: then a test of bounds "
           "cost as much as a test of spheres, some hundred instructions of slow arithmetic "
           "each, and memory, bookkeeping and the comparison of states with promises next to "
           "nothing; it is a model and no measurement, and too kind to the grid, whose cells "
           "are not counted",
           "space-time and space-time-subdivision are the published driver; the second, which "
           "compares every pair in every interval, flies at most 200 bodies unless it is named; "
           "the resolution of all is a frame"},
      .figures = {{.title = "Speed-up over Turk's grid",
                   .says = "A point per flight: measured, and by the model",
                   .kind = "points",
                   .x = "end_s",
                   .y = {"speedup", "model_speedup", "paper_speedup"},
                   .by = {"method"},
                   .log = "xy",
                   .xLabel = "simulation time of the first collision, s",
                   .yLabel = "speed-up"}}};
  return table;
}

/// Number of frames in one bin of time, for one method and number of bodies.
struct TurkFrames {
  int bodies = 0;
  std::string method;
  double middleUs = 0.0;
  std::size_t frames = 0;
};

const TableOf<TurkFrames>& turkFramesTable() {
  using Row = TurkFrames;
  static const TableOf<Row> table{
      .name = "turk_frames",
      .title = "frames by their detection time",
      .columns = {{"bodies", "", "cubes that fly", &Row::bodies},
                  {"method", "", "broad phase", &Row::method},
                  {"frame_us", "us", "the middle of a bin", significant(&Row::middleUs, 4)},
                  {"frames", "", "in the bin, of all runs", &Row::frames}},
      .figures = {{.title = "Frames by their detection time",
                   .says = "How many frames take how long",
                   .kind = "steps",
                   .x = "frame_us",
                   .y = {"frames"},
                   .by = {"method", "bodies"},
                   .log = "xy",
                   .xLabel = "detection in a frame, us",
                   .yLabel = "frames"}}};
  return table;
}

/// The published driver bounds the cubes themselves, not spheres around them.
struct Published {
  std::string_view name;
  std::unique_ptr<BroadPhase> (*make)(Promises, BodyForm);
};
constexpr std::array publishedDrivers{
    Published{"space-time", makePublishedSpaceTimeBroadPhase},
    Published{"space-time-subdivision", makePublishedSubdivisionBroadPhase}};

/// Methods that trust the bounds, like the papers' algorithm.
struct Believer {
  std::string_view name;
  std::unique_ptr<BroadPhase> (*make)(Promises);
};
constexpr std::array believers{
    Believer{"space-time-queue-believing", makeSpaceTimeBroadPhase},
    Believer{"space-time-slices-believing", makeSpaceTimeSlicesBroadPhase},
    Believer{"space-time-halves-believing", makeSpaceTimeHalvesBroadPhase},
    Believer{"space-time-horns-believing", makeSpaceTimeHornBroadPhase}};

/// Crossings of the projection before the first meeting of the flight's initial bounds, as a
/// percentage of the maximum 3 C(2N, 2).
double crossingsPercentOf(const CubeFlight& flight, MeetingSearch& search) {
  std::vector<SpaceTimeBound> bounds;
  for (const BodyState& body : flight.bodies()) {
    bounds.push_back(spaceTimeBound(body, flight.time(), flight.setEnd()));
    bounds.back().radius = halfEdgeOf(body);
  }
  search.start(bounds, flight.time(), flight.setEnd());
  std::ignore = search.next();  // only its crossings matter
  const auto count = static_cast<double>(bounds.size());
  return 100.0 * static_cast<double>(search.counts().crossings) /
         (3.0 * count * (2.0 * count - 1.0));
}

class TurkExperiment {
 public:
  explicit TurkExperiment(const TurkCommand& command)
      : command_(command), methods_(command.methods), counts_(command.bodies) {
    if (methods_.empty()) methods_.assign(lookAhead.begin(), lookAhead.end());
    if (counts_.empty())
      for (const int count : allCounts)
        if (!command.quick || count <= turkQuickBodies) counts_.push_back(count);
    runs_ = command.quick ? std::min(command.runs, turkQuickRuns) : command.runs;
  }

  void run(WorkProgress& progress) {
    // The progress is weighted by the number of bodies
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

  /// Settings that affect the rows.
  [[nodiscard]] engine::RecordHead settings() const {
    return {{"seed", settingText(command_.seed)},
            {"bodies", settingText(counts_)},
            {"methods", settingText(command_.methods)},
            {"runs", settingText(runs_)},
            {"step_s", settingText(command_.flight.step)},
            {"longest_s", settingText(command_.flight.longest)}};
  }
  [[nodiscard]] std::size_t items() const noexcept { return counts_.size(); }

  void addRows(ExperimentResult& result) const {
    const auto itemOf = [this](int bodies) {
      return static_cast<std::size_t>(std::ranges::find(counts_, bodies) - counts_.begin());
    };
    // The grid's record is the first of every run
    const TurkRecord* grid = nullptr;
    for (const TurkRecord& record : records_) {
      if (record.method == turkBroadPhase) grid = &record;
      turkTable().add(result.tables[0], itemOf(record.bodies), {record, *grid});
    }
    for (const TurkFrames& each : frames_)
      turkFramesTable().add(result.tables[1], itemOf(each.bodies), each);
  }

  [[nodiscard]] const std::vector<TurkRecord>& records() const noexcept { return records_; }
  [[nodiscard]] std::size_t disagreements() const noexcept { return disagreements_; }
  [[nodiscard]] std::size_t flights() const noexcept { return flights_; }

 private:
  template <class Continue>
  void fly(int count, const Continue& mayContinue, const std::atomic<bool>& cancelled) {
    std::vector<TurkContender> contenders;
    const auto enter = [&](const std::string& name, std::unique_ptr<BroadPhase> phase,
                           BodyForm form = BodyForm::Spheres) {
      const bool requested = !command_.methods.empty();
      if (name.starts_with(publishedSubdivision) && count > maxPublishedSubdivisionBodies &&
          !requested)
        return;
      phase->setResolution(command_.flight.step);
      contenders.push_back({name, LookAheadDetector(std::move(phase), form)});
    };
    enter(std::string(turkBroadPhase), findBroadPhase(turkBroadPhase)->make());
    for (const std::string& method : methods_)
      if (const auto* const found = std::ranges::find(publishedDrivers, method, &Published::name);
          found != publishedDrivers.end())
        enter(method, found->make(Promises::Checked, BodyForm::Cubes), BodyForm::Cubes);
      else
        enter(method, findBroadPhase(method)->make());
    if (command_.methods.empty()) {
      for (const Published& each : publishedDrivers)
        enter(std::string(each.name) + std::string(believing),
              each.make(Promises::Believed, BodyForm::Cubes), BodyForm::Cubes);
      for (const Believer& each : believers)
        enter(std::string(each.name), each.make(Promises::Believed));
    }
    const auto search = makeProjectionSearch(Crossings::Queued);
    SplitMix random(command_.seed * 1000003u + static_cast<std::uint64_t>(count));
    std::vector<TurkRecord> records;
    // The first run allocates memory and is ignored
    for (int run = -1; run < runs_; ++run) {
      if (!mayContinue(run + 1)) break;
      const Real firstMeeting = std::pow(10.0, random.between(-1.3, 1.2));
      CubeFlight flight(random.bits(), count, firstMeeting);
      for (TurkContender& contender : contenders) contender.detector.reset();
      const double crossings = crossingsPercentOf(flight, *search);
      if (!flyAndWatch(flight, command_.flight, contenders, cancelled, records)) ++disagreements_;
      if (run < 0) {
        for (TurkContender& contender : contenders) contender.frameUs = {};
        continue;
      }
      for (TurkRecord& record : records) {
        record.run = run;
        record.crossingsPercent = crossings;
        records_.push_back(record);
      }
      flights_ += !records.empty();
    }
    for (const TurkContender& contender : contenders)
      for (const auto& [bin, frames] : contender.frameUs.bins())
        frames_.push_back({count, contender.name, DecadeBins::middleOf(bin), frames});
  }

  const TurkCommand& command_;
  std::vector<std::string> methods_;
  std::vector<int> counts_;
  int runs_ = 0;
  std::vector<TurkRecord> records_;
  std::vector<TurkFrames> frames_;
  std::size_t disagreements_ = 0, flights_ = 0;
};

int runTurk(const TurkCommand& command) {
  TurkExperiment experiment(command);
  ExperimentResult result = newResult("turk", command, experiment.settings());
  result.items = experiment.items();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  withProgressLine("flying cubes until they collide",
                   [&](WorkProgress& progress) { experiment.run(progress); });
  result.tables = {turkTable().empty(), turkFramesTable().empty()};
  experiment.addRows(result);

  const Table summaries = summarise(experiment.records());
  print(summaries);
  if (command.shard.whole()) result.tables.push_back(summaries);
  fmt::print("{} flights{}; the methods find different first collisions in {}\n",
             experiment.flights(), interrupted() ? " until the interrupt" : "",
             experiment.disagreements());
  return writeResult(command, result, experiment.disagreements() > 0 ? ValidationFailed : Ok,
                     {{"turk_speedup.svg", drawTurkSpeedup(result.tables[0], summaries)},
                      {"turk_frames.svg", drawTurkFrames(result.tables[1])}});
}

const ExperimentEntry turkEntry(makeExperiment<TurkCommand>(
    "turk",
    "broad phases that look ahead against Turk's grid, cubes flying until the first "
    "collision",
    "four runs each, and at most 200 bodies", addOptions, runTurk));

}  // namespace
}  // namespace nearmiss::app::lab
