// SPDX-License-Identifier: MIT
#include <engine/response.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

namespace nearmiss::engine {
namespace {

/// The direction of `v`, or nothing where it has none.
std::optional<Vec3> direction(const Vec3& v) noexcept {
  const Real length = glm::length(v);
  if (!(length > 0.0) || !std::isfinite(length)) return std::nullopt;
  return v / length;
}

/// From b to a along the centres of the deepest colliding spheres (erratum E24); where these
/// coincide, along the ships' own centres; where even these do, against the approach, so that the
/// ships part in any case.
std::optional<Vec3> contactNormal(const BodyState& a, const BodyState& b,
                                  const ContactSpheres& deepest) noexcept {
  if (const auto n = direction(deepest.a.centre - deepest.b.centre)) return n;
  if (const auto n = direction(a.pose.position - b.pose.position)) return n;
  return direction(b.velocity - a.velocity);
}

/// other / (own + other): the share of the exchange that falls to the ship of mass `own`.
Real share(Real own, Real other) noexcept {
  if (std::isinf(own)) return 0.0;
  return std::isinf(other) ? 1.0 : 1.0 / (1.0 + own / other);
}

bool bounce(World& world, const DetectedPair& pair) {
  const auto states = world.states();
  const BodyState& a = states[pair.bodies.a];
  const BodyState& b = states[pair.bodies.b];
  const auto normal = contactNormal(a, b, pair.refinement.deepest);
  if (!normal) return false;

  // Do they converge?
  const Real closing = glm::dot(a.velocity - b.velocity, *normal);
  if (!(closing < 0.0)) return false;

  // Reverse the relative velocity along the normal; a share of 0 must not touch a velocity at all
  const Real massA = world.mass(pair.bodies.a);
  const Real massB = world.mass(pair.bodies.b);
  const Real shareA = share(massA, massB);
  const Real shareB = share(massB, massA);
  const Vec3 newA = a.velocity - (2.0 * shareA * closing) * *normal;
  const Vec3 newB = b.velocity + (2.0 * shareB * closing) * *normal;
  // A velocity beyond the numbers is refused: that ship flies on as it was
  const bool thrownA = shareA > 0.0 && world.setVelocity(pair.bodies.a, newA);
  const bool thrownB = shareB > 0.0 && world.setVelocity(pair.bodies.b, newB);
  return thrownA || thrownB;
}

bool teleport(World& world, const BodyPair& pair) {
  for (const std::uint32_t place : {pair.a, pair.b}) {
    // Never refused: it began there
    (void)world.setPose(place, world.startPose(place));
    (void)world.setVelocity(place, Vec3(0.0));
  }
  return true;
}

}  // namespace

bool respond(World& world, const DetectedPair& pair, Response kind) {
  return kind == Response::Bounce ? bounce(world, pair) : teleport(world, pair.bodies);
}

}  // namespace nearmiss::engine
