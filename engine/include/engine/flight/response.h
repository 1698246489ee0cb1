// SPDX-License-Identifier: MIT
/// The response to collisions of ships.
#pragma once

#include <engine/flight/ships.h>
#include <engine/flight/solid_contact.h>
#include <nearmiss/advanced/detector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nearmiss::engine {

enum class Response : std::uint8_t {
  /// Exchanges momentum along the contact normal and conserves kinetic energy [H96 §11.1]. For the
  /// verdict Contact, the normal is that of the solids' contact manifold, so all exact methods give
  /// the same result. Otherwise it is the normal of the deepest spheres.
  Bounce,
  /// As Bounce, but frictionless impulses act at the manifold points, or between the deepest
  /// spheres, so they also turn the ships. Kinetic energy including rotation is conserved. Rotation
  /// by the sticks has no momentum.
  Tumble,
  PublishedBounce,  ///< as Bounce, always along the deepest spheres [H96 §11.1]
  Teleport,         ///< both return to their start poses [H95]
};

/// Names in scene files and options, in the order of the values.
inline constexpr std::string_view responseNames[] = {"bounce", "tumble", "published", "teleport"};
/// @pre `name` is one of responseNames
[[nodiscard]] Response responseOf(std::string_view name) noexcept;

/// Returns the direction in which the first body of `pair` is thrown, a unit vector in world space.
/// It points from the centre of b's deepest colliding sphere to that of a's (erratum E24). If the
/// centres coincide, falls back to the other overload.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies,
                                           const DetectedPair& pair);
/// Returns `found`, such as the mean normal of a SolidContact. If it is not set: the direction from
/// ship to ship, or against the approach if the ships coincide. Returns `nullopt` if these do not
/// move relative to each other either.
[[nodiscard]] std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const BodyPair& pair,
                                           const std::optional<Vec3>& found);

/// Handles one detected pair. Acts only if the pair converges along `normal`, a unit vector from b
/// to a, according to the ships' velocities and `jointSpeed`; rotation is ignored. A ship of
/// infinite mass keeps its velocity bit for bit. Returns whether anything changed.
/// @pre the verdict is not Separate
bool bounce(Ships& ships, const BodyPair& pair, const Vec3& normal, Real jointSpeed = 0.0);

/// As bounce(), for Tumble, at up to SolidContact::maxPoints points simultaneously. Acts if the
/// ships approach at one of them. Afterwards no point separates more slowly than it approached, and
/// energy and momenta are conserved. Ships with zero inverse inertia do not turn.
bool tumble(Ships& ships, const BodyPair& pair, std::span<const ImpulsePoint> points);

/// Returns the speed at which the joints alone separate the two links at `point`, along its normal,
/// m/s. Negative if they push the links together. Joint drives do not yield: a link hits a ship
/// like a paddle.
[[nodiscard]] Real jointSpeed(const Ships& ships, const BodyPair& pair, std::uint32_t linkA,
                              std::uint32_t linkB, const ImpulsePoint& point) noexcept;

/// Returns the midpoint between the surfaces of two spheres, on the line through their centres.
[[nodiscard]] Vec3 pointBetween(const ContactSpheres& spheres) noexcept;

/// Moves both ships to their start poses, at rest [H95].
void teleport(Ships& ships, const BodyPair& pair);

}  // namespace nearmiss::engine
