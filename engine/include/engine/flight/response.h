// SPDX-License-Identifier: MIT
/// The response of ships that collide.
#pragma once

#include <engine/flight/ships.h>
#include <engine/flight/solid_contact.h>
#include <nearmiss/detector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nearmiss::engine {

enum class Response : std::uint8_t {
  /// Exchange of momentum along the contact normal, energy kept [H96 §11.1]. The normal of a
  /// Contact is that of the solids' contact manifold, so that every exact method answers alike;
  /// otherwise the deepest spheres give it.
  Bounce,
  /// As Bounce, but impulses act at the points of the manifold, or between the deepest spheres:
  /// they
  /// turn the ships as well, without friction, and keep their energy with that of turning. The
  /// turning of sticks has no momentum.
  Tumble,
  PublishedBounce,  ///< the same along the deepest spheres, whatever the verdict [H96 §11.1]
  Teleport,         ///< both return to where they were created [H95]
};

/// As scene files and options name them, in that order.
inline constexpr std::string_view responseNames[] = {"bounce", "tumble", "published", "teleport"};
/// @pre one of responseNames
[[nodiscard]] Response responseOf(std::string_view name) noexcept;

/// Returns the direction in which the first body of `pair` is thrown, a unit vector in world space:
/// from the centre of b's deepest colliding sphere to that of a's (erratum E24); where these
/// coincide, as the other normalOf().
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies,
                                           const DetectedPair& pair);
/// Returns `found`, such as the mean normal of a SolidContact. Without one: from ship to ship, or
/// against the approach if the ships coincide. Nothing if these do not move either.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const BodyPair& pair,
                                           const std::optional<Vec3>& found);

/// Handles one detected pair. A bounce acts only on pairs that converge along `normal`, a unit
/// vector from b to a, by the ships' velocities and `jointSpeed`; rotation is ignored. The
/// infinite mass is not moved, bit for bit. Returns whether anything changed.
/// @pre the verdict is not Separate.
bool bounce(Ships& ships, const BodyPair& pair, const Vec3& normal, Real jointSpeed = 0.0);

/// The same for Tumble, at up to SolidContact::maxPoints points at once: acts if the ships approach
/// at one of them. Afterwards no point parts more slowly than it approached, and energy and momenta
/// are kept. Ships whose inverse inertia is zero do not turn.
bool tumble(Ships& ships, const BodyPair& pair, std::span<const ImpulsePoint> points);

/// Returns the speed at which joints alone separate the two links at `point`, along its normal,
/// m/s. Negative if they drive them together. Drives do not give way: a link throws a ship back
/// like a paddle.
[[nodiscard]] Real jointSpeed(const Ships& ships, const BodyPair& pair, std::uint32_t linkA,
                              std::uint32_t linkB, const ImpulsePoint& point) noexcept;

/// Between the surfaces of two spheres, on the line of their centres.
[[nodiscard]] Vec3 pointBetween(const ContactSpheres& spheres) noexcept;

/// Both return to where they were created, at rest [H95].
void teleport(Ships& ships, const BodyPair& pair);

}  // namespace nearmiss::engine
