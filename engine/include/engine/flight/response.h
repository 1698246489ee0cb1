// SPDX-License-Identifier: MIT
/// The response of ships that collide.
#pragma once

#include <engine/flight/ships.h>
#include <nearmiss/detector.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nearmiss::engine {

enum class Response : std::uint8_t {
  /// Exchange of momentum along the contact normal, energy kept [H96 §11.1]. The normal of a
  /// Contact is that of the exact geometry, so that every exact method answers alike; otherwise the
  /// deepest spheres give it.
  Bounce,
  /// As Bounce, but the impulse acts at the contact: it turns the ships as well, without friction,
  /// and their energy with that of turning is kept. The turning of sticks has no momentum.
  Tumble,
  PublishedBounce,  ///< the same along the deepest spheres, whatever the verdict [H96 §11.1]
  Teleport,         ///< both return to where they were created [H95]
};

/// As scene files and options name them, in that order.
inline constexpr std::string_view responseNames[] = {"bounce", "tumble", "published", "teleport"};
/// @pre one of responseNames
[[nodiscard]] Response responseOf(std::string_view name) noexcept;

/// The direction in which the first body of `pair` is thrown, a unit vector in world space.
/// Contact: contactNormal() of the two solids. Else, or where these have none: from the centre of
/// b's deepest colliding sphere to that of a's (erratum E24), or from ship to ship where these
/// coincide, or against the approach. `solids`: what the bodies are made of; null: the deepest
/// spheres for all. Nothing where all coincide and nothing moves.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies,
                                           const DetectedPair& pair, const Shapes* solids);

/// Where two solids meet, and which links do.
struct SolidContact : ContactPoint {
  std::uint32_t linkA = 0, linkB = 0;
};
/// contactPoint() of the two solids in world space; of ships with joints, that of the first two
/// links that have one. The part of normalOf() that takes long. It reads poses alone, and may be
/// asked by many threads at once.
[[nodiscard]] std::optional<SolidContact> solidContact(std::span<const BodyState> bodies,
                                                       const BodyPair& pair, const Shapes& solids);
/// The rest: `found`, such as the normal of a solidContact(); where nothing was, from ship to ship,
/// or against the approach.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const BodyPair& pair,
                                           const std::optional<Vec3>& found);

/// Handles one detected pair. A bounce acts only on pairs that converge along `normal`, a unit
/// vector from b to a, by the ships' velocities and `jointClosing`; rotation is ignored. The
/// infinite mass is not moved, bit for bit. Returns whether anything changed.
/// @pre the verdict is not Separate.
bool bounce(Ships& ships, const BodyPair& pair, const Vec3& normal, Real jointClosing = 0.0);

/// The same for Tumble, at a point of world space: acts where the points of the two ships there
/// converge. Ships whose inverse inertia is zero do not turn.
bool tumble(Ships& ships, const BodyPair& pair, const ContactPoint& contact,
            Real jointClosing = 0.0);

/// How fast joints alone part the two links at a contact, along its normal, m/s; negative: they
/// drive them together. A hit is thrown back by a link as by a paddle, whose drive does not give.
[[nodiscard]] Real jointClosing(const Ships& ships, const BodyPair& pair,
                                const SolidContact& contact) noexcept;

/// Between the surfaces of two spheres, on the line of their centres.
[[nodiscard]] Vec3 pointBetween(const ContactSpheres& spheres) noexcept;

/// Both return to where they were created, at rest [H95].
void teleport(Ships& ships, const BodyPair& pair);

}  // namespace nearmiss::engine
