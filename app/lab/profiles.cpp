// SPDX-License-Identifier: MIT
#include "lab/profiles.h"

#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "frame_loop.h"
#include "lab/profile_runs.h"
#include "lab/results.h"
#include "scene_shapes.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;

constexpr std::uint64_t framesWhenQuick = 60;
constexpr double frameMsWhenQuick = 4.0;
constexpr double calibrationMs = 4.0;
constexpr std::uint64_t calibrationFrames = 400;
constexpr std::string_view referenceRun = "fig17", boundRun = "fig19";

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

void addTables(LabResult& result) {
  LabTable table{"profiles", "frame and detection times of flights against a target", {}, {}, {},
                 {}};
  table.columns = {
      {"run", "the figure of the paper, or shipped"},
      {"detector", "narrow phase and trees"},
      {"frames", "of the flight"},
      {"target_ms", "what a frame may last"},
      {"allowance_us", "mean of what detection may have of a frame"},
      {"frame_mean_ms", "wall time of a frame"},
      {"frame_sd_ms", "the same"},
      {"frame_max_ms", "the same"},
      {"detection_mean_us", "wall time of detection in a frame"},
      {"narrow_mean_us", "of that, the narrow phase"},
      {"detection_sd_us", "wall time of detection"},
      {"detection_max_us", "the same"},
      {"share_over_target", "of the frames, those more than 1 % over the target"},
      {"share_cut_short", "of the frames, those in which detection ran out of its allowance"},
      {"collisions", "touches that began"},
      {"bsp_ratio", "mean detection time of fig17 to that of this run"},
      {"bsp_narrow_ratio", "the same of the narrow phase"},
      {"model_frame_over_target",
       "computed: mean frame over target, if the allowance were the paper's 19 % of a frame"},
      {"paper_frame_mean_s", "as published"},
      {"paper_frame_sd_s", "as published"},
      {"paper_frame_max_s", "as published"},
      {"paper_detection_mean_s", "as published"},
      {"paper_detection_sd_s", "as published"},
      {"paper_detection_max_s", "as published"},
      {"paper_collisions", "as published"},
      {"paper_bsp_ratio", "as published, of two flights"}};
  table.notes = {
      "fig19 is the flight of Figs. 18, 19 and 20",
      "detection's allowance is the target divided by the scale, at which it cuts as many "
      "collisions short as in the paper; a frame idles until its target is over, where the paper's "
      "drew",
      "BSP trees cannot be cut short; the profile of each run is profile_RUN.csv"};
  table.figures = {{"Detection time of a frame",
                    "Means: BSP trees take what they need, sphere trees what they may have",
                    "bars",
                    "run",
                    {"detection_mean_us", "allowance_us"},
                    {},
                    "y",
                    "run",
                    "microseconds",
                    {}}};
  LabTable levels{
      "profiles_levels", "collisions by the level that detection reached", {}, {}, {}, {}};
  levels.columns = {{"run", "as in profiles"},
                    {"level", "1 to 4: spheres, 5: triangles"},
                    {"collisions", "touches that began"},
                    {"share", "of all collisions of the run"},
                    {"paper_collisions", "as published"},
                    {"paper_share", "as published"}};
  levels.figures = {{"Collisions by level",
                     "How deep detection came before its time was over",
                     "bars",
                     "level",
                     {"share", "paper_share"},
                     {"run"},
                     "",
                     "level",
                     "share of the collisions",
                     {{"run", "fig17oct|fig19|fig21|shipped"}}}};
  result.tables = {table, levels};
}

/// What a flight took.
struct Flown {
  engine::RunSummary summary;
  double allowanceUs = 0.0, narrowUs = 0.0;  ///< sums
  std::size_t cutShort = 0;                  ///< frames

  void add(const FrameProfile& frame) {
    summary.add(frame);
    allowanceUs += static_cast<double>(frame.budget.count()) * 1e-3;
    narrowUs += static_cast<double>(frame.narrow.count()) * 1e-3;
    cutShort += frame.exhausted;
  }
};

class Experiment {
 public:
  Experiment(const ProfilesCommand& command, LabResult& result)
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
    Flown flown;
    withProgressLine(fmt::format("flying {}", run.name), [&](WorkProgress& progress) {
      FrameLoop(options, **simulation).run([&](const FrameProfile& frame) {
        profile->add(frame);
        flown.add(frame);
        progress.fraction =
            static_cast<float>(flown.summary.frames()) / static_cast<float>(command_.frames);
      });
    });
    if (const auto closed = profile->close(); !closed) return closed.error();
    if (flown.summary.frames() > 0) addRows(item, run, options, flown);
    return Success{};
  }

  void addRows(std::size_t item, const ProfileRun& run, const Options& options,
               const Flown& flown) {
    const engine::RunSummary& summary = flown.summary;
    const engine::SeriesSummary frame = summary.frameMs(), detection = summary.detectionMs();
    const auto frames = static_cast<double>(summary.frames());
    const double allowance = flown.allowanceUs / frames, narrow = flown.narrowUs / frames;
    const auto& byLevel = summary.collisions();
    const std::uint64_t collisions = std::accumulate(byLevel.begin(), byLevel.end(), 0ull);
    const double model = 1.0 - paperDetectionShare +
                         paperDetectionShare * 1e3 * detection.mean / std::max(allowance, 1e-3);
    const PaperProfile& paper = run.paper;
    result_.table("profiles")
        .add(item, fmt::format("{},{},{},{},{:.3f},{:.4f},{:.4f},{:.4f},{:.3f},{:.3f},{:.3f},{:.3f}"
                               ",{:.4f},{:.4f},{},,,"
                               "{:.4g},{},{},{},{},{},{},{},{}",
                               run.name, csvText(std::string(run.detector)), summary.frames(),
                               options.scene.frameMs, allowance, frame.mean, frame.sd, frame.max,
                               1e3 * detection.mean, narrow, 1e3 * detection.sd,
                               1e3 * detection.max, static_cast<double>(summary.missed()) / frames,
                               static_cast<double>(flown.cutShort) / frames, collisions, model,
                               cell("{}", paper.frameMean), cell("{}", paper.frameSd),
                               cell("{}", paper.frameMax), cell("{}", paper.detectionMean),
                               cell("{}", paper.detectionSd), cell("{}", paper.detectionMax),
                               cell("{}", paper.collisions),
                               run.name == boundRun ? numberCell(paperBspRatio, 3) : ""));
    for (std::size_t level = 1; level < byLevel.size(); ++level) {
      const bool known = level <= paper.atLevel.size() && paper.collisions;
      const std::optional<double> published = known ? paper.atLevel[level - 1] : std::nullopt;
      const auto count = static_cast<double>(byLevel[level]);
      result_.table("profiles_levels")
          .add(item, fmt::format("{},{},{},{},{},{}", run.name, level, byLevel[level],
                                 numberCell(count / static_cast<double>(collisions), 4),
                                 cell("{}", published),
                                 published ? numberCell(*published / *paper.collisions, 3) : ""));
    }
  }

  const ProfilesCommand& command_;
  LabResult& result_;
  double scale_ = 0.0;  ///< 0: not sought yet
};

void print(LabResult& result) {
  const LabTable& table = result.table("profiles");
  fmt::print("{:<9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6} {:>9}\n", "run",
             "target ms", "mean", "sd", "max", "allow. us", "mean us", "sd", "max", "over", "coll.",
             "bsp narrow");
  for (const LabRow& row : table.rows)
    fmt::print("{:<9} {:>9.4g} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6} {:>9}\n",
               table.text(row, "run"), table.number(row, "target_ms"),
               table.text(row, "frame_mean_ms"), table.text(row, "frame_sd_ms"),
               table.text(row, "frame_max_ms"), table.text(row, "allowance_us"),
               table.text(row, "detection_mean_us"), table.text(row, "detection_sd_us"),
               table.text(row, "detection_max_us"), table.text(row, "share_over_target"),
               table.text(row, "collisions"), table.text(row, "bsp_narrow_ratio"));
  for (const LabRow& row : result.table("profiles_levels").rows)
    if (row.cells[2] != "0")
      fmt::print("{:<9} level {}: {:>4} collisions, share {} (paper: {})\n", row.cells[0],
                 row.cells[1], row.cells[2], row.cells[3],
                 row.cells[5].empty() ? "-" : row.cells[5]);
}

}  // namespace

std::vector<std::string_view> profileRuns() {
  std::vector<std::string_view> names;
  for (const ProfileRun& run : profileRunCatalog()) names.push_back(run.name);
  return names;
}

void finishProfiles(LabResult& result) {
  LabTable& table = result.table("profiles");
  const auto fill = [&table](std::string_view ratio, std::string_view of) {
    double reference = 0.0;
    for (const LabRow& row : table.rows)
      if (table.text(row, "run") == referenceRun) reference = table.number(row, of);
    const std::size_t column = table.column(ratio);
    for (LabRow& row : table.rows)
      if (reference > 0.0 && table.text(row, "run") != referenceRun)
        row.cells[column] = numberCell(reference / table.number(row, of), 4);
  };
  fill("bsp_ratio", "detection_mean_us");
  fill("bsp_narrow_ratio", "narrow_mean_us");
}

int runProfiles(const ProfilesCommand& asked) {
  ProfilesCommand command = asked;
  if (command.quick) {
    command.frames = std::min(command.frames, framesWhenQuick);
    command.frameMs = std::min(command.frameMs, frameMsWhenQuick);
  }
  LabResult result = newResult("profiles", command,
                               {{"seed", fmt::format("{}", command.seed)},
                                {"frames", fmt::format("{}", command.frames)},
                                {"frame_ms", fmt::format("{:g}", command.frameMs)},
                                {"runs", namesText(command.runs)}});
  result.items = profileRunCatalog().size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  addTables(result);
  const auto done = Experiment(command, result).run();
  if (!done) return complain(done.error(), BadModelOrScene);
  if (command.shard.whole()) finishProfiles(result);
  print(result);
  return keepResult(command, result, Ok);
}

}  // namespace nearmiss::app
