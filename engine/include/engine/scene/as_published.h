// SPDX-License-Identifier: MIT
/// The settings of a run in the papers, applied at once, and the parts of them that a flight can
/// take over.
#pragma once

#include <engine/scene/scene.h>

#include <limits>
#include <optional>
#include <string>

namespace nearmiss::engine {

/// Gives the scene the settings of the papers, or the usual ones again; does nothing where it has
/// them already. As published are: medial spheres whose levels cover the surface as a whole [H96 §7
/// to §9.1], neither node boxes nor inner spheres, four levels and no triangles [H96 §11.1, Fig.
/// 18], Hubbard's driver of space-time bounds as broad phase [H93], the bounce along the deepest
/// spheres [H96 §11.1], detection at the earliest instants [H93], fixed steps of 0.1 and 0.05 s and
/// frames of 0.1 s [H96 §11.3], and ships slow enough for these wherever they have their usual
/// pace, the user's ship moved by no hit wherever it has its usual mass [H96 §11.1]. All ships are
/// of full importance, so that no pair waits: with any narrow phase, the first level of each is
/// done whatever the budget [H96 §4.2]. The narrow phase lists all colliding spheres of a level
/// [H96 §4.1] if it walks sphere trees; another one stays, as models, seed and budget do. What is
/// set afterwards wins.
void setAsPublished(Scene& scene, bool asPublished);

/// Takes over the sphere trees of another scene: builder, coverage, node boxes, inner spheres,
/// whether redundant ones are dropped.
void takeTrees(const Scene& from, Scene& to);
/// Takes over the other settings of setAsPublished() that a running flight can change: broad and
/// narrow phase, instants, response, and asPublished itself; where that changes, levels and
/// importance as well. Steps and pace stay, because the world already moves by them.
void takeTechnique(const Scene& from, Scene& to);

/// A conflict between settings that are valid one by one: one sentence, or nothing.
[[nodiscard]] std::optional<std::string> conflictIn(const Scene& scene);

// The default limits of ships, pilots and the arena's rim, and the mass of the user's ship: as
// published or brisk.

[[nodiscard]] constexpr ShipLimits usualLimits(bool asPublished) noexcept {
  return asPublished ? ShipLimits{} : briskLimits;
}

[[nodiscard]] constexpr PilotSettings usualPilot(bool asPublished) noexcept {
  return asPublished ? PilotSettings{} : briskPilot;
}

/// kg. No hit moves the published one [H96 §11.1].
[[nodiscard]] constexpr Real usualPlayerMass(bool asPublished) noexcept {
  return asPublished ? std::numeric_limits<Real>::infinity() : 1.0;
}

[[nodiscard]] constexpr Real usualPush(bool asPublished) noexcept {
  return asPublished ? Arena{}.pushMax : briskArena.pushMax;
}

}  // namespace nearmiss::engine
