// SPDX-License-Identifier: MIT
#include "lab/profile_runs.h"

#include <engine/scene/as_published.h>

#include <algorithm>
#include <cmath>

namespace nearmiss::app::lab {
namespace {

/// Metres; about the minimum for placing ten lamps. The paper does not state its value.
constexpr Real arenaOfTen = 3.6;

/// BSP trees cannot be interrupted, so there is no budget.
void byBspTrees(engine::Scene& scene) {
  scene.narrow = "bsp-all";
  scene.budget.kind = engine::BudgetRule::Kind::Unlimited;
}
void byOctrees(engine::Scene& scene) { scene.tree = "octree"; }
void useDefaults(engine::Scene& scene) {
  engine::copyTrees(engine::Scene{}, scene);
  engine::copyTechnique(engine::Scene{}, scene);
  scene.narrow = engine::Scene{}.narrow;
}
/// Trucks as drones [H96, Fig. 21].
void withTrucks(engine::Scene& scene) { scene.drones.front().model = "truck"; }

constexpr std::array<ProfileRun, 5> runs{{
    {.name = "fig17",
     .detector = "BSP trees",
     .paper = {5.825, 1.586, 10.627, {}, {}, {}, 780, {}},
     .choose = byBspTrees},
    {.name = "fig17oct", .detector = "sphere trees by octree", .choose = byOctrees},
    {.name = "fig19",
     .detector = "sphere trees by medial axes",
     .paper = {0.019, 0.003, 0.028, 0.101, 0.002, 0.116, 274, {82, 25, 26, 141}}},
    {.name = "fig21",
     .detector = "sphere trees by medial axes, of trucks",
     .paperTarget = 1.0,
     .paper = {0.018, 0.005, 0.047, {}, {}, {}, 43, {0, 0, 0, 43}},
     .choose = withTrucks},
    {.name = "shipped",
     .detector = "sphere trees of this program's default",
     .choose = useDefaults},
}};

}  // namespace

std::span<const ProfileRun> profileRunCatalog() noexcept { return runs; }

bool isRequested(const ProfileRun& run, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::find(names, run.name) != names.end();
}

Options profileOptions(const ProfileRun& run, int ships, double frameMs, std::uint64_t seed,
                       std::uint64_t frames) {
  Options options;
  options.frames = frames;
  options.realtime = true;
  engine::Scene& scene = options.scene;
  scene.name = run.name;
  scene.seed = seed;
  engine::setAsPublished(scene, true);
  if (ships > paperShips) scene.broad = "space-time-grid";
  // With the slow ships of the papers' steps ten lamps would collide a tenth as often as the
  // paper's
  scene.playerLimits = scene.drones.front().limits = engine::briskLimits;
  scene.drones.front().pilot = engine::briskPilot;
  scene.drones.front().count = ships - 1;
  const Real radius = arenaOfTen * std::cbrt(static_cast<Real>(ships) / paperShips);
  scene.arena = {radius, engine::briskArena.rim, engine::briskArena.pushMax};
  scene.playerModel = scene.drones.front().model = "lamp";
  scene.frameMs = frameMs;
  if (run.choose != nullptr) run.choose(scene);
  return options;
}

}  // namespace nearmiss::app::lab
