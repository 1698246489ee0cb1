// SPDX-License-Identifier: MIT
/// `nearmiss lab profiles`: detection and frame times of flights against a target, by BSP trees and
/// by sphere trees [H96 §11.3, Figs. 17 to 22].
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "frame_loop.h"
#include "lab/experiment.h"
#include "lab/profile_runs.h"
#include "lab/result.h"
#include "order_statistics.h"
#include "scene_shapes.h"

namespace nearmiss::app::lab {
namespace {

using engine::FrameProfile;

constexpr std::uint64_t profileQuickFrames = 60;
constexpr double profileQuickFrameMs = 4.0;
constexpr double calibrationMs = 4.0;
constexpr std::uint64_t calibrationFrames = 400;
constexpr std::string_view referenceRun = "fig17", boundRun = "fig19";

struct ProfilesCommand : ExperimentCommand {
  std::vector<std::string> runs;   ///< of the catalogue; empty: all
  std::uint64_t frames = 400;      ///< of each run
  double frameMs = 1000.0 / 60.0;  ///< the target, where the paper's was 0.1 s
  std::uint64_t seed = 42;
};

void addOptions(OptionList& options, ProfilesCommand& command) {
  std::vector<std::string_view> known;
  for (const ProfileRun& run : profileRunCatalog()) known.push_back(run.name);
  options.names("--run", command.runs, std::move(known), "runs; default: all");
  options.number("--frames", command.frames, 20, 1'000'000, "frames of each run");
  options.number("--frame-ms", command.frameMs, 0.1, 1000.0,
                 "target frame time; fig21 has ten times as much");
  options.seed(command.seed, "seed of the flights");
}

/// A run, and what its flight took.
struct Flown {
  const ProfileRun& run;
  double targetMs = 0.0;
  engine::RunSummary summary = {};
  double allowanceUs = 0.0, narrowUs = 0.0;  ///< sums
  std::size_t cutShort = 0;                  ///< frames

  void add(const FrameProfile& frame) {
    summary.add(frame);
    allowanceUs += static_cast<double>(frame.budget.count()) * 1e-3;
    narrowUs += static_cast<double>(frame.narrow.count()) * 1e-3;
    cutShort += frame.exhausted;
  }
  [[nodiscard]] double perFrame(double sum) const {
    return sum / static_cast<double>(summary.frames());
  }
  [[nodiscard]] std::uint64_t collisions() const {
    return std::accumulate(summary.collisions().begin(), summary.collisions().end(), 0ull);
  }
  /// What the paper calls collisions.
  [[nodiscard]] std::uint64_t responses() const {
    return std::accumulate(summary.responded().begin(), summary.responded().end(), 0ull);
  }
  /// Frame over target, were the allowance the paper's share of a frame.
  [[nodiscard]] double modelFrame() const {
    return 1.0 - paperDetectionShare +
           paperDetectionShare * 1e3 * summary.detectionMs().mean /
               std::max(perFrame(allowanceUs), 1e-3);
  }
};

/// A figure of all frame times, or of all detection times in microseconds.
auto ofFrames(double engine::SeriesSummary::*figure) {
  return [=](const Flown& row) { return fixed(row.summary.frameMs().*figure, 4); };
}
auto ofDetections(double engine::SeriesSummary::*figure) {
  return [=](const Flown& row) { return fixed(1e3 * (row.summary.detectionMs().*figure), 3); };
}
/// Sums as means per frame.
auto perFrame(double Flown::*sum) {
  return [=](const Flown& row) { return fixed(row.perFrame(row.*sum), 3); };
}
auto published(std::optional<double> PaperProfile::*number) {
  return [=](const Flown& row) { return shortest(row.run.paper.*number); };
}

const TableOf<Flown>& profilesTable() {
  using Row = Flown;
  using Series = engine::SeriesSummary;
  using Paper = PaperProfile;
  const auto nothing = [](const Row&) { return Cell(); };
  static const TableOf<Row> table{
      .name = "profiles",
      .title = "frame and detection times of flights against a target",
      .columns =
          {{"run", "", "the figure of the paper, or shipped",
            [](const Row& row) { return Cell(row.run.name); }, onTerminal},
           {"detector", "", "narrow phase and trees",
            [](const Row& row) { return Cell(row.run.detector); }},
           {"frames", "", "of the flight",
            [](const Row& row) { return Cell(row.summary.frames()); }},
           {"target_ms", "ms", "what a frame may last",
            [](const Row& row) { return shortest(row.targetMs); }},
           {"allowance_us", "us", "mean of what detection may have of a frame",
            perFrame(&Row::allowanceUs), onTerminal},
           {"frame_mean_ms", "ms", "wall time of a frame", ofFrames(&Series::mean), onTerminal},
           {"frame_sd_ms", "ms", "the same", ofFrames(&Series::sd), onTerminal},
           {"frame_max_ms", "ms", "the same", ofFrames(&Series::max), onTerminal},
           {"detection_mean_us", "us", "wall time of detection in a frame",
            ofDetections(&Series::mean), onTerminal},
           {"narrow_mean_us", "us", "of that, the narrow phase", perFrame(&Row::narrowUs)},
           {"detection_sd_us", "us", "wall time of detection", ofDetections(&Series::sd),
            onTerminal},
           {"detection_max_us", "us", "the same", ofDetections(&Series::max), onTerminal},
           {"share_over_target", "", "of the frames, those more than 1 % over the target",
            [](const Row& row) {
              return fixed(row.perFrame(static_cast<double>(row.summary.missed())), 4);
            },
            onTerminal},
           {"share_cut_short", "",
            "of the frames, those in which detection ran out of its allowance",
            [](const Row& row) {
              return fixed(row.perFrame(static_cast<double>(row.cutShort)), 4);
            }},
           {"collisions", "", "touches that began",
            [](const Row& row) { return Cell(row.collisions()); }, onTerminal},
           {"responses", "", "pairs handed to the response, at every detection while they touch",
            [](const Row& row) { return Cell(row.responses()); }, onTerminal},
           {"bsp_ratio", "", "mean detection time of fig17 to that of this run", nothing},
           {"bsp_narrow_ratio", "", "the same of the narrow phase", nothing, onTerminal},
           {"model_frame_over_target", "",
            "computed: mean frame over target, if the allowance were the paper's 19 % of a frame",
            [](const Row& row) { return significant(row.modelFrame(), 4); }},
           {"paper_frame_mean_s", "s", "as published", published(&Paper::frameMean)},
           {"paper_frame_sd_s", "s", "as published", published(&Paper::frameSd)},
           {"paper_frame_max_s", "s", "as published", published(&Paper::frameMax)},
           {"paper_detection_mean_s", "s", "as published", published(&Paper::detectionMean)},
           {"paper_detection_sd_s", "s", "as published", published(&Paper::detectionSd)},
           {"paper_detection_max_s", "s", "as published", published(&Paper::detectionMax)},
           {"paper_collisions", "", "as published: to be compared with responses",
            published(&Paper::collisions)},
           {"paper_bsp_ratio", "", "as published, of two flights",
            [](const Row& row) {
              return row.run.name == boundRun ? significant(paperBspRatio, 3) : Cell();
            }}},
      .notes =
          {"fig19 is the flight of Figs. 18, 19 and 20",
           "detection's allowance is the target divided by the scale, at which it cuts as "
           "many collisions short as in the paper; a frame idles until its target is over, "
           "where the paper's drew",
           "the paper counts every response as a collision: 780 by BSP trees and 274 by sphere "
           "trees, in two flights; so do responses, whereas collisions begin once",
           "BSP trees cannot be cut short; the profile of each run is profile_RUN.csv"},
      .figures = {{.title = "Detection time of a frame",
                   .says = "Means: BSP trees take what they need, sphere trees what they may have",
                   .kind = "bars",
                   .x = "run",
                   .y = {"detection_mean_us", "allowance_us"},
                   .log = "y",
                   .xLabel = "run",
                   .yLabel = "microseconds"}}};
  return table;
}

/// Collisions of a flight at one level.
struct LevelRow {
  const Flown& flown;
  std::size_t level;

  [[nodiscard]] std::uint64_t collisions() const { return flown.summary.collisions()[level]; }
  [[nodiscard]] std::uint64_t responses() const { return flown.summary.responded()[level]; }
  [[nodiscard]] std::optional<double> published() const {
    const PaperProfile& paper = flown.run.paper;
    const bool known = level <= paper.atLevel.size() && paper.collisions;
    return known ? paper.atLevel[level - 1] : std::nullopt;
  }
};

const TableOf<LevelRow>& profileLevelsTable() {
  using Row = LevelRow;
  static const TableOf<Row> table{
      .name = "profiles_levels",
      .title = "collisions and responses by the level that detection reached",
      .columns = {{"run", "", "as in profiles",
                   [](const Row& row) { return Cell(row.flown.run.name); }, onTerminal},
                  {"level", "", "1 to 4: spheres, 5: triangles", &Row::level, onTerminal},
                  {"collisions", "", "touches that began",
                   [](const Row& row) { return Cell(row.collisions()); }, onTerminal},
                  {"share", "", "of all collisions of the run",
                   [](const Row& row) {
                     return significant(static_cast<double>(row.collisions()) /
                                            static_cast<double>(row.flown.collisions()),
                                        4);
                   },
                   onTerminal},
                  {"responses", "", "pairs handed to the response, at every detection",
                   [](const Row& row) { return Cell(row.responses()); }, onTerminal},
                  {"response_share", "", "of all responses of the run",
                   [](const Row& row) {
                     return significant(static_cast<double>(row.responses()) /
                                            static_cast<double>(row.flown.responses()),
                                        4);
                   },
                   onTerminal},
                  {"paper_collisions", "", "as published: responses",
                   [](const Row& row) { return shortest(row.published()); }},
                  {"paper_share", "", "as published",
                   [](const Row& row) {
                     return row.published()
                                ? significant(*row.published() / *row.flown.run.paper.collisions, 3)
                                : Cell();
                   },
                   onTerminal}},
      .figures = {{.title = "Collisions by level",
                   .says = "How deep detection came before its time was over",
                   .kind = "bars",
                   .x = "level",
                   .y = {"share", "response_share", "paper_share"},
                   .by = {"run"},
                   .xLabel = "level",
                   .yLabel = "share of the collisions",
                   .where = {{"run", "fig17oct|fig19|fig21|shipped"}}}}};
  return table;
}

const ProfileRun& runNamed(std::string_view name) {
  const auto all = profileRunCatalog();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ProfileRun& run) { return run.name == name; });
}

/// The time that detection must have so that it is over in as many frames with a collision as
/// collisions reached level 4 in the paper, seconds: by flights without a limit, which idle as the
/// others do, because what idles finds its caches cold.
Result<double> bindingAllowance(const ProfilesCommand& command, const engine::ShapeSet& shapes,
                                WorkProgress& progress) {
  constexpr std::uint64_t flights = 2;
  std::vector<double> spent;
  for (std::uint64_t i = 0; i < flights; ++i) {
    Options options = profileOptions(runNamed(boundRun), std::min(command.frameMs, calibrationMs),
                                     1.0, command.seed + 1 + i, calibrationFrames);
    options.realtime = true;
    options.scene.budget.kind = engine::BudgetRule::Kind::Unlimited;
    SteadyClock clock;
    const auto simulation = engine::makeSimulation(options.scene, shapes, clock);
    if (!simulation) return simulation.error();
    FrameLoop(options, **simulation).run([&](const FrameProfile& frame) {
      const bool collided =
          std::accumulate(frame.collisions.begin(), frame.collisions.end(), 0u) > 0;
      if (collided) spent.push_back(std::chrono::duration<double>(frame.spent).count());
    });
    progress.fraction = static_cast<float>(i + 1) / flights;
  }
  if (spent.empty()) return experimentCancelled();
  return percentile(spent, paperShareAtLevel4);
}

class ProfileFlights {
 public:
  ProfileFlights(const ProfilesCommand& command, ExperimentResult& result)
      : command_(command), result_(result) {}

  Result<Success> run() {
    const auto all = profileRunCatalog();
    for (std::size_t item = 0; item < all.size(); ++item) {
      const auto& asked = command_.runs;
      if (!asked.empty() && std::find(asked.begin(), asked.end(), all[item].name) == asked.end())
        continue;
      if (!command_.shard.has(item) || interrupted()) continue;
      if (const auto calibrated = calibrate(); !calibrated) return calibrated.error();
      const auto flown = fly(item, all[item]);
      if (!flown) return flown.error();
    }
    return Success{};
  }

 private:
  Result<Success> calibrate() {
    if (scale_ > 0.0) return Success{};
    const Options options = profileOptions(runNamed(boundRun), command_.frameMs, 1.0, 1, 1);
    const auto shapes = loadSceneShapes(options, false);
    if (!shapes) return shapes.error();
    Result<double> allowance = experimentCancelled();
    withProgressLine("finding the allowance that binds", [&](WorkProgress& progress) {
      allowance = bindingAllowance(command_, **shapes, progress);
    });
    if (!allowance) return allowance.error();
    scale_ = command_.frameMs * 1e-3 / *allowance;
    result_.found = {{"scale", fmt::format("{:.1f}", scale_)}};
    return Success{};
  }

  Result<Success> fly(std::size_t item, const ProfileRun& run) {
    Options options = profileOptions(run, command_.frameMs, scale_, command_.seed, command_.frames);
    options.realtime = true;
    const auto shapes = loadSceneShapes(options, engine::needsBspTrees(options.scene));
    if (!shapes) return shapes.error();
    SteadyClock clock;
    const auto simulation = engine::makeSimulation(options.scene, **shapes, clock);
    if (!simulation) return simulation.error();
    auto profile = engine::ProfileWriter::open(
        command_.folder / fmt::format("profile_{}.csv", run.name),
        engine::recordHead(engine::commitName(), options.scene, **shapes, "none"));
    if (!profile) return profile.error();
    Flown flown{run, options.scene.frameMs};
    withProgressLine(fmt::format("flying {}", run.name), [&](WorkProgress& progress) {
      FrameLoop(options, **simulation).run([&](const FrameProfile& frame) {
        profile->add(frame);
        flown.add(frame);
        progress.fraction =
            static_cast<float>(flown.summary.frames()) / static_cast<float>(command_.frames);
      });
    });
    if (const auto closed = profile->close(); !closed) return closed.error();
    if (flown.summary.frames() == 0) return Success{};
    profilesTable().add(result_.tables[0], item, flown);
    for (std::size_t level = 1; level < flown.summary.collisions().size(); ++level)
      profileLevelsTable().add(result_.tables[1], item, {flown, level});
    return Success{};
  }

  const ProfilesCommand& command_;
  ExperimentResult& result_;
  double scale_ = 0.0;  ///< 0: not sought yet
};

/// Fills what compares two runs: how many times as long the BSP trees took.
void finishProfiles(ExperimentResult& result) {
  Table& table = result.table("profiles");
  const auto fill = [&table](std::string_view ratio, std::string_view of) {
    double reference = 0.0;
    for (const TableRow& row : table.rows)
      if (table.text(row, "run") == referenceRun) reference = table.number(row, of);
    const std::size_t column = table.column(ratio);
    for (TableRow& row : table.rows)
      if (reference > 0.0 && table.text(row, "run") != referenceRun)
        row.cells[column] = significant(reference / table.number(row, of), 4).text;
  };
  fill("bsp_ratio", "detection_mean_us");
  fill("bsp_narrow_ratio", "narrow_mean_us");
}

int runProfiles(const ProfilesCommand& asked) {
  ProfilesCommand command = asked;
  if (command.quick) {
    command.frames = std::min(command.frames, profileQuickFrames);
    command.frameMs = std::min(command.frameMs, profileQuickFrameMs);
  }
  ExperimentResult result = newResult("profiles", command,
                                      {{"seed", settingText(command.seed)},
                                       {"frames", settingText(command.frames)},
                                       {"frame_ms", settingText(command.frameMs)},
                                       {"runs", settingText(command.runs)}});
  result.items = profileRunCatalog().size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {profilesTable().empty(), profileLevelsTable().empty()};
  const auto done = ProfileFlights(command, result).run();
  if (!done) return complain(done.error(), BadModelOrScene);
  if (command.shard.whole()) finishProfiles(result);
  for (const Table& table : result.tables) print(table);
  return keepResult(command, result, Ok);
}

const ExperimentEntry profilesEntry(makeExperiment<ProfilesCommand>(
    "profiles",
    "frame and detection times against a target, by BSP trees, octrees and medial spheres",
    "at most 60 frames of at most 4 ms", addOptions, runProfiles, finishProfiles));

}  // namespace
}  // namespace nearmiss::app::lab
