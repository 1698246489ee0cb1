// SPDX-License-Identifier: MIT
/// `nearmiss lab profiles`: detection and frame times of flights with a target, for BSP trees and
/// sphere trees [H96 §11.3, Figs. 17 to 22].
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/order_statistics.h"
#include "console/progress_line.h"
#include "lab/drawing.h"
#include "lab/experiment.h"
#include "lab/models.h"
#include "lab/profile_runs.h"
#include "lab/profile_tables.h"
#include "lab/result.h"
#include "running/frame_loop.h"
#include "running/scene_shapes.h"

namespace nearmiss::app::lab {
namespace {

using engine::FrameProfile;

constexpr std::uint64_t profileQuickFrames = 60;
constexpr std::uint64_t calibrationFrames = 400;
constexpr std::chrono::nanoseconds calibrationDrawing{1'000'000};

struct ProfilesCommand : ExperimentCommand {
  std::vector<std::string> runs;  ///< names of the catalogue; empty: all
  std::uint64_t frames = 400;     ///< per run
  double frameMs = 0.0;           ///< target; 0: chosen so that detection has the paper's share
  int subdivisions = 2;           ///< of the lamp's triangles
  std::uint64_t seed = 42;
};

void addOptions(OptionList& options, ProfilesCommand& command) {
  std::vector<std::string_view> known;
  for (const ProfileRun& run : profileRunCatalog()) known.push_back(run.name);
  options.names("--run", command.runs, std::move(known), "runs; default: all");
  options.number("--frames", command.frames, 20, 1'000'000, "frames of each run");
  options.number("--frame-ms", command.frameMs, 0.0, 1000.0,
                 "target frame time; fig21 uses ten times as much; 0: chosen so that detection has "
                 "19 % of it, as in the paper");
  options.number("--subdivisions", command.subdivisions, 0, 4,
                 "how often the lamps' triangles are divided into four");
  options.seed(command.seed, "seed of the flights");
}

const ProfileRun& runNamed(std::string_view name) {
  const auto all = profileRunCatalog();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ProfileRun& run) { return run.name == name; });
}

/// Time that fig19 needs per frame, seconds.
struct Demand {
  double detection = 0.0;  ///< detection finishes within this in the paper's share of frames with
                           ///< collisions
  double rest = 0.0;       ///< everything except detection and drawing
};

/// Measured by flights without a limit that draw like the others, because a wait cools the caches.
Result<Demand> demandOf(const ProfilesCommand& command, const std::string& model,
                        const engine::ShapeSet& shapes, WorkProgress& progress) {
  constexpr std::uint64_t flights = 2;
  std::vector<double> spent, rest;
  for (std::uint64_t i = 0; i < flights; ++i) {
    Options options =
        profileOptions(runNamed(boundRun), model, 1.0, command.seed + 1 + i, calibrationFrames);
    options.realtime = false;
    options.scene.budget.kind = engine::BudgetRule::Kind::Unlimited;
    SteadyClock clock;
    const auto simulation = engine::makeSimulation(options.scene, shapes, clock);
    if (!simulation) return simulation.error();
    FrameLoop loop(options, **simulation);
    loop.drawFor({&calibrationDrawing, 1});
    loop.run([&](const FrameProfile& frame) {
      const auto seconds = [](FrameProfile::Duration time) {
        return std::chrono::duration<double>(time).count();
      };
      const bool collided =
          std::accumulate(frame.collisions.begin(), frame.collisions.end(), 0u) > 0;
      if (collided) spent.push_back(seconds(frame.spent));
      rest.push_back(seconds(frame.frameTime - frame.spent - frame.render));
    });
    progress.fraction = static_cast<float>(i + 1) / flights;
  }
  if (interrupted()) return experimentCancelled();
  if (spent.empty())
    return Error{ErrorCode::Unsupported,
                 "no ships met in the flights that find the allowance; another --seed may do"};
  return Demand{percentile(spent, paperShareAtLevel4), median(rest)};
}

class ProfileFlights {
 public:
  ProfileFlights(const ProfilesCommand& command, ExperimentResult& result)
      : command_(command), result_(result) {}

  Result<Success> run() {
    const auto all = profileRunCatalog();
    for (std::size_t item = 0; item < all.size(); ++item) {
      const auto& requested = command_.runs;
      if (!requested.empty() &&
          std::find(requested.begin(), requested.end(), all[item].name) == requested.end())
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
    if (demand_.detection > 0.0) return Success{};
    auto lamps = writeLamps();
    if (!lamps) return lamps.error();
    model_ = lamps->string();
    const Options options = profileOptions(runNamed(boundRun), model_, 1.0, 1, 1);
    const auto shapes = loadSceneShapes(options, false);
    if (!shapes) return shapes.error();
    Result<Demand> demand = experimentCancelled();
    withProgressLine("finding the allowance that binds", [&](WorkProgress& progress) {
      demand = demandOf(command_, model_, **shapes, progress);
    });
    if (!demand) return demand.error();
    demand_ = *demand;
    frameMs_ =
        command_.frameMs > 0.0 ? command_.frameMs : 1e3 * demand_.detection / paperDetectionShare;
    result_.found = {{"target_ms", fmt::format("{:.4f}", frameMs_)},
                     {"allowance_us", fmt::format("{:.1f}", 1e6 * demand_.detection)}};
    return Success{};
  }

  /// Writes the lamp with subdivided triangles as a file next to the results.
  Result<std::filesystem::path> writeLamps() const {
    auto lamp = readShip("lamp");
    if (!lamp) return lamp.error();
    TriangleMesh mesh = std::move(lamp->mesh);
    for (int i = 0; i < command_.subdivisions; ++i) mesh = subdivided(mesh);
    const auto file = command_.folder / fmt::format("lamp_{}.obj", mesh.triangles.size());
    std::ofstream out(file);
    for (const Vec3& p : mesh.positions)
      out << fmt::format("v {:.17g} {:.17g} {:.17g}\n", p.x, p.y, p.z);
    for (const auto& t : mesh.triangles)
      out << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    if (!out.flush())
      return Error{ErrorCode::Unreadable, fmt::format("cannot write \"{}\"", file.string())};
    return file;
  }

  /// Scales drawing so that detection gets its intended time.
  [[nodiscard]] Drawing drawingFor(const Options& options, bool steady) const {
    Drawing drawing;
    withProgressLine(fmt::format("drawing {}", options.scene.name), [&](WorkProgress&) {
      drawing = recordDrawing(options.scene, command_.folder, command_.frames);
    });
    const double wanted = 1e-3 * options.scene.frameMs - demand_.detection - demand_.rest;
    const double mean = std::chrono::duration<double>(drawing.mean()).count();
    drawing = drawing.scaled(std::max(wanted, 0.0) / mean);
    return steady ? drawing.steady() : drawing;
  }

  Result<Success> fly(std::size_t item, const ProfileRun& run) {
    const Options options = profileOptions(run, model_, frameMs_, command_.seed, command_.frames);
    const auto shapes = loadSceneShapes(options, engine::needsBspTrees(options.scene));
    if (!shapes) return shapes.error();
    const Drawing drawing = drawingFor(options, run.steadyDrawing);
    SteadyClock clock;
    const auto simulation = engine::makeSimulation(options.scene, **shapes, clock);
    if (!simulation) return simulation.error();
    auto profile =
        engine::ProfileWriter::open(command_.folder / fmt::format("profile_{}.csv", run.name),
                                    engine::recordHead(engine::commitName(), options.scene,
                                                       **shapes, "none", options.realtime));
    if (!profile) return profile.error();
    Flown flown{run, options.scene.frameMs};
    for (const BodyState& ship : (*simulation)->world().states())
      flown.triangles +=
          (*shapes)->collision()[ship.shape.index()].polyhedron().mesh().triangles.size();
    withProgressLine(fmt::format("flying {}", run.name), [&](WorkProgress& progress) {
      FrameLoop loop(options, **simulation);
      loop.drawFor(drawing.frames);
      loop.run([&](const FrameProfile& frame) {
        profile->add(frame);
        flown.add(frame);
        progress.fraction =
            static_cast<float>(flown.summary.frames().all) / static_cast<float>(command_.frames);
      });
    });
    if (const auto closed = profile->close(); !closed) return closed.error();
    if (flown.summary.frames().all == 0) return Success{};
    result_.found.emplace_back(fmt::format("drawing_{}", run.name), drawing.source);
    profilesTable().add(result_.tables[0], item, flown);
    for (std::size_t level = 1; level < flown.summary.touches().begun.size(); ++level)
      profileLevelsTable().add(result_.tables[1], item, {flown, level});
    return Success{};
  }

  const ProfilesCommand& command_;
  ExperimentResult& result_;
  Demand demand_;
  double frameMs_ = 0.0;
  std::string model_;  ///< the file of the lamp
};

/// Fills in the ratio of BSP trees to the reference run.
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

int runProfiles(const ProfilesCommand& requested) {
  ProfilesCommand command = requested;
  if (command.quick) {
    command.frames = std::min(command.frames, profileQuickFrames);
    command.subdivisions = std::min(command.subdivisions, 1);
  }
  ExperimentResult result = newResult("profiles", command,
                                      {{"seed", settingText(command.seed)},
                                       {"frames", settingText(command.frames)},
                                       {"frame_ms", settingText(command.frameMs)},
                                       {"subdivisions", settingText(command.subdivisions)},
                                       {"runs", settingText(command.runs)}});
  result.items = profileRunCatalog().size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {profilesTable().empty(), profileLevelsTable().empty()};
  const int outcome = outcomeOf(ProfileFlights(command, result).run(), BadModelOrScene);
  if (command.shard.whole()) finishProfiles(result);
  for (const Table& table : result.tables) print(table);
  return writeResult(command, result, outcome);
}

const ExperimentEntry profilesEntry(makeExperiment<ProfilesCommand>(
    "profiles",
    "frame and detection times against a target, by BSP trees, octrees and medial spheres",
    "at most 60 frames of lamps divided once", addOptions, runProfiles, finishProfiles));

}  // namespace
}  // namespace nearmiss::app::lab
