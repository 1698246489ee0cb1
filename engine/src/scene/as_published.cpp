// SPDX-License-Identifier: MIT
#include <engine/scene/as_published.h>
#include <fmt/format.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>

namespace nearmiss::engine {
namespace {

Scene publishedScene() {
  Scene scene;
  scene.asPublished = true;
  scene.budget.minShare = 0.0;
  for (const Setting<Scene>& setting : sceneSettings)
    if (setting.publish) setting.publish(scene);
  return scene;
}

void copyGroup(SettingGroup group, const Scene& source, Scene& to) {
  Scene from = source;  // the accessors of settings need a mutable owner
  for (const Setting<Scene>& setting : sceneSettings)
    if (setting.group == group) copyValue(setting, from, to);
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
    if (same(limits, defaultLimits(!asPublished))) limits = defaultLimits(asPublished);
  };
  change(scene.playerLimits);
  if (scene.playerMass == defaultPlayerMass(!asPublished))
    scene.playerMass = defaultPlayerMass(asPublished);
  for (DroneGroup& group : scene.drones) {
    change(group.limits);
    if (!same(group.pilot, defaultPilot(!asPublished))) continue;
    const Temper temper = group.pilot.temper;
    group.pilot = defaultPilot(asPublished);
    group.pilot.temper = temper;
  }
  if (scene.arena.pushMax == defaultPush(!asPublished))
    scene.arena.pushMax = defaultPush(asPublished);
}

/// Whether a published scene fixes the value of a setting.
bool isPublished(const Setting<Scene>& setting) noexcept {
  return setting.group != SettingGroup::None || setting.publish;
}

}  // namespace

void copyTrees(const Scene& from, Scene& to) { copyGroup(SettingGroup::Trees, from, to); }

void copyTechnique(const Scene& from, Scene& to) {
  if (to.asPublished != from.asPublished) copyGroup(SettingGroup::Depth, from, to);
  to.asPublished = from.asPublished;
  // Other methods have no published variant
  if (walksSphereTrees(to.narrow) && walksSphereTrees(from.narrow)) to.narrow = from.narrow;
  copyGroup(SettingGroup::Technique, from, to);
  to.budget.minShare = from.budget.minShare;
}

void setAsPublished(Scene& scene, bool asPublished) {
  if (scene.asPublished == asPublished) return;
  const Scene from = asPublished ? publishedScene() : Scene{};
  copyTrees(from, scene);
  copyTechnique(from, scene);
  copyGroup(SettingGroup::Pace, from, scene);
  changePace(scene, asPublished);
}

std::vector<std::string_view> unpublishedSettings(Scene scene) {
  // Not const, because the accessors of settings need mutable owners
  static Scene papers = publishedScene();
  std::vector<std::string_view> keys;
  for (const Setting<Scene>& setting : sceneSettings)
    if (isPublished(setting) && !sameValue(setting, scene, papers)) keys.push_back(setting.key);
  if (scene.playerMass != defaultPlayerMass(true)) keys.push_back("mass");
  const auto slow = [](const DroneGroup& group) {
    return same(group.limits, defaultLimits(true)) && same(group.pilot, defaultPilot(true));
  };
  if (!same(scene.playerLimits, defaultLimits(true)) || !std::ranges::all_of(scene.drones, slow))
    keys.push_back("pace");
  const auto random = [](const DroneGroup& group) { return group.pilot.temper == Temper::Random; };
  if (!std::ranges::all_of(scene.drones, random)) keys.push_back("temper");
  return keys;
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
