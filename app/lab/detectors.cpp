// SPDX-License-Identifier: MIT
/// `nearmiss lab detectors`: every combination of broad and narrow phase on the same recorded
/// states.
#include <engine/flight/recorded_flight.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "console/order_statistics.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/models.h"
#include "options/option_checks.h"

namespace nearmiss::app::lab {
namespace {

constexpr int detectorsQuickShips = 20, detectorsQuickSteps = 30;
constexpr std::string_view referenceBroad = "all-pairs", referenceNarrow = "brute-force";
constexpr std::string_view defaultNarrow = "sphere-tree";
constexpr int sphereLevels = 4;

struct DetectorsCommand : ExperimentCommand {
  std::vector<std::string> models{"lamp"};  ///< assigned to the ships in turn
  std::vector<std::string> broad, narrow;   ///< names to run; empty: the whole catalogue
  int ships = 30;
  double crowding = 16.0;  ///< density of ships, relative to the default scene
  int steps = 40;          ///< number of recorded states, 0.05 s apart
  int rounds = 3;          ///< timed repetitions; the median is used
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, DetectorsCommand& command) {
  options.names("--model", command.models, {}, "models, in turn, one per ship");
  options.names("--broad", command.broad, namesOf(broadPhaseCatalog()),
                "broad phases; default: all");
  options.names("--narrow", command.narrow, namesOf(narrowPhaseCatalog()),
                "narrow phases; default: all");
  options.number("--ships", command.ships, 2, 10'000, "ships in the flight");
  options.number("--crowding", command.crowding, 0.01, 1000.0,
                 "density of ships, as a multiple of the default scene's");
  options.steps(command.steps, "recorded states, a twentieth of a second apart");
  options.rounds(command.rounds);
  options.seed(command.seed, "seed of the flight");
}

/// One combination over all states, to a level or to the end. Microseconds per detection.
struct DetectorsRow {
  std::string broad, narrow;
  std::string until;  ///< "level 1" to "level 4", or "exact"
  std::size_t pairs = 0, contacts = 0, possible = 0;
  std::size_t missed = 0;    ///< contacts of the reference with the verdict Separate
  std::size_t invented = 0;  ///< contacts that the reference does not have
  double meanUs = 0.0, p99Us = 0.0;
  double boundTests = 0.0, triangleTests = 0.0;  ///< per detection
};

const TableOf<DetectorsRow>& detectorsTable() {
  using Row = DetectorsRow;
  static const TableOf<Row> table{
      .name = "detectors",
      .title = "every broad and narrow phase on the same states",
      .columns = {{"broad", "", "broad phase", &Row::broad, onTerminal},
                  {"narrow", "", "narrow phase", &Row::narrow, onTerminal},
                  {"until", "", "level 1 to level 4, or exact", &Row::until, onTerminal},
                  {"pairs", "", "that were looked at", &Row::pairs, onTerminal},
                  {"contacts", "", "of these", &Row::contacts, onTerminal},
                  {"possible", "", "of these, not told from a contact", &Row::possible, onTerminal},
                  {"missed", "", "contacts of the reference that were called separate",
                   &Row::missed, onTerminal},
                  {"invented", "", "contacts that the reference does not have", &Row::invented,
                   onTerminal},
                  {"mean_us", "us", "wall time of a detection, the median of the rounds",
                   fixed(&Row::meanUs, 3), onTerminal},
                  {"p99_us", "us", "the same of the 99th percentile", fixed(&Row::p99Us, 3),
                   onTerminal},
                  {"bound_tests", "", "per detection", fixed(&Row::boundTests, 1)},
                  {"triangle_tests", "", "per detection", fixed(&Row::triangleTests, 2)}},
      .notes = {"the reference is every triangle of every pair"},
      .figures = {{.title = "Detection to the final answer",
                   .says = "Mean time of a detection by narrow phase",
                   .kind = "bars",
                   .x = "narrow",
                   .y = {"mean_us"},
                   .by = {"broad"},
                   .log = "y",
                   .xLabel = "narrow phase",
                   .yLabel = "microseconds",
                   .where = {{"until", "exact"}}}}};
  return table;
}

/// The pairs in contact at each step.
using Contacts = std::vector<std::set<BodyPair>>;

Result<Shapes> shapesOf(const DetectorsCommand& command) {
  Shapes shapes;
  for (const std::string& name : command.models) {
    auto ship = readShip(name);
    if (!ship) return ship.error();
    ShapeSettings settings;
    settings.treeBuilder = defaultSphereTreeBuilder;
    settings.usualAdditions = false;
    settings.bspTree = true;
    auto shape = runToEndWithProgressLine(
        fmt::format("building the trees of {}", ship->name), [&](BuildProgress& progress) {
          return makeShape(std::move(ship->mesh), settings, &progress);
        });
    if (!shape) return shape.error();
    shapes.add(*std::move(shape));
  }
  return shapes;
}

/// The requested entries of a catalogue.
template <class Entry>
std::vector<const Entry*> chosen(std::span<const Entry> catalog,
                                 const std::vector<std::string>& names) {
  std::vector<const Entry*> entries;
  for (const Entry& entry : catalog)
    if (names.empty() || std::ranges::find(names, entry.name) != names.end())
      entries.push_back(&entry);
  return entries;
}

class DetectorComparison {
 public:
  DetectorComparison(const DetectorsCommand& command, Shapes shapes,
                     const engine::RecordedFlight& flight)
      : command_(command), shapes_(std::move(shapes)), flight_(flight) {}

  /// A work item is a narrow phase.
  void run(ExperimentResult& result, WorkProgress& progress) {
    const auto broad = chosen(broadPhaseCatalog(), command_.broad);
    const auto narrow = chosen(narrowPhaseCatalog(), command_.narrow);
    result.items = narrow.size();
    findReference();
    for (std::size_t item = 0; item < narrow.size(); ++item) {
      if (!command_.shard.has(item)) continue;
      const std::size_t first = rows_.size();
      // The broad phase hardly affects the time of a narrow phase: with --quick one is enough
      const bool once = command_.quick && narrow[item]->name != defaultNarrow;
      const std::size_t most = once ? 1 : broad.size();
      for (std::size_t k = 0; k < most && !progress.cancelled; ++k) {
        const BroadPhaseEntry* const b = broad[k];
        const NarrowPhaseEntry* const n = narrow[item];
        // The result of a level does not depend on the broad phase
        if (b == broad.front() && n->interruptible)
          for (int level = 1; level <= sphereLevels; ++level) measure(*b, *n, level);
        measure(*b, *n, Detector::noLevelCap);
        progress.fraction = static_cast<float>(item * broad.size() + k + 1) /
                            static_cast<float>(narrow.size() * broad.size());
      }
      for (std::size_t i = first; i < rows_.size(); ++i)
        detectorsTable().add(result.tables[0], item, rows_[i]);
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
      // Start without state, as at the start of a flight
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

int runDetectors(const DetectorsCommand& requested) {
  DetectorsCommand command = requested;
  if (command.quick) {
    command.ships = std::min(command.ships, detectorsQuickShips);
    command.steps = std::min(command.steps, detectorsQuickSteps);
    command.rounds = 1;
  }
  ExperimentResult result = newResult("detectors", command,
                                      {{"seed", settingText(command.seed)},
                                       {"models", settingText(command.models)},
                                       {"broad", settingText(command.broad)},
                                       {"narrow", settingText(command.narrow)},
                                       {"ships", settingText(command.ships)},
                                       {"crowding", settingText(command.crowding)},
                                       {"steps", settingText(command.steps)},
                                       {"rounds", settingText(command.rounds)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {detectorsTable().empty()};
  auto shapes = shapesOf(command);
  if (!shapes) return complain(shapes.error(), BadModelOrScene);
  std::vector<ShapeRef> refs;
  for (std::uint32_t i = 0; i < shapes->size(); ++i) refs.push_back(shapes->ref(i));
  const engine::RecordedFlight flight =
      engine::recordFlight(refs, {.ships = command.ships,
                                  .crowding = command.crowding,
                                  .steps = static_cast<std::size_t>(command.steps),
                                  .positionSeed = command.seed,
                                  .pilotSeed = command.seed});
  DetectorComparison comparison(command, *std::move(shapes), flight);
  withProgressLine("detecting by all methods",
                   [&](WorkProgress& progress) { comparison.run(result, progress); });
  const auto& rows = comparison.rows();
  print(result.tables[0]);
  std::size_t wrong = 0;
  for (const DetectorsRow& row : rows)
    wrong += row.missed != 0 || row.invented != 0 || (row.until == "exact" && row.possible != 0);
  fmt::print("{} rows{}; {} differ from the reference\n", rows.size(),
             interrupted() ? " until the interrupt" : "", wrong);
  return writeResult(command, result, wrong > 0 ? ValidationFailed : Ok);
}

const ExperimentEntry detectorsEntry(makeExperiment<DetectorsCommand>(
    "detectors",
    "all broad and narrow phases on the states of one flight: contacts and time, level by level",
    "20 ships, 30 states, one round, one broad phase for most narrow ones", addOptions,
    runDetectors));

}  // namespace
}  // namespace nearmiss::app::lab
