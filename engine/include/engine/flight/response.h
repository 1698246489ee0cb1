// SPDX-License-Identifier: MIT
/// What happens to ships that collide.
#pragma once

#include <engine/flight/world.h>
#include <nearmiss/detector.h>
#include <nearmiss/polyhedron.h>

#include <cstdint>
#include <optional>
#include <span>

namespace nearmiss::engine {

enum class Response : std::uint8_t {
  /// Exchange of momentum along the contact normal, energy kept [H96 §11.1]. The normal of a
  /// Contact is that of the exact geometry, so that every exact method answers alike; otherwise the
  /// deepest spheres give it.
  Bounce,
  PublishedBounce,  ///< the same along the deepest spheres, whatever the verdict [H96 §11.1]
  Teleport,         ///< both return to where they were created [H95]
};

/// The direction in which the first body of `pair` is thrown, a unit vector in world space.
/// Contact: contactNormal() of the two solids. Else, or where these have none: from the centre of
/// b's deepest colliding sphere to that of a's (erratum E24), or from ship to ship where these
/// coincide, or against the approach. `solids`: what the bodies are made of; null: the deepest
/// spheres for all. Nothing where all coincide and nothing moves.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies,
                                           const DetectedPair& pair, const Shapes* solids);

/// contactNormal() of the two solids in world space: the part of normalOf() that takes long. It
/// reads poses alone, and may be asked by many threads at once.
[[nodiscard]] std::optional<Vec3> solidNormal(std::span<const BodyState> bodies,
                                              const BodyPair& pair, const Shapes& solids);
/// The rest: `found`, such as a solidNormal(); where nothing was, from ship to ship, or against the
/// approach.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const BodyPair& pair,
                                           const std::optional<Vec3>& found);

/// Handles one detected pair. A bounce acts only on pairs that converge along `normal`, a unit
/// vector from b to a, by the ships' velocities; rotation is ignored. The infinite mass is not
/// moved, bit for bit. Returns whether anything changed.
/// @pre the verdict is not Separate.
bool bounce(World& world, const BodyPair& pair, const Vec3& normal);

/// Both return to where they were created, at rest [H95].
void teleport(World& world, const BodyPair& pair);

}  // namespace nearmiss::engine
