// SPDX-License-Identifier: MIT
#include <engine/scene/as_published.h>
#include <fmt/format.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <limits>

namespace nearmiss::engine {
namespace {

/// [H96 §11.1]: levels 1 to 4. The triangles are an additional level of one experiment [§11.2].
constexpr int publishedLevels = 4;

Scene publishedScene() {
  Scene scene;
  scene.asPublished = true;
  scene.tree = "medial";
  scene.coverage = Coverage::Paper;
  scene.nodeBoxRatio = 0.0;
  scene.innerSpheres = 0;
  scene.broad = "space-time";
  scene.narrow = "sphere-tree-all";
  scene.maxLevel = publishedLevels;
  scene.order = RefinementOrder::InTurn;
  scene.importance.fullWithin = std::numeric_limits<Real>::infinity();
  scene.budget.minShare = 0.0;
  scene.response = Response::PublishedBounce;
  scene.instants = Instants::Earliest;
  scene.fixedStep = true;
  scene.simStep = 0.1;
  scene.detectStep = 0.05;
  scene.frameMs = 100.0;
  return scene;
}

bool same(const ShipLimits& a, const ShipLimits& b) noexcept {
  return a.accelerationMax == b.accelerationMax && a.reverseMax == b.reverseMax &&
         a.turnMax == b.turnMax && a.drag == b.drag;
}

/// Compares the pace and ignores the temper.
bool same(const PilotSettings& a, const PilotSettings& b) noexcept {
  return a.retargetLow == b.retargetLow && a.retargetHigh == b.retargetHigh;
}

bool walksSphereTrees(std::string_view narrow) noexcept {
  const NarrowPhaseEntry* const method = findNarrowPhase(narrow);
  return method != nullptr && method->needsSphereTrees;
}

/// Changes the pace of ships that have the default one, and the default mass of the user's ship.
void changePace(Scene& scene, bool asPublished) {
  const auto change = [asPublished](ShipLimits& limits) {
    if (same(limits, usualLimits(!asPublished))) limits = usualLimits(asPublished);
  };
  change(scene.playerLimits);
  if (scene.playerMass == usualPlayerMass(!asPublished))
    scene.playerMass = usualPlayerMass(asPublished);
  for (DroneGroup& group : scene.drones) {
    change(group.limits);
    if (!same(group.pilot, usualPilot(!asPublished))) continue;
    const Temper temper = group.pilot.temper;
    group.pilot = usualPilot(asPublished);
    group.pilot.temper = temper;
  }
  if (scene.arena.pushMax == usualPush(!asPublished)) scene.arena.pushMax = usualPush(asPublished);
}

}  // namespace

void takeTrees(const Scene& from, Scene& to) {
  to.tree = from.tree;
  to.coverage = from.coverage;
  to.nodeBoxRatio = from.nodeBoxRatio;
  to.innerSpheres = from.innerSpheres;
  to.dropRedundant = from.dropRedundant;
}

void takeTechnique(const Scene& from, Scene& to) {
  // If both or neither are as published, these are independent choices
  if (to.asPublished != from.asPublished) {
    to.importance = from.importance;
    to.maxLevel = from.maxLevel;
  }
  to.asPublished = from.asPublished;
  // Other methods have no published variant
  if (walksSphereTrees(to.narrow) && walksSphereTrees(from.narrow)) to.narrow = from.narrow;
  to.broad = from.broad;
  to.order = from.order;
  to.budget.minShare = from.budget.minShare;
  to.response = from.response;
  to.instants = from.instants;
}

void setAsPublished(Scene& scene, bool asPublished) {
  if (scene.asPublished == asPublished) return;
  const Scene from = asPublished ? publishedScene() : Scene{};
  takeTrees(from, scene);
  takeTechnique(from, scene);
  scene.fixedStep = from.fixedStep;
  scene.simStep = from.simStep;
  scene.detectStep = from.detectStep;
  scene.frameMs = from.frameMs;
  changePace(scene, asPublished);
}

std::optional<std::string> conflictIn(const Scene& scene) {
  if (scene.asPublished && scene.tree == "medial" && !findSphereTreeBuilder(scene.tree))
    return "as published means medial spheres, which this program was built without; another tree "
           "may be named beside it";
  const SphereTreeSettings trees = treeSettings(scene);
  if (trees.medial.coverage == Coverage::Paper && trees.nodeBoxRatio > 0.0)
    return fmt::format(
        "boxes beside the spheres of {} (boxes {:g}) need guaranteed coverage, not the paper's: "
        "name that coverage as well, or no boxes",
        scene.tree, trees.nodeBoxRatio);
  return std::nullopt;
}

}  // namespace nearmiss::engine
