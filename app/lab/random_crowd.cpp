// SPDX-License-Identifier: MIT
#include "lab/random_crowd.h"

#include <nearmiss/methods/broad_phases.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

namespace nearmiss::app {
namespace {

/// Draws new positions for bodies whose spheres meet until none do.
void drawApart(SplitMix& random, Crowd& crowd) {
  const auto grid = makeUniformGridBroadPhase();
  std::vector<BodyPair> pairs;
  for (BodyState& body : crowd.bodies) body.pose.position = drawInCube(random, crowd.halfRange);
  for (;;) {
    grid->findPairs(crowd.bodies, 0.0, pairs);
    if (pairs.empty()) return;
    for (const BodyPair& pair : pairs)
      crowd.bodies[pair.b].pose.position = drawInCube(random, crowd.halfRange);
  }
}

}  // namespace

Real halfEdgeOf(const BodyState& body) noexcept {
  return body.shape.radius() / std::numbers::sqrt3_v<Real>;
}

Vec3 drawInCube(SplitMix& random, Real half) {
  Vec3 at;
  for (int axis = 0; axis < 3; ++axis) at[axis] = random.between(-half, half);
  return at;
}

Vec3 drawDirection(SplitMix& random) {
  for (;;) {
    const Vec3 at = drawInCube(random, 1.0);
    const Real length = glm::length(at);
    if (length <= 1.0 && length > 0.1) return at / length;
  }
}

Crowd drawCrowd(SplitMix& random, const CrowdSettings& settings) {
  Crowd crowd;
  for (int i = 0; i < settings.count; ++i) {
    BodyState& body = crowd.bodies.emplace_back();
    body.key = static_cast<std::uint32_t>(i);
    body.shape = ShapeRef::ofRadius(std::numbers::sqrt3_v<Real> *
                                    random.between(settings.leastHalfEdge, settings.halfEdge));
  }
  // Two cubes meet while the centre of one is in a cube of both edges around the other's, which
  // shows 1.5 of its faces to any side on average; and all pairs have a chance
  const Real edge = 2.0 * (settings.leastHalfEdge + settings.halfEdge);
  const Real pairs = 0.5 * settings.count * settings.count;
  const Real swept = 1.5 * edge * edge * settings.speed * settings.firstMeeting;
  const Real room = 30.0 * settings.count * std::pow(2.0 * settings.halfEdge, 3.0);
  crowd.halfRange = 0.5 * std::cbrt(std::max(pairs * swept, room));
  drawApart(random, crowd);
  return crowd;
}

}  // namespace nearmiss::app
