// SPDX-License-Identifier: MIT
/// Hits as they are seen and heard: how each was decided, where, and how hard.
#pragma once

#include <engine/flight/simulation.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"

namespace nearmiss::app::fly {

/// A visible hit.
struct Impact {
  std::size_t a = 0, b = 0;  ///< indices of the ships
  Vec3 place{0.0};           ///< world
  Vec3 normal{0.0};          ///< unit vector; `a` is thrown in this direction
  double speed = 0.0;        ///< of approach along the normal, m/s
  double born = 0.0;         ///< wall seconds
  int level = 0;             ///< see engine::depthOf()
  /// True if the contact was proven, so that the response used the true contact points. Otherwise
  /// the detection ended at spheres, which may touch although the ships do not.
  bool proven = false;
  std::array<Vec3, engine::SolidContact::maxPoints> points{};  ///< of a proven contact, world
  std::size_t count = 0;                                       ///< of `points`
  ContactSpheres spheres;  ///< the deepest ones, each in the frame of its ship
};

/// Place of a collision: that of its manifold, or between the deepest spheres. World.
[[nodiscard]] Vec3 placeOf(const engine::Collision& collision) noexcept;

/// Returns the impact of a collision of the last frame. Uses the speed of separation, which after a
/// bounce equals the speed of approach.
[[nodiscard]] Impact impactOf(const engine::FrameOutput& output, const engine::Collision& collision,
                              double wallSeconds);

/// Receives the visible effects of impacts.
struct ImpactLights {
  std::vector<DrawLine>&lines, &arcs;
  std::vector<DrawLight>& lights;
  std::vector<DrawSphere>& spheres;
};

class Impacts {
 public:
  static constexpr std::size_t maxImpacts = 16;
  static constexpr std::size_t maxCrackles = 6;  ///< the newest hits of spheres that are drawn
  static constexpr double seconds = 0.7;         ///< wall time for which a hit is visible

  void clear() noexcept;
  /// Adds the collisions of the last frame and returns them, valid until the next call.
  std::span<const Impact> take(const engine::FrameOutput& output, double wallSeconds);
  /// Adds the visible effects. Proven contacts spark: straight streaks that leave the contact
  /// points along the tangent plane. Other hits crackle: jagged arcs run over the two spheres,
  /// which move with their ships `bodies`. `calm`: without motion, flicker or glow.
  void light(double wallSeconds, std::span<const BodyState> bodies, bool calm,
             const ImpactLights& out) const;

 private:
  std::vector<Impact> impacts_, taken_;  ///< oldest first
};

}  // namespace nearmiss::app::fly
