// SPDX-License-Identifier: MIT
/// `nearmiss lab profiles1996`: the flights of H96 §11.3 on a clock that charges each operation the
/// price of 1996, so that the frames of Figs. 17 to 22 can be compared second by second.
#include <engine/flight/simulation.h>
#include <engine/record/series.h>
#include <engine/scene/scene.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "console/complaint.h"
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

constexpr std::uint64_t quickFrames1996 = 60;
/// Time left by drawing in the run with trucks: frames of 1 s, "more than 0.9 seconds" of drawing
/// [H96 §11.3].
constexpr double truckAllowance = 0.1;
/// A sphere or plane test costs one unit, a test of two triangles as many as on the work clock.
constexpr std::uint64_t triangleUnits =
    static_cast<std::uint64_t>(WorkClock::triangleTestPrice / WorkClock::boundTestPrice);

struct Profiles1996Command : ExperimentCommand {
  std::vector<std::string> runs;
  std::uint64_t frames = 400;  ///< 40 s of simulation, as in the paper
  double price = 0.0;          ///< nanoseconds per unit; 0: calibrated by the BSP trees
  double radius = 0.0;         ///< of the arena, metres; 0: as in `profiles`
  std::uint64_t seed = 42;
};

bool isOfPaper(const ProfileRun& run) { return run.name != "shipped"; }

void addOptions(OptionList& options, Profiles1996Command& command) {
  std::vector<std::string_view> known;
  for (const ProfileRun& run : profileRunCatalog())
    if (isOfPaper(run)) known.push_back(run.name);
  options.names("--run", command.runs, std::move(known), "runs; default: all");
  options.number("--frames", command.frames, 20, 1'000'000, "frames of each run, 0.1 s each");
  options.number("--price", command.price, 0.0, 1e9,
                 "nanoseconds per sphere or plane test; 0: so that a frame of BSP trees takes the "
                 "paper's 5.825 s on average");
  options.number("--radius", command.radius, 0.0, 1e6,
                 "radius of the arena in m, which the paper does not state; 0: that of profiles");
  options.seed(command.seed, "seed of the flights");
}

/// Advances by counted work at one price per unit.
class PricedClock final : public Clock {
 public:
  explicit PricedClock(double nsPerUnit) : price_(nsPerUnit) {}
  [[nodiscard]] Duration now() const noexcept override {
    return Duration(std::llround(static_cast<double>(units_) * price_));
  }
  void charge(const WorkCount& work) noexcept override {
    units_ += work.boundTests + triangleUnits * work.triangleTests;
  }

 private:
  double price_;
  std::uint64_t units_ = 0;
};

/// A run and its measurements. Times are seconds of 1996.
struct Flown1996 {
  const ProfileRun& run;
  double price = 0.0, target = 0.0, allowance = 0.0;
  std::size_t triangles = 0;  ///< of all ships
  engine::Series detection{}, frame{};
  std::size_t slowFrames = 0;  ///< 10 to 100 times too slow
  std::array<std::uint64_t, FrameProfile::levels> responded{};
  // Of pairs that the response handled
  engine::Series gaps{};     ///< true distances, metres
  std::size_t touching = 0;  ///< number of `gaps` that are 0
  engine::Series bounds{};   ///< separation bounds, metres
  engine::Series tilts{};  ///< angles between the normal of the response and the true one, degrees
  engine::Series strides{};  ///< relative motion between two detections, metres

  [[nodiscard]] bool limited() const noexcept { return std::isfinite(allowance); }
  [[nodiscard]] std::uint64_t responses() const {
    return std::accumulate(responded.begin(), responded.end(), std::uint64_t{0});
  }
};

/// A statistic of a series, empty if nothing was added.
auto statistic(engine::Series Flown1996::*series, double engine::SeriesSummary::*figure,
               int digits) {
  return [=](const Flown1996& row) {
    const engine::Series& values = row.*series;
    return values.size() > 0 ? significant(values.summary().*figure, digits) : Cell();
  };
}

const TableOf<Flown1996>& table1996() {
  using Row = Flown1996;
  using Series = engine::SeriesSummary;
  const auto levelColumn = [](std::size_t level) {
    return Column<Row>(
        fmt::format("responses_{}", level), "", "pairs handed to the response at this level",
        [=](const Row& row) { return Cell(row.responded[level]); }, onTerminal);
  };
  const auto paperLevel = [](std::size_t level) {
    return Column<Row>(fmt::format("paper_responses_{}", level), "", "as published",
                       [=](const Row& row) { return shortest(row.run.paper.atLevel[level - 1]); });
  };
  static const TableOf<Row> table{
      .name = "profiles1996",
      .title = "frame and detection times of the paper's flights, at one price per operation",
      .columns = withPaper<Row>(
          {{"run", "", "figure of the paper", [](const Row& row) { return Cell(row.run.name); },
            onTerminal},
           {"detector", "", "narrow phase and trees",
            [](const Row& row) { return Cell(row.run.detector); }},
           {"price_us", "us",
            "of a sphere or plane test; a pair of triangles costs 40 times as much",
            [](const Row& row) { return significant(1e-3 * row.price, 4); }, onTerminal},
           {"frames", "", "of the flight", [](const Row& row) { return Cell(row.frame.size()); }},
           {"triangles", "", "of the ten ships", &Row::triangles},
           {"target_s", "s", "of a frame", [](const Row& row) { return shortest(row.target); }},
           {"allowance_s", "s", "what detection may have of a frame; BSP trees: no limit",
            [](const Row& row) { return row.limited() ? shortest(row.allowance) : Cell(); }},
           {"frame_mean_s", "s", "drawing, detection and slack",
            statistic(&Row::frame, &Series::mean, 4), onTerminal},
           {"frame_sd_s", "s", "the same", statistic(&Row::frame, &Series::sd, 3), onTerminal},
           {"frame_max_s", "s", "the same", statistic(&Row::frame, &Series::max, 4), onTerminal},
           {"detection_mean_s", "s", "of a frame", statistic(&Row::detection, &Series::mean, 4),
            onTerminal},
           {"detection_sd_s", "s", "of a frame", statistic(&Row::detection, &Series::sd, 3),
            onTerminal},
           {"detection_max_s", "s", "of a frame", statistic(&Row::detection, &Series::max, 4),
            onTerminal},
           {"times_too_slow", "", "mean of detection to the target",
            [](const Row& row) {
              return significant(row.detection.summary().mean / row.target, 3);
            },
            onTerminal},
           {"share_10_to_100", "", "of the frames, those 10 to 100 times too slow",
            [](const Row& row) {
              return significant(
                  static_cast<double>(row.slowFrames) / static_cast<double>(row.frame.size()), 3);
            }},
           {"responses", "", "pairs handed to the response, at every detection while they touch",
            [](const Row& row) { return Cell(row.responses()); }, onTerminal},
           {"responses_0", "", "by bounding spheres only",
            [](const Row& row) { return Cell(row.responded[0]); }, onTerminal},
           levelColumn(1),
           levelColumn(2),
           levelColumn(3),
           levelColumn(4),
           {"gap_mean_m", "m",
            "mean true separation at response, over the last detection of each frame",
            statistic(&Row::gaps, &Series::mean, 3), onTerminal},
           {"gap_max_m", "m", "the largest of these", statistic(&Row::gaps, &Series::max, 3)},
           {"touching_share", "", "of these responses, those of ships that truly touch",
            [](const Row& row) {
              return significant(
                  static_cast<double>(row.touching) / static_cast<double>(row.gaps.size()), 3);
            },
            onTerminal},
           {"bound_mean_m", "m", "mean separation bound of these responses",
            statistic(&Row::bounds, &Series::mean, 3), onTerminal},
           {"tilt_mean_deg", "deg",
            "mean angle between the normal of these responses and the true one, which is that of "
            "the contact points, or of the shortest line between ships apart",
            statistic(&Row::tilts, &Series::mean, 3), onTerminal},
           {"stride_mean_m", "m",
            "mean distance that these ships move relative to each other between two detections",
            statistic(&Row::strides, &Series::mean, 3), onTerminal}},
          {paperLevel(1), paperLevel(2), paperLevel(3), paperLevel(4)}),
      .notes = {"one number of the paper sets the price: BSP trees take 5.825 s a frame; all other "
                "numbers come out or do not",
                "drawing takes what the paper's detection leaves of the target: 0.081 s for lamps, "
                "0.9 s for trucks, in every frame; motion and response are free, as the paper "
                "found them insignificant",
                "flights, prices and counts are deterministic",
                "arena and pace are ours, because the paper does not state its own: ten lamps in a "
                "ball of 3.6 m, 1.5 m a ship"},
      .figures = {{.title = "Responses by level",
                   .says = "How far detection came at the prices of 1996",
                   .kind = "bars",
                   .x = "run",
                   .y = {"responses_1", "responses_2", "responses_3", "responses_4"},
                   .xLabel = "run",
                   .yLabel = "responses"}}};
  return table;
}

class Flights1996 {
 public:
  Flights1996(const Profiles1996Command& command, ExperimentResult& result)
      : command_(command), result_(result) {}

  Result<Success> run() {
    std::size_t item = 0;
    for (const ProfileRun& run : profileRunCatalog()) {
      if (!isOfPaper(run)) continue;
      const std::size_t own = item++;
      if (!isRequested(run, command_.runs) || !command_.shard.has(own) || interrupted()) continue;
      if (const auto priced = setPrice(); !priced) return priced.error();
      const auto flown = fly(run, price_);
      if (!flown) return flown.error();
      if (!interrupted()) table1996().add(result_.tables[0], own, *flown);
    }
    return Success{};
  }

 private:
  /// Chooses the price by a flight with BSP trees, whose path does not depend on it.
  Result<Success> setPrice() {
    if (price_ > 0.0) return Success{};
    price_ = command_.price;
    if (!(price_ > 0.0)) {
      const ProfileRun& bsp = profileRunCatalog().front();
      const auto flown = fly(bsp, 1.0);
      if (!flown) return flown.error();
      price_ = *bsp.paper.detectionMean / flown->detection.summary().mean;
    }
    result_.found = {{"price_us", fmt::format("{:.4g}", 1e-3 * price_)}};
    return Success{};
  }

  Result<Flown1996> fly(const ProfileRun& run, double price) const {
    Options options =
        profileOptions(run, paperShips, 1e3 * run.paperTarget, command_.seed, command_.frames);
    options.realtime = false;
    if (command_.radius > 0.0) options.scene.arena.radius = command_.radius;
    const engine::Scene& scene = options.scene;
    const auto shapes = loadSceneShapes(options, engine::needsBspTrees(scene));
    if (!shapes) return shapes.error();
    PricedClock clock(price);
    const auto simulation = engine::makeSimulation(scene, **shapes, clock);
    if (!simulation) return simulation.error();
    (*simulation)->setCancelled(&interruption());

    Flown1996 flown{run, price, run.paperTarget, NAN};
    if (scene.budget.kind != engine::BudgetRule::Kind::Unlimited)
      flown.allowance =
          run.paperTarget >= 1.0 ? truckAllowance : run.paperTarget * paperDetectionShare;
    const Shapes& models = (*shapes)->collision();
    for (const BodyState& ship : (*simulation)->world().states())
      flown.triangles += models[ship.shape.index()].polyhedron().mesh().triangles.size();

    engine::FrameInput input = frameInputOf(scene);
    // Without a limit the work would not be charged
    input.detectionBudget = flown.limited() ? Clock::Duration(std::llround(1e9 * flown.allowance))
                                            : Clock::Duration(std::int64_t{1} << 62);
    const double drawing = flown.limited() ? flown.target - flown.allowance : 0.0;
    withProgressLine(fmt::format("flying {}", run.name), [&](WorkProgress& progress) {
      for (std::uint64_t frame = 0; frame < command_.frames && !interrupted(); ++frame) {
        const engine::FrameOutput& output = (*simulation)->advance(input);
        if (output.cancelled) return;
        const double spent = std::chrono::duration<double>(output.profile.spent).count();
        const double frameTime = std::max(drawing + spent, flown.target);
        flown.detection.add(spent);
        flown.frame.add(frameTime);
        flown.slowFrames += frameTime >= 10.0 * flown.target && frameTime <= 100.0 * flown.target;
        for (std::size_t level = 0; level < flown.responded.size(); ++level)
          flown.responded[level] += output.profile.responded[level];
        measureErrors(output, models, scene.detectStep, flown);
        progress.fraction = static_cast<float>(frame + 1) / static_cast<float>(command_.frames);
      }
    });
    return flown;
  }

  /// Measures the errors of the pairs of the last detection, which the response took [H96 §2].
  static void measureErrors(const engine::FrameOutput& output, const Shapes& models, Real step,
                            Flown1996& flown) {
    if (!output.detection || output.detection->time < output.profile.simTime) return;
    for (const DetectedPair& pair : output.detection->pairs) {
      if (pair.refinement.verdict == Verdict::Separate) continue;
      const BodyState &a = output.bodies[pair.bodies.a], &b = output.bodies[pair.bodies.b];
      const Shape &shapeA = models[a.shape.index()], &shapeB = models[b.shape.index()];
      const DistanceBounds gap = distance(shapeA, a.pose, shapeB, b.pose);
      flown.gaps.add(gap.upper);
      flown.touching += gap.upper <= 0.0;
      flown.bounds.add(pair.refinement.separationBound);
      // A bounce along the normal keeps the relative speed
      flown.strides.add(glm::distance(a.velocity, b.velocity) * step);
      Vec3 truth = gap.pointA - gap.pointB;
      if (gap.upper <= 0.0) {
        truth = Vec3(0.0);
        for (const ManifoldPoint& point : contactManifold(shapeA, a.pose, shapeB, b.pose).points)
          truth += std::max(point.depth, 0.0) * point.normal;
      }
      const ContactSpheres& spheres = pair.refinement.deepest;
      const Vec3 used = spheres.a.centre - spheres.b.centre;
      const Real sizes = glm::length(truth) * glm::length(used);
      if (sizes > 0.0)
        flown.tilts.add(
            glm::degrees(std::acos(std::clamp(glm::dot(truth, used) / sizes, -1.0, 1.0))));
    }
  }

  const Profiles1996Command& command_;
  ExperimentResult& result_;
  double price_ = 0.0;
};

int runProfiles1996(const Profiles1996Command& requested) {
  Profiles1996Command command = requested;
  if (command.quick) command.frames = std::min(command.frames, quickFrames1996);
  ExperimentResult result = newResult("profiles1996", command,
                                      {{"seed", settingText(command.seed)},
                                       {"frames", settingText(command.frames)},
                                       {"price", settingText(command.price)},
                                       {"radius", settingText(command.radius)},
                                       {"runs", settingText(command.runs)}});
  const auto all = profileRunCatalog();
  result.items = static_cast<std::size_t>(std::ranges::count_if(all, isOfPaper));
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {table1996().empty()};
  const int outcome = outcomeOf(Flights1996(command, result).run(), BadModelOrScene);
  for (const Table& table : result.tables) print(table);
  return writeResult(command, result, outcome);
}

const ExperimentEntry profiles1996Entry(makeExperiment<Profiles1996Command>(
    "profiles1996", "frame and detection times of the paper's flights, at the prices of 1996",
    "at most 60 frames", addOptions, runProfiles1996));

}  // namespace
}  // namespace nearmiss::app::lab
