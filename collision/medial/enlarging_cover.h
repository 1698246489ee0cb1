// SPDX-License-Identifier: MIT
/// Enlarging spheres until together they cover a surface, by the boundary lemma [H96 §9.1].
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>

#include <atomic>
#include <span>

namespace nearmiss {

/// What is to be covered, and how thoroughly.
struct CoverDemand {
  const Sphere* clip = nullptr;  ///< only the surface in this ball; null: all of it
  /// Of their radii: spheres count as this much smaller, so that around every point one sphere
  /// holds a small piece of surface whole.
  Real overlap = 0.0;
};

/// Enlarges balls about their centres, by as little as it takes up to half a per cent, until every
/// triangle is covered as `demand` says, or until `cancelled` is set. At least one ball.
void enlargeUntilCovered(const Polyhedron& polyhedron, std::span<Sphere* const> balls,
                         const CoverDemand& demand, const std::atomic<bool>* cancelled);

}  // namespace nearmiss
