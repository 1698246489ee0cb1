// SPDX-License-Identifier: MIT
#include "lab/profiles.h"

#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
constexpr std::string_view referenceRun = "fig17", boundRun = "fig19";

const ProfileRun& runNamed(std::string_view name) {
  const auto all = profileRunCatalog();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ProfileRun& run) { return run.name == name; });
}

/// Searches the scale at which the allowance cuts as many collisions short as in the paper, by
/// short flights that do not wait for their frames' ends.
class Calibration {
 public:
  Calibration(const ProfilesCommand& command, const engine::ShapeSet& shapes)
      : command_(command), shapes_(shapes) {}

  /// Halves the interval between an allowance that is too short for all and one that is enough.
  double scale(WorkProgress& progress) const {
    constexpr double shortest = 1e-7, longest = 1e-3;  // seconds
    constexpr int halvings = 9;
    double low = std::log(shortest), high = std::log(longest);
    for (int i = 0; i < halvings && !progress.cancelled; ++i) {
      const double middle = 0.5 * (low + high);
      (shareAtLevel4(std::exp(middle)) < paperShareAtLevel4 ? low : high) = middle;
      progress.fraction = static_cast<float>(i + 1) / halvings;
    }
    return command_.frameMs * 1e-3 / std::exp(0.5 * (low + high));
  }

 private:
  [[nodiscard]] double shareAtLevel4(double allowance) const {
    constexpr std::uint64_t flights = 4, frames = 400;
    std::uint64_t reached = 0, all = 0;
    for (std::uint64_t i = 0; i < flights; ++i) {
      const Options options =
          profileOptions(runNamed(boundRun), command_.frameMs, command_.frameMs * 1e-3 / allowance,
                         command_.seed + i, frames);
      SteadyClock clock;
      const auto simulation = engine::makeSimulation(options.scene, shapes_, clock);
      if (!simulation) return 0.0;
      FrameLoop(options, **simulation).run([&](const FrameProfile& frame) {
        all += std::accumulate(frame.collisions.begin(), frame.collisions.end(), 0u);
        reached += frame.collisions[4];
      });
    }
    return all == 0 ? 0.0 : static_cast<double>(reached) / static_cast<double>(all);
  }

  const ProfilesCommand& command_;
  const engine::ShapeSet& shapes_;
};

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
      {"detection_sd_us", "the same"},
      {"detection_max_us", "the same"},
      {"share_over_target", "of the frames, those more than 1 % over the target"},
      {"share_cut_short", "of the frames, those in which detection ran out of its allowance"},
      {"collisions", "touches that began"},
      {"bsp_ratio", "mean detection time of fig17 to that of this run"},
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
    withProgressLine("finding the allowance that binds", [&](WorkProgress& progress) {
      scale_ = Calibration(command_, **shapes).scale(progress);
    });
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
    engine::RunSummary summary;
    std::vector<double> allowances;
    std::size_t cutShort = 0;
    withProgressLine(fmt::format("flying {}", run.name), [&](WorkProgress& progress) {
      FrameLoop(options, **simulation).run([&](const FrameProfile& frame) {
        summary.add(frame);
        profile->add(frame);
        allowances.push_back(static_cast<double>(frame.budget.count()) * 1e-3);
        cutShort += frame.exhausted;
        progress.fraction =
            static_cast<float>(summary.frames()) / static_cast<float>(command_.frames);
      });
    });
    if (const auto closed = profile->close(); !closed) return closed.error();
    if (summary.frames() > 0) addRows(item, run, options, summary, mean(allowances), cutShort);
    return Success{};
  }

  void addRows(std::size_t item, const ProfileRun& run, const Options& options,
               const engine::RunSummary& summary, double allowance, std::size_t cutShort) {
    const engine::SeriesSummary frame = summary.frameMs(), detection = summary.detectionMs();
    const auto frames = static_cast<double>(summary.frames());
    const auto& byLevel = summary.collisions();
    const std::uint64_t collisions = std::accumulate(byLevel.begin(), byLevel.end(), 0ull);
    const double model = 1.0 - paperDetectionShare +
                         paperDetectionShare * 1e3 * detection.mean / std::max(allowance, 1e-3);
    const PaperProfile& paper = run.paper;
    result_.table("profiles")
        .add(item,
             fmt::format(
                 "{},{},{},{},{:.3f},{:.4f},{:.4f},{:.4f},{:.3f},{:.3f},{:.3f},{:.4f},{:.4f},{},,"
                 "{:.4g},{},{},{},{},{},{},{},{}",
                 run.name, csvText(std::string(run.detector)), summary.frames(),
                 options.scene.frameMs, allowance, frame.mean, frame.sd, frame.max,
                 1e3 * detection.mean, 1e3 * detection.sd, 1e3 * detection.max,
                 static_cast<double>(summary.missed()) / frames,
                 static_cast<double>(cutShort) / frames, collisions, model,
                 cell("{}", paper.frameMean), cell("{}", paper.frameSd), cell("{}", paper.frameMax),
                 cell("{}", paper.detectionMean), cell("{}", paper.detectionSd),
                 cell("{}", paper.detectionMax), cell("{}", paper.collisions),
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
             "bsp ratio");
  for (const LabRow& row : table.rows)
    fmt::print("{:<9} {:>9.4g} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6} {:>9}\n",
               table.text(row, "run"), table.number(row, "target_ms"),
               table.text(row, "frame_mean_ms"), table.text(row, "frame_sd_ms"),
               table.text(row, "frame_max_ms"), table.text(row, "allowance_us"),
               table.text(row, "detection_mean_us"), table.text(row, "detection_sd_us"),
               table.text(row, "detection_max_us"), table.text(row, "share_over_target"),
               table.text(row, "collisions"), table.text(row, "bsp_ratio"));
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
  double reference = 0.0;
  for (const LabRow& row : table.rows)
    if (table.text(row, "run") == referenceRun) reference = table.number(row, "detection_mean_us");
  const std::size_t ratio = table.column("bsp_ratio");
  for (LabRow& row : table.rows)
    if (reference > 0.0 && table.text(row, "run") != referenceRun)
      row.cells[ratio] = numberCell(reference / table.number(row, "detection_mean_us"), 4);
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
