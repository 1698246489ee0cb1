// SPDX-License-Identifier: MIT
#include <nearmiss/body_set.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <utility>

#include "body_set_parts.h"
#include "narrow/work_meter.h"

namespace nearmiss {
namespace {

/// True if the box around `a` may be within `margin` of the bounding sphere of `b`.
bool mayBeNear(const Polyhedron& a, const Pose& poseA, const Polyhedron& b, const Pose& poseB,
               Real margin) noexcept {
  constexpr Real stretch = 1.0 + 4e-9, slack = 1e-12;
  const Vec3 between = glm::conjugate(poseA.rotation) * (poseB.position - poseA.position);
  const Vec3 far = glm::abs(poseA.position) + glm::abs(poseB.position);
  // A rotation may stretch what it turns by 1e-9
  const Real reach = stretch * (b.radius() + margin) + 4e-9 * a.radius() +
                     slack * (far.x + far.y + far.z) + 4e-9 * glm::length(between);
  return squaredDistance(a.bounds(), between) <= reach * reach;
}

}  // namespace

/// Pairs that count and whose bounding spheres, and the box of each and the sphere of the other,
/// are within the margin.
void BodySet::Parts::findNearPairs(Real margin, const TimeBudget& budget) {
  sortByHandle();
  nearPairs.clear();
  meetings.take(states, margin);
  WorkMeter meter;
  meter.open().boundTests = meetings.forEachPair([&](std::uint32_t a, std::uint32_t b) {
    if (!counts(a, b)) return;
    const Pose &poseA = states[a].pose, &poseB = states[b].pose;
    const Polyhedron& one = shapes[states[a].shape.id()].polyhedron();
    const Polyhedron& other = shapes[states[b].shape.id()].polyhedron();
    if (mayBeNear(one, poseA, other, poseB, margin) && mayBeNear(other, poseB, one, poseA, margin))
      nearPairs.push_back({a, b});
  });
  std::sort(nearPairs.begin(), nearPairs.end());
  meter.open().boundTests += states.size() + 8 * nearPairs.size();
  meter.settle(budget);
}

/// Writes what the manifolds know to `pendingTouching`.
void BodySet::Parts::collectContacts() {
  KeptContacts& out = pendingTouching;
  out.answer.pairs.clear();
  out.answer.complete = true;
  out.points.clear();
  const std::span<const KeptManifold* const> all = manifolds.current();
  // Spans into the list follow once it does not grow any more
  for (const KeptManifold* kept : all)
    out.points.insert(out.points.end(), kept->points().begin(), kept->points().end());
  std::size_t first = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const KeptManifold& kept = *all[i];
    PairContacts pair;
    pair.bodies = kept.bodies;
    pair.points = std::span(out.points).subspan(first, kept.points().size());
    first += pair.points.size();
    pair.depthKnown = !kept.asked || kept.known.depthKnown;
    pair.canRefine = !kept.done();
    pair.sensed = sensed(nearPairs[i].a, nearPairs[i].b);
    out.answer.complete = out.answer.complete && !pair.canRefine;
    if (!pair.points.empty() || pair.canRefine || !pair.depthKnown)
      out.answer.pairs.push_back(pair);
  }
}

Result<const BodySetContacts*> BodySet::contacts(const ManifoldSettings& settings,
                                                 const TimeBudget& budget) {
  if (!(settings.margin >= 0.0) || !std::isfinite(settings.margin))
    return Error{ErrorCode::Unsupported, "the margin must be finite and at least 0"};
  if (settings.maxPoints == 0)
    return Error{ErrorCode::Unsupported, "a manifold must have room for a point"};
  return orOutOfMemory("cannot find the contacts", [&]() -> Result<const BodySetContacts*> {
    Parts& p = *parts_;
    // All bodies are within this of each other; squares of more may overflow
    constexpr Real enough = 16.0 * maxPoseMagnitude;
    p.findNearPairs(std::min(settings.margin, enough), budget);
    p.manifolds.update(p.states, p.shapes, p.nearPairs, settings, budget);
    p.collectContacts();
    // An error leaves the previous answer
    std::swap(p.touching, p.pendingTouching);
    return &p.touching.answer;
  });
}

}  // namespace nearmiss
