// SPDX-License-Identifier: MIT
/// The settings of the papers' runs, applied together, and the subset that a running flight can
/// take over.
#pragma once

#include <engine/scene/scene.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// Applies the settings of the papers, or restores the defaults. Does nothing if the scene already
/// has them. Settings made afterwards override them. As published means:
/// - medial spheres whose levels cover the surface as a whole [H96 §7 to §9.1], no node boxes, no
///   inner spheres
/// - four levels and no triangles [H96 §11.1, Fig. 18]
/// - Hubbard's driver of space-time bounds as broad phase [H93], detection at the earliest instants
///   [H93]
/// - the bounce along the deepest spheres [H96 §11.1]
/// - fixed steps of 0.1 and 0.05 s and frames of 0.1 s [H96 §11.3]
/// - slow ships to match, unless the scene sets their pace; a user's ship that no collision moves,
///   unless the scene sets its mass [H96 §11.1]
/// - full importance for all ships, so that no pair is postponed: any narrow phase completes the
///   first level of each pair regardless of the budget [H96 §4.2]
/// - a narrow phase that lists all colliding spheres of a level [H96 §4.1], if it uses sphere trees
///
/// Models, seed, budget and a narrow phase without sphere trees do not change.
void setAsPublished(Scene& scene, bool asPublished);

/// Copies the settings of SettingGroup::Trees.
void copyTrees(const Scene& from, Scene& to);
/// Copies asPublished and the settings of SettingGroup::Technique; if asPublished changes, also
/// SettingGroup::Depth. The narrow phase is copied if both use sphere trees.
void copyTechnique(const Scene& from, Scene& to);

/// Returns the keys of all settings of sceneSettings that a published scene fixes and that have
/// another value here; "mass" if hits move the user's ship, "pace" if ships are not as slow as the
/// papers' steps need, "temper" if drones do not head at random. Empty: the scene is as published.
[[nodiscard]] std::vector<std::string_view> unpublishedSettings(Scene scene);

/// Returns a sentence about a conflict between individually valid settings, or `nullopt`.
[[nodiscard]] std::optional<std::string> conflictIn(const Scene& scene);

// The default limits of ships, pilots and the arena's rim, and the mass of the user's ship: as
// published or brisk.

[[nodiscard]] constexpr ShipLimits defaultLimits(bool asPublished) noexcept {
  return asPublished ? ShipLimits{} : briskLimits;
}

[[nodiscard]] constexpr PilotSettings defaultPilot(bool asPublished) noexcept {
  return asPublished ? PilotSettings{} : briskPilot;
}

/// kg. In the papers no collision moves the user's ship [H96 §11.1].
[[nodiscard]] constexpr Real defaultPlayerMass(bool asPublished) noexcept {
  return asPublished ? std::numeric_limits<Real>::infinity() : 1.0;
}

[[nodiscard]] constexpr Real defaultPush(bool asPublished) noexcept {
  return asPublished ? Arena{}.pushMax : briskArena.pushMax;
}

}  // namespace nearmiss::engine
