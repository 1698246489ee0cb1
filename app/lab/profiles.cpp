// SPDX-License-Identifier: MIT
/// `nearmiss lab profiles`: frame and detection times of flights against a target in real time, for
/// BSP trees and sphere trees [H96 §11.3, Figs. 17 to 22].
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/profile_runs.h"
#include "lab/result.h"
#include "running/frame_loop.h"
#include "running/scene_shapes.h"

namespace nearmiss::app::lab {
namespace {

using engine::FrameProfile;

constexpr std::uint64_t profileQuickFrames = 60;
constexpr int profileQuickShips = 100;

struct ProfilesCommand : ExperimentCommand {
  std::vector<std::string> runs;       ///< names of the catalogue; empty: all
  std::uint64_t frames = 400;          ///< per run
  double frameMs = 16.7;               ///< target
  double drawMs = 3.0;                 ///< spent in each frame in place of drawing
  std::vector<int> ships{1000, 4000};  ///< per flight
  std::uint64_t seed = 42;
};

void addOptions(OptionList& options, ProfilesCommand& command) {
  std::vector<std::string_view> known;
  for (const ProfileRun& run : profileRunCatalog()) known.push_back(run.name);
  options.names("--run", command.runs, std::move(known), "runs; default: all");
  options.number("--frames", command.frames, 20, 1'000'000, "frames of each run");
  options.number("--frame-ms", command.frameMs, 0.01, 1000.0, "target frame time");
  options.number("--draw-ms", command.drawMs, 0.0, 1000.0,
                 "time that each frame spends in place of drawing");
  options.number("--ships", command.ships, 2, 100'000, "ships of a flight");
  options.seed(command.seed, "seed of the flights");
}

/// A run and its measurements.
struct Flown {
  const ProfileRun& run;
  int ships = 0;
  double targetMs = 0.0, drawMs = 0.0;
  bool limited = true;
  engine::RunSummary summary = {};
  std::size_t triangles = 0;  ///< of all ships
  double allowanceUs = 0.0;   ///< sum over the frames
  std::size_t cutShort = 0;   ///< number of frames

  void add(const FrameProfile& frame) {
    summary.add(frame);
    if (limited) allowanceUs += static_cast<double>(frame.budget.count()) * 1e-3;
    cutShort += frame.exhausted;
  }
  [[nodiscard]] double perFrame(double sum) const {
    return sum / static_cast<double>(summary.frames().all);
  }
  /// Pairs passed to the response, which the paper calls collisions.
  [[nodiscard]] std::uint64_t responses() const {
    const auto& responded = summary.touches().responded;
    return std::accumulate(responded.begin(), responded.end(), std::uint64_t{0});
  }
};

/// A statistic of frame times [ms] or detection times [µs].
auto ofFrames(double engine::SeriesSummary::*figure) {
  return [=](const Flown& row) { return fixed(row.summary.frameMs().*figure, 4); };
}
auto ofDetections(double engine::SeriesSummary::*figure) {
  return [=](const Flown& row) { return fixed(1e3 * (row.summary.detectionMs().*figure), 3); };
}

const TableOf<Flown>& profilesTable() {
  using Row = Flown;
  using Series = engine::SeriesSummary;
  const auto responsesAt = [](std::size_t level) {
    return Column<Row>(
        fmt::format("responses_{}", level), "",
        level == 0                    ? "of these, those by bounding spheres"
        : level == engine::exactDepth ? "by triangles"
                                      : "at this level of spheres",
        [=](const Row& row) { return Cell(row.summary.touches().responded[level]); }, onTerminal);
  };
  static const TableOf<Row> table{
      .name = "profiles",
      .title = "frame and detection times of flights against a target",
      .columns = withPaper<Row>(
          {{"run", "", "the figure of the paper, or shipped",
            [](const Row& row) { return Cell(row.run.name); }, onTerminal},
           {"detector", "", "narrow phase and trees",
            [](const Row& row) { return Cell(row.run.detector); }},
           {"frames", "", "of the flight",
            [](const Row& row) { return Cell(row.summary.frames().all); }},
           {"ships", "", "of the flight", &Row::ships, onTerminal},
           {"triangles", "", "of all ships", &Row::triangles},
           {"target_ms", "ms", "time that a frame may take",
            [](const Row& row) { return shortest(row.targetMs); }},
           {"drawing_ms", "ms", "spent in each frame in place of drawing",
            [](const Row& row) { return shortest(row.drawMs); }},
           {"allowance_us", "us", "mean budget of detection; BSP trees: no limit",
            [](const Row& row) {
              return row.limited ? fixed(row.perFrame(row.allowanceUs), 3) : Cell();
            },
            onTerminal},
           {"frame_mean_ms", "ms", "wall time of a frame", ofFrames(&Series::mean), onTerminal},
           {"frame_sd_ms", "ms", "the same", ofFrames(&Series::sd), onTerminal},
           {"frame_max_ms", "ms", "the same", ofFrames(&Series::max), onTerminal},
           {"times_too_slow", "", "mean frame time to the target",
            [](const Row& row) {
              return significant(row.summary.frameMs().mean / row.targetMs, 4);
            },
            onTerminal},
           {"detection_mean_us", "us", "wall time of detection in a frame",
            ofDetections(&Series::mean), onTerminal},
           {"detection_sd_us", "us", "the same", ofDetections(&Series::sd), onTerminal},
           {"detection_max_us", "us", "the same", ofDetections(&Series::max), onTerminal},
           {"share_over_target", "", "of the frames, those more than 1 % over the target",
            [](const Row& row) {
              return fixed(row.perFrame(static_cast<double>(row.summary.frames().missed)), 4);
            },
            onTerminal},
           {"share_cut_short", "", "of the frames, those in which detection ran out of its budget",
            [](const Row& row) {
              return fixed(row.perFrame(static_cast<double>(row.cutShort)), 4);
            },
            onTerminal},
           {"responses", "", "pairs handed to the response, at every detection while they touch",
            [](const Row& row) { return Cell(row.responses()); }, onTerminal},
           responsesAt(0),
           responsesAt(1),
           responsesAt(2),
           responsesAt(3),
           responsesAt(4),
           responsesAt(5)}),
      .notes = {"the lamps have 626 triangles, as in the paper; detection may take what drawing, "
                "motion and response are predicted to leave of the target",
                "drawing is a wait of constant length that keeps the core busy",
                "BSP trees cannot be cut short, and have no limit; the profile of each run is "
                "profile_RUN_SHIPS.csv"},
      .figures = {{.title = "Frame time against the target",
                   .says = "Means: BSP trees take what they need, sphere trees what is left",
                   .kind = "bars",
                   .x = "run",
                   .y = {"frame_mean_ms", "target_ms"},
                   .by = {"ships"},
                   .log = "y",
                   .xLabel = "run",
                   .yLabel = "milliseconds"}}};
  return table;
}

class ProfileFlights {
 public:
  ProfileFlights(const ProfilesCommand& command, ExperimentResult& result)
      : command_(command), result_(result) {}

  Result<Success> run() {
    std::size_t item = 0;
    for (const int ships : command_.ships)
      for (const ProfileRun& run : profileRunCatalog()) {
        const std::size_t own = item++;
        if (!isRequested(run, command_.runs) || !command_.shard.has(own) || interrupted()) continue;
        if (const auto flown = fly(own, run, ships); !flown) return flown.error();
      }
    return Success{};
  }

 private:
  Result<Success> fly(std::size_t item, const ProfileRun& run, int ships) {
    const Options options =
        profileOptions(run, ships, command_.frameMs, command_.seed, command_.frames);
    const auto shapes = loadSceneShapes(options, engine::needsBspTrees(options.scene));
    if (!shapes) return shapes.error();
    SteadyClock clock;
    const auto simulation = engine::makeSimulation(options.scene, **shapes, clock);
    if (!simulation) return simulation.error();
    auto profile = engine::ProfileWriter::open(
        command_.folder / fmt::format("profile_{}_{}.csv", run.name, ships),
        engine::recordHead(engine::commitName(), options.scene, **shapes, "none",
                           options.realtime));
    if (!profile) return profile.error();
    Flown flown{run, ships, options.scene.frameMs, command_.drawMs,
                options.scene.budget.kind != engine::BudgetRule::Kind::Unlimited};
    for (const BodyState& ship : (*simulation)->world().states())
      flown.triangles +=
          (*shapes)->collision()[ship.shape.index()].polyhedron().mesh().triangles.size();
    const std::array drawing{FrameProfile::Duration(std::llround(command_.drawMs * 1e6))};
    withProgressLine(fmt::format("flying {} with {} ships", run.name, ships),
                     [&](WorkProgress& progress) {
                       FrameLoop loop(options, **simulation);
                       loop.drawFor(drawing);
                       loop.run([&](const FrameProfile& frame) {
                         profile->add(frame);
                         flown.add(frame);
                         progress.fraction = static_cast<float>(flown.summary.frames().all) /
                                             static_cast<float>(command_.frames);
                       });
                     });
    if (const auto closed = profile->close(); !closed) return closed.error();
    if (flown.summary.frames().all > 0) profilesTable().add(result_.tables[0], item, flown);
    return Success{};
  }

  const ProfilesCommand& command_;
  ExperimentResult& result_;
};

int runProfiles(const ProfilesCommand& requested) {
  ProfilesCommand command = requested;
  if (command.quick) {
    command.frames = std::min(command.frames, profileQuickFrames);
    command.ships = {std::min(command.ships.front(), profileQuickShips)};
  }
  ExperimentResult result = newResult("profiles", command,
                                      {{"seed", settingText(command.seed)},
                                       {"frames", settingText(command.frames)},
                                       {"frame_ms", settingText(command.frameMs)},
                                       {"draw_ms", settingText(command.drawMs)},
                                       {"ships", settingText(command.ships)},
                                       {"runs", settingText(command.runs)}});
  result.items = command.ships.size() * profileRunCatalog().size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {profilesTable().empty()};
  const int outcome = outcomeOf(ProfileFlights(command, result).run(), BadModelOrScene);
  print(result.tables[0]);
  return writeResult(command, result, outcome);
}

const ExperimentEntry profilesEntry(makeExperiment<ProfilesCommand>(
    "profiles",
    "frame and detection times against a target, by BSP trees, octrees and medial spheres",
    "at most 60 frames of 100 ships", addOptions, runProfiles));

}  // namespace
}  // namespace nearmiss::app::lab
