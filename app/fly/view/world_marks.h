// SPDX-License-Identifier: MIT
/// Marks that stand in the world: the wall of the arena, rings to fly through, and tow beams.
#pragma once

#include <engine/game/mission.h>
#include <nearmiss/advanced/body_state.h>

#include <array>
#include <vector>

#include "fly/gfx/draw_frame.h"

namespace nearmiss::app::fly {

/// Returns two unit vectors that span the plane perpendicular to the unit vector `n`.
[[nodiscard]] std::array<Vec3, 2> across(const Vec3& n) noexcept;

/// Distance from the wall at which its lattice begins to show, metres; in small arenas a share of
/// the radius.
[[nodiscard]] double wallSight(double radius) noexcept;

/// Adds the lattice of the wall around its point nearest to the ship. It fades in as the ship comes
/// near, and towards its own edge. `always`: otherwise it shows only to a ship that flies outwards.
void addWall(std::vector<DrawLine>& lines, const BodyState& own, double radius, bool always);

/// Adds a ring; `next`: the one to fly through next, brighter and with lights.
void addRing(std::vector<DrawLine>& lines, std::vector<DrawLight>& lights, const engine::Gate& gate,
             bool next);

/// Adds a tow beam: lines from the nose to a ring around the body, and rings that travel along
/// them. `seconds`: simulation time.
void addBeam(std::vector<DrawLine>& lines, std::vector<DrawLight>& lights, const BodyState& ship,
             const BodyState& body, double seconds);

}  // namespace nearmiss::app::fly
