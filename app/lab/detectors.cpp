// SPDX-License-Identifier: MIT
#include "lab/detectors.h"

#include <engine/flight/recorded_flight.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/detector.h>
#include <nearmiss/methods/catalog.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

constexpr int shipsWhenQuick = 20, stepsWhenQuick = 30;
constexpr std::string_view referenceBroad = "all-pairs", referenceNarrow = "brute-force";
constexpr std::string_view defaultNarrow = "sphere-tree";
constexpr int levels = 4;

/// The pairs in contact at each step.
using Contacts = std::vector<std::set<BodyPair>>;

Result<Shapes> shapesOf(const DetectorsCommand& command) {
  Shapes shapes;
  for (const std::string& name : command.models) {
    const auto path = engine::findModel(name);
    if (!path) return path.error();
    auto loaded = engine::loadModel(*path);
    if (!loaded) return loaded.error();
    for (const std::string& warning : loaded->warnings) complain(warning);
    ShapeSettings settings;
    settings.bspTree = true;
    auto shape = answerWithProgressLine(
        fmt::format("building the trees of {}", loaded->name), [&](BuildProgress& progress) {
          return makeShape(std::move(loaded->mesh), settings, &progress);
        });
    if (!shape) return shape.error();
    shapes.add(*std::move(shape));
  }
  return shapes;
}

/// The entries of a catalogue that were asked for.
template <class Entry>
std::vector<const Entry*> chosen(std::span<const Entry> catalog,
                                 const std::vector<std::string>& names) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : catalog)
    if (names.empty() || std::ranges::find(names, entry.name) != names.end())
      entries.push_back(&entry);
  return entries;
}

LabTable detectorsTable() {
  LabTable table{"detectors", "every broad and narrow phase on the same states", {}, {}, {}, {}};
  table.columns = {{"broad", "broad phase"},
                   {"narrow", "narrow phase"},
                   {"until", "level 1 to level 4, or exact"},
                   {"pairs", "that were looked at"},
                   {"contacts", "of these"},
                   {"possible", "of these, not told from a contact"},
                   {"missed", "contacts of the reference that were called separate"},
                   {"invented", "contacts that the reference does not have"},
                   {"mean_us", "wall time of a detection, the median of the rounds"},
                   {"p99_us", "the same of the 99th percentile"},
                   {"bound_tests", "a detection"},
                   {"triangle_tests", "a detection"}};
  table.notes = {"the reference is every triangle of every pair"};
  table.figures = {{"Detection to the final answer",
                    "Mean time of a detection by narrow phase",
                    "bars",
                    "narrow",
                    {"mean_us"},
                    {"broad"},
                    "y",
                    "narrow phase",
                    "microseconds",
                    {{"until", "exact"}}}};
  return table;
}

void addRow(LabTable& table, std::size_t item, const DetectorsRow& row) {
  table.add(item,
            fmt::format("{},{},{},{},{},{},{},{},{:.3f},{:.3f},{:.1f},{:.2f}", row.broad,
                        row.narrow, row.until, row.pairs, row.contacts, row.possible, row.missed,
                        row.invented, row.meanUs, row.p99Us, row.boundTests, row.triangleTests));
}

class Comparison {
 public:
  Comparison(const DetectorsCommand& command, Shapes shapes, const engine::RecordedFlight& flight)
      : command_(command), shapes_(std::move(shapes)), flight_(flight) {}

  /// A work item is a narrow phase.
  void run(LabResult& result, WorkProgress& progress) {
    const auto broad = chosen(broadPhaseCatalog(), command_.broad);
    const auto narrow = chosen(narrowPhaseCatalog(), command_.narrow);
    result.items = narrow.size();
    findReference();
    for (std::size_t item = 0; item < narrow.size(); ++item) {
      if (!command_.shard.has(item)) continue;
      const std::size_t first = rows_.size();
      // Who names the pairs makes little of the time of a narrow phase: in short, once is enough
      const bool once = command_.quick && narrow[item]->name != defaultNarrow;
      const std::size_t most = once ? 1 : broad.size();
      for (std::size_t k = 0; k < most && !progress.cancelled; ++k) {
        const BroadPhaseEntry* const b = broad[k];
        const NarrowPhaseEntry* const n = narrow[item];
        // What a level is worth does not hang on who names the pairs
        if (b == broad.front() && n->interruptible)
          for (int level = 1; level <= levels; ++level) measure(*b, *n, level);
        measure(*b, *n, Detector::noLevelCap);
        progress.fraction = static_cast<float>(item * broad.size() + k + 1) /
                            static_cast<float>(narrow.size() * broad.size());
      }
      for (std::size_t i = first; i < rows_.size(); ++i) addRow(result.tables[0], item, rows_[i]);
    }
  }

  [[nodiscard]] const std::vector<DetectorsRow>& rows() const noexcept { return rows_; }

 private:
  [[nodiscard]] Detector detectorOf(const BroadPhaseEntry& broad,
                                    const NarrowPhaseEntry& narrow) const {
    return {makeBroadPhase(broad, shapes_), *makeNarrowPhase(narrow, shapes_)};
  }

  void findReference() {
    Detector detector =
        detectorOf(*findBroadPhase(referenceBroad), *findNarrowPhase(referenceNarrow));
    for (std::size_t step = 0; step < flight_.steps.size(); ++step) {
      auto& contacts = reference_.emplace_back();
      const Detection& found =
          detector.detect(flight_.steps[step], flight_.times[step], TimeBudget::unlimited());
      for (const DetectedPair& pair : found.pairs)
        if (pair.refinement.verdict == Verdict::Contact) contacts.insert(pair.bodies);
    }
  }

  void measure(const BroadPhaseEntry& broad, const NarrowPhaseEntry& narrow, int level) {
    DetectorsRow row;
    row.broad = broad.name;
    row.narrow = narrow.name;
    row.until = level == Detector::noLevelCap ? "exact" : fmt::format("level {}", level);
    std::vector<double> means, tails;
    for (int round = 0; round < command_.rounds; ++round) {
      // From the start each time, as a flight begins
      Detector detector = detectorOf(broad, narrow);
      detector.setLevelCap(level);
      std::vector<double> times;
      for (std::size_t step = 0; step < flight_.steps.size(); ++step) {
        const auto began = std::chrono::steady_clock::now();
        const Detection& found =
            detector.detect(flight_.steps[step], flight_.times[step], TimeBudget::unlimited());
        const std::chrono::duration<double, std::micro> spent =
            std::chrono::steady_clock::now() - began;
        times.push_back(spent.count());
        if (round == 0) judge(found, reference_[step], row);
      }
      means.push_back(mean(times));
      tails.push_back(percentile(times, 0.99));
    }
    row.meanUs = median(means);
    row.p99Us = median(tails);
    row.boundTests /= static_cast<double>(flight_.steps.size());
    row.triangleTests /= static_cast<double>(flight_.steps.size());
    rows_.push_back(std::move(row));
  }

  static void judge(const Detection& found, const std::set<BodyPair>& truth, DetectorsRow& row) {
    std::size_t seen = 0;
    for (const DetectedPair& pair : found.pairs) {
      const Verdict verdict = pair.refinement.verdict;
      const bool touches = truth.contains(pair.bodies);
      row.pairs += 1;
      row.contacts += verdict == Verdict::Contact;
      row.possible += verdict == Verdict::Possible;
      row.invented += verdict == Verdict::Contact && !touches;
      seen += touches && verdict != Verdict::Separate;
    }
    row.missed += truth.size() - seen;
    row.boundTests += static_cast<double>(found.broadWork.boundTests + found.narrowWork.boundTests);
    row.triangleTests += static_cast<double>(found.narrowWork.triangleTests);
  }

  const DetectorsCommand& command_;
  Shapes shapes_;
  const engine::RecordedFlight& flight_;
  Contacts reference_;
  std::vector<DetectorsRow> rows_;
};

void print(const std::vector<DetectorsRow>& rows) {
  fmt::print("{:<26} {:<16} {:<8} {:>8} {:>8} {:>8} {:>6} {:>8} {:>10} {:>10}\n", "broad", "narrow",
             "until", "pairs", "contacts", "possible", "missed", "invented", "mean us", "p99 us");
  for (const DetectorsRow& row : rows)
    fmt::print("{:<26} {:<16} {:<8} {:>8} {:>8} {:>8} {:>6} {:>8} {:>10.2f} {:>10.2f}\n", row.broad,
               row.narrow, row.until, row.pairs, row.contacts, row.possible, row.missed,
               row.invented, row.meanUs, row.p99Us);
}

}  // namespace

int runDetectors(const DetectorsCommand& asked) {
  DetectorsCommand command = asked;
  if (command.quick) {
    command.ships = std::min(command.ships, shipsWhenQuick);
    command.steps = std::min(command.steps, stepsWhenQuick);
    command.rounds = 1;
  }
  LabResult result = newResult("detectors", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"models", namesText(command.models)},
                                {"broad", namesText(command.broad)},
                                {"narrow", namesText(command.narrow)},
                                {"ships", fmt::format("{}", command.ships)},
                                {"crowding", fmt::format("{:g}", command.crowding)},
                                {"steps", fmt::format("{}", command.steps)},
                                {"rounds", fmt::format("{}", command.rounds)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {detectorsTable()};
  auto shapes = shapesOf(command);
  if (!shapes) return complain(shapes.error(), BadModelOrScene);
  std::vector<ShapeRef> refs;
  for (std::uint32_t i = 0; i < shapes->size(); ++i) refs.push_back(shapes->ref(ShapeId{i}));
  const engine::RecordedFlight flight =
      engine::recordFlight(refs, {.ships = command.ships,
                                  .crowding = command.crowding,
                                  .steps = static_cast<std::size_t>(command.steps),
                                  .positionSeed = command.seed,
                                  .pilotSeed = command.seed});
  Comparison comparison(command, *std::move(shapes), flight);
  withProgressLine("detecting by all methods",
                   [&](WorkProgress& progress) { comparison.run(result, progress); });
  const auto& rows = comparison.rows();
  print(rows);
  std::size_t wrong = 0;
  for (const DetectorsRow& row : rows)
    wrong += row.missed != 0 || row.invented != 0 || (row.until == "exact" && row.possible != 0);
  fmt::print("{} rows{}; {} differ from the reference\n", rows.size(),
             interrupted() ? " until the interrupt" : "", wrong);
  return keepResult(command, result, wrong > 0 ? ValidationFailed : Ok);
}

}  // namespace nearmiss::app
