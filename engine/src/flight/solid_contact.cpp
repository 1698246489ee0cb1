// SPDX-License-Identifier: MIT
#include <engine/flight/solid_contact.h>
#include <nearmiss/time_budget.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

/// Counted work for two links. Nearly all pairs need less; the worst would stall a frame.
constexpr std::chrono::microseconds contactAllowance(100);

/// The mean of the points, weighted by depth.
/// @pre points is not empty
ImpulsePoint meanOf(std::span<const ManifoldPoint> points) {
  // If the sum of weighted normals is shorter than this relative to the weights, it is rounding
  // error
  constexpr Real minShare = 1e-6;
  Vec3 normals(0.0), positions(0.0);
  Real weights = 0.0;
  for (const ManifoldPoint& point : points) {
    normals += point.depth * point.normal;
    positions += point.depth * 0.5 * (point.onA + point.onB);
    weights += point.depth;
  }
  const Real length = glm::length(normals);
  if (!(length > minShare * weights) || !std::isfinite(length)) return impulsePoint(points.front());
  return {normals / length, positions / weights};
}

}  // namespace

std::optional<SolidContact> SolidContactQuery::find(std::span<const BodyState> bodies,
                                                    const BodyPair& pair, const Shapes& solids) {
  const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
  // Fixed order: the result must not depend on which links a method found first
  for (std::uint32_t i = 0; i < linkCount(a); ++i)
    for (std::uint32_t j = 0; j < linkCount(b); ++j)
      if (auto contact = contactOf(linkOf(a, i), linkOf(b, j), solids)) {
        contact->linkA = i;
        contact->linkB = j;
        return contact;
      }
  return std::nullopt;
}

std::optional<SolidContact> SolidContactQuery::contactOf(const Link& a, const Link& b,
                                                         const Shapes& solids) {
  const Sphere sphereA{a.pose.position, a.shape.radius()};
  const Sphere sphereB{b.pose.position, b.shape.radius()};
  if (overlap(sphereA, sphereB) < 0.0) return std::nullopt;
  // The query prefers points of its previous manifold if the meshes are the same, and most ships
  // share a few meshes. Without reset the result would depend on the distribution over threads
  query_.forget();
  query_.begin(solids[a.shape.index()], a.pose, solids[b.shape.index()], b.pose,
               {.margin = 0.0, .maxPoints = SolidContact::maxPoints});
  WorkClock clock;
  const ContactManifold& manifold = query_.refine(TimeBudget(clock, contactAllowance));
  if (manifold.points.empty() || !manifold.depthKnown) return std::nullopt;
  SolidContact contact;
  contact.mean = meanOf(manifold.points);
  contact.count = manifold.points.size();
  std::ranges::copy(manifold.points, contact.manifold.begin());
  return contact;
}

}  // namespace nearmiss::engine
