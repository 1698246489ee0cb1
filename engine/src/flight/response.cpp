// SPDX-License-Identifier: MIT
#include <engine/flight/response.h>
#include <nearmiss/contact_normal.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

/// The direction of `v`, or nothing where it has none.
std::optional<Vec3> direction(const Vec3& v) noexcept {
  const Real length = glm::length(v);
  if (!(length > 0.0) || !std::isfinite(length)) return std::nullopt;
  return v / length;
}

/// other / (own + other): the share of the exchange that falls to the ship of mass `own`.
Real share(Real own, Real other) noexcept {
  if (std::isinf(own)) return 0.0;
  return std::isinf(other) ? 1.0 : 1.0 / (1.0 + own / other);
}

}  // namespace

std::optional<Vec3> solidNormal(std::span<const BodyState> bodies, const BodyPair& pair,
                                const Shapes& solids) {
  const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
  const auto normal =
      contactNormal(solids[a.shape.id()].polyhedron(), solids[b.shape.id()].polyhedron(),
                    relativePose(a.pose, b.pose));
  if (!normal) return std::nullopt;
  return direction(a.pose.rotation * *normal);
}

std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const BodyPair& pair,
                             const std::optional<Vec3>& found) {
  if (found) return found;
  const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
  if (const auto n = direction(a.pose.position - b.pose.position)) return n;
  return direction(b.velocity - a.velocity);
}

std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const DetectedPair& pair,
                             const Shapes* solids) {
  // The response to a contact must not depend on the spheres that a method found, not even where
  // it has no normal
  if (pair.refinement.verdict == Verdict::Contact && solids)
    return normalOf(bodies, pair.bodies, solidNormal(bodies, pair.bodies, *solids));
  const ContactSpheres& deepest = pair.refinement.deepest;
  return normalOf(bodies, pair.bodies, direction(deepest.a.centre - deepest.b.centre));
}

bool bounce(World& world, const BodyPair& pair, const Vec3& normal) {
  const auto states = world.states();
  const BodyState& a = states[pair.a];
  const BodyState& b = states[pair.b];

  // Do they converge?
  const Real closing = glm::dot(a.velocity - b.velocity, normal);
  if (!(closing < 0.0)) return false;

  // Reverse the relative velocity along the normal; a share of 0 must not touch a velocity at all
  const Real massA = world.mass(pair.a);
  const Real massB = world.mass(pair.b);
  const Real shareA = share(massA, massB);
  const Real shareB = share(massB, massA);
  const Vec3 newA = a.velocity - (2.0 * shareA * closing) * normal;
  const Vec3 newB = b.velocity + (2.0 * shareB * closing) * normal;
  // A velocity that is not finite is refused: that ship flies on as it was
  const bool thrownA = shareA > 0.0 && world.setVelocity(pair.a, newA);
  const bool thrownB = shareB > 0.0 && world.setVelocity(pair.b, newB);
  return thrownA || thrownB;
}

void teleport(World& world, const BodyPair& pair) {
  for (const std::uint32_t index : {pair.a, pair.b}) {
    // Never refused: the ship was created there
    (void)world.setPose(index, world.startPose(index));
    (void)world.setVelocity(index, Vec3(0.0));
  }
}

}  // namespace nearmiss::engine
