// SPDX-License-Identifier: MIT
#include <engine/flight/response.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <utility>

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

std::optional<ContactPoint> linkContact(const Link& a, const Link& b, const Shapes& solids) {
  const Sphere sphereA{a.pose.position, a.shape.radius()};
  const Sphere sphereB{b.pose.position, b.shape.radius()};
  if (overlap(sphereA, sphereB) < 0.0) return std::nullopt;
  const auto contact =
      contactPoint(solids[a.shape.id()].polyhedron(), solids[b.shape.id()].polyhedron(),
                   relativePose(a.pose, b.pose));
  if (!contact) return std::nullopt;
  const auto normal = direction(a.pose.rotation * contact->normal);
  if (!normal) return std::nullopt;
  return ContactPoint{*normal, transformed(a.pose, contact->position)};
}

}  // namespace

Response responseOf(std::string_view name) noexcept {
  return static_cast<Response>(std::ranges::find(responseNames, name) - std::begin(responseNames));
}

std::optional<SolidContact> solidContact(std::span<const BodyState> bodies, const BodyPair& pair,
                                         const Shapes& solids) {
  const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
  // In a fixed order: which links a method found first must not matter
  for (std::uint32_t i = 0; i < linkCount(a); ++i)
    for (std::uint32_t j = 0; j < linkCount(b); ++j)
      if (const auto contact = linkContact(linkOf(a, i), linkOf(b, j), solids))
        return SolidContact{*contact, i, j};
  return std::nullopt;
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
  if (pair.refinement.verdict == Verdict::Contact && solids) {
    const auto contact = solidContact(bodies, pair.bodies, *solids);
    return normalOf(bodies, pair.bodies, contact ? std::optional(contact->normal) : std::nullopt);
  }
  const ContactSpheres& deepest = pair.refinement.deepest;
  return normalOf(bodies, pair.bodies, direction(deepest.a.centre - deepest.b.centre));
}

Real jointClosing(const Ships& ships, const BodyPair& pair, const SolidContact& contact) noexcept {
  const auto velocityOf = [&](std::uint32_t index, std::uint32_t link) {
    const auto& articulation = ships.definition(index).articulation;
    if (!articulation) return Vec3(0.0);
    return jointVelocity(*articulation, ships.states()[index], ships.time(), link,
                         contact.position);
  };
  return glm::dot(velocityOf(pair.a, contact.linkA) - velocityOf(pair.b, contact.linkB),
                  contact.normal);
}

bool bounce(Ships& ships, const BodyPair& pair, const Vec3& normal, Real jointClosing) {
  const auto states = ships.states();
  const BodyState& a = states[pair.a];
  const BodyState& b = states[pair.b];

  // Do they converge?
  const Real closing = glm::dot(a.velocity - b.velocity, normal) + jointClosing;
  if (!(closing < 0.0)) return false;

  // Reverse the relative velocity along the normal; a share of 0 must not touch a velocity at all
  const Real massA = ships.definition(pair.a).mass;
  const Real massB = ships.definition(pair.b).mass;
  const Real shareA = share(massA, massB);
  const Real shareB = share(massB, massA);
  const Vec3 newA = a.velocity - (2.0 * shareA * closing) * normal;
  const Vec3 newB = b.velocity + (2.0 * shareB * closing) * normal;
  // A velocity that is not finite is refused: that ship flies on as it was
  const bool thrownA = shareA > 0.0 && ships.setVelocity(pair.a, newA);
  const bool thrownB = shareB > 0.0 && ships.setVelocity(pair.b, newB);
  return thrownA || thrownB;
}

bool tumble(Ships& ships, const BodyPair& pair, const ContactPoint& contact, Real jointClosing) {
  /// The effect of the impulse on one ship, for an impulse of 1 and a mass of 1.
  struct Lever {
    std::uint32_t index;
    Real perMass;  ///< 1/kg; 0 is not moved
    Vec3 momentum;
    Real give;  ///< of the point along the normal
  };
  const Vec3& n = contact.normal;
  const auto states = ships.states();
  const auto leverOf = [&](std::uint32_t index) {
    const Vec3 arm = contact.position - states[index].pose.position;
    const Vec3 momentum = glm::cross(arm, n);
    const Real give = 1.0 + glm::dot(momentum, ships.turnedBy(index, momentum));
    return Lever{index, 1.0 / ships.definition(index).mass, momentum, give};
  };
  const auto speedOf = [&](const Lever& lever) {
    const Vec3 turning = ships.angularVelocity(lever.index);
    return glm::dot(states[lever.index].velocity, n) + glm::dot(turning, lever.momentum);
  };
  const Lever a = leverOf(pair.a), b = leverOf(pair.b);
  const Real closing = speedOf(a) - speedOf(b) + jointClosing;
  const Real give = a.perMass * a.give + b.perMass * b.give;
  if (!(closing < 0.0) || !(give > 0.0) || !std::isfinite(give)) return false;

  const Real impulse = -2.0 * closing / give;
  bool thrown = false;
  for (const auto& [lever, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)}) {
    if (!(lever.perMass > 0.0)) continue;
    const Real push = sign * impulse * lever.perMass;
    // A velocity that is not finite is refused: that ship flies on as it was
    if (!ships.setVelocity(lever.index, states[lever.index].velocity + push * n)) continue;
    thrown = true;
    const Vec3 turned = ships.angularMomentum(lever.index) + push * lever.momentum;
    (void)ships.setAngularMomentum(lever.index, turned);
  }
  return thrown;
}

Vec3 pointBetween(const ContactSpheres& spheres) noexcept {
  const Vec3 way = spheres.b.centre - spheres.a.centre;
  const Real length = glm::length(way);
  if (!(length > 0.0)) return spheres.a.centre;
  const Real along = 0.5 * (length + spheres.a.radius - spheres.b.radius);
  return spheres.a.centre + (along / length) * way;
}

void teleport(Ships& ships, const BodyPair& pair) {
  for (const std::uint32_t index : {pair.a, pair.b}) {
    // Never refused: the ship began there
    (void)ships.setPose(index, ships.definition(index).pose);
    (void)ships.setVelocity(index, Vec3(0.0));
    if (ships.angularMomentum(index) != Vec3(0.0)) (void)ships.setAngularMomentum(index, Vec3(0.0));
  }
}

}  // namespace nearmiss::engine
