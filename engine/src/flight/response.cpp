// SPDX-License-Identifier: MIT
#include <engine/flight/response.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>

#include "flight/impulses.h"

namespace nearmiss::engine {
namespace {

/// Normalises `v`; `nullopt` for a zero vector.
std::optional<Vec3> direction(const Vec3& v) noexcept {
  const Real length = glm::length(v);
  if (!(length > 0.0) || !std::isfinite(length)) return std::nullopt;
  return v / length;
}

/// other / (own + other): fraction of the velocity change for the ship of mass `own`.
Real share(Real own, Real other) noexcept {
  if (std::isinf(own)) return 0.0;
  return std::isinf(other) ? 1.0 : 1.0 / (1.0 + own / other);
}

}  // namespace

Response responseOf(std::string_view name) noexcept {
  return static_cast<Response>(std::ranges::find(responseNames, name) - std::begin(responseNames));
}

std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const BodyPair& pair,
                             const std::optional<Vec3>& found) {
  if (found) return found;
  const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
  if (const auto n = direction(a.pose.position - b.pose.position)) return n;
  return direction(b.velocity - a.velocity);
}

std::optional<Vec3> normalOf(std::span<const BodyState> bodies, const DetectedPair& pair) {
  const ContactSpheres& deepest = pair.refinement.deepest;
  return normalOf(bodies, pair.bodies, direction(deepest.a.centre - deepest.b.centre));
}

Real jointSpeed(const Ships& ships, const BodyPair& pair, std::uint32_t linkA, std::uint32_t linkB,
                const ImpulsePoint& point) noexcept {
  const auto velocityOf = [&](std::uint32_t index, std::uint32_t link) {
    const auto& articulation = ships.definition(index).articulation;
    if (!articulation) return Vec3(0.0);
    return jointVelocity(*articulation, ships.states()[index], ships.time(), link, point.position);
  };
  return glm::dot(velocityOf(pair.a, linkA) - velocityOf(pair.b, linkB), point.normal);
}

bool bounce(Ships& ships, const BodyPair& pair, const Vec3& normal, Real jointSpeed) {
  const auto states = ships.states();
  const BodyState& a = states[pair.a];
  const BodyState& b = states[pair.b];

  // Only converging ships bounce
  const Real closing = glm::dot(a.velocity - b.velocity, normal) + jointSpeed;
  if (!(closing < 0.0)) return false;

  // Reverse the relative velocity along the normal; a share of 0 must not change the velocity bits
  const Real massA = ships.definition(pair.a).mass;
  const Real massB = ships.definition(pair.b).mass;
  const Real shareA = share(massA, massB);
  const Real shareB = share(massB, massA);
  const Vec3 newA = a.velocity - (2.0 * shareA * closing) * normal;
  const Vec3 newB = b.velocity + (2.0 * shareB * closing) * normal;
  // Overflow is refused: then the ship keeps its velocity
  const bool thrownA = shareA > 0.0 && ships.setVelocity(pair.a, newA);
  const bool thrownB = shareB > 0.0 && ships.setVelocity(pair.b, newB);
  return thrownA || thrownB;
}

namespace {

/// A ship and its response to a unit impulse at each point, for mass 1.
struct ThrownShip {
  using PerPoint = std::array<Vec3, ImpulseProblem::maxPoints>;
  std::uint32_t index = 0;
  Real perMass = 0.0;  ///< 1/kg; 0: not moved
  PerPoint momentum{}, turning{};

  ThrownShip(const Ships& ships, std::uint32_t ship, std::span<const ImpulsePoint> points)
      : index(ship), perMass(1.0 / ships.definition(ship).mass) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 arm = points[i].position - ships.states()[ship].pose.position;
      momentum[i] = glm::cross(arm, points[i].normal);
      turning[i] = ships.turnedBy(ship, momentum[i]);
    }
  }

  /// Speed of point `i` along its normal.
  [[nodiscard]] Real speedAt(const Ships& ships, std::size_t i, const Vec3& normal) const {
    return glm::dot(ships.states()[index].velocity, normal) +
           glm::dot(ships.angularVelocity(index), momentum[i]);
  }
  /// Speed of point `i` due to a unit impulse at point `j`.
  [[nodiscard]] Real gives(std::size_t i, std::size_t j, Real alike) const {
    return perMass * (alike + glm::dot(momentum[i], turning[j]));
  }
  /// Applies the impulses. Returns false if the ship does not move.
  bool take(Ships& ships, std::span<const ImpulsePoint> points,
            const ImpulseProblem::Values& impulses, Real sign) const {
    if (!(perMass > 0.0)) return false;
    Vec3 velocity = ships.states()[index].velocity, turned = ships.angularMomentum(index);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Real push = sign * impulses[i] * perMass;
      velocity += push * points[i].normal;
      turned += push * momentum[i];
    }
    // Overflow is refused: then the ship keeps its velocity
    if (!ships.setVelocity(index, velocity)) return false;
    (void)ships.setAngularMomentum(index, turned);
    return true;
  }
};

}  // namespace

bool tumble(Ships& ships, const BodyPair& pair, std::span<const ImpulsePoint> points) {
  static_assert(SolidContact::maxPoints == ImpulseProblem::maxPoints);
  points = points.first(std::min(points.size(), ImpulseProblem::maxPoints));
  const ThrownShip a(ships, pair.a, points), b(ships, pair.b, points);
  ImpulseProblem problem;
  problem.count = points.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImpulsePoint& point = points[i];
    problem.parting[i] =
        a.speedAt(ships, i, point.normal) - b.speedAt(ships, i, point.normal) + point.jointSpeed;
    for (std::size_t j = 0; j <= i; ++j) {
      const Real alike = i == j ? 1.0 : glm::dot(point.normal, points[j].normal);
      problem.response[i][j] = problem.response[j][i] = a.gives(i, j, alike) + b.gives(i, j, alike);
    }
  }
  const ImpulseProblem::Values impulses = solve(problem);
  if (std::ranges::none_of(impulses, [](Real x) { return x > 0.0; })) return false;
  const bool thrownA = a.take(ships, points, impulses, 1.0);
  const bool thrownB = b.take(ships, points, impulses, -1.0);
  return thrownA || thrownB;
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
    // Always valid, because it is the start pose
    (void)ships.setPose(index, ships.definition(index).pose);
    (void)ships.setVelocity(index, Vec3(0.0));
    if (ships.angularMomentum(index) != Vec3(0.0)) (void)ships.setAngularMomentum(index, Vec3(0.0));
  }
}

}  // namespace nearmiss::engine
