// SPDX-License-Identifier: MIT
#include "lab/random_cubes.h"

#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

namespace nearmiss::app::lab {
namespace {

/// Draws new positions for bodies with overlapping spheres until there are none.
void drawApart(SplitMix& random, Crowd& crowd) {
  const auto grid = findBroadPhase("uniform-grid")->make();
  std::vector<BodyPair> pairs;
  for (BodyState& body : crowd.bodies) body.pose.position = drawInCube(random, crowd.halfRange);
  for (;;) {
    grid->findPairs(crowd.bodies, 0.0, pairs);
    if (pairs.empty()) return;
    for (const BodyPair& pair : pairs)
      crowd.bodies[pair.b].pose.position = drawInCube(random, crowd.halfRange);
  }
}

constexpr Real speed = 1.0;                          ///< initial maximum along an axis, m/s
constexpr Real acceleration = 2.0;                   ///< maximum over all sets, m/s^2
constexpr Real shortestSet = 0.5, longestSet = 2.0;  ///< seconds

Box cubeOf(const BodyState& body) noexcept {
  const Vec3 half(halfEdgeOf(body));
  return {body.pose.position - half, body.pose.position + half};
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
                                    random.between(settings.minHalfEdge, settings.maxHalfEdge));
  }
  // Two cubes touch if the centre of one lies in a cube around the centre of the other, whose edge
  // is the sum of both edges. The mean projected area of a cube is 1.5 faces. All pairs can meet
  const Real edge = 2.0 * (settings.minHalfEdge + settings.maxHalfEdge);
  const Real pairs = 0.5 * settings.count * settings.count;
  const Real swept = 1.5 * edge * edge * settings.speed * settings.firstMeeting;
  const Real room = 30.0 * settings.count * std::pow(2.0 * settings.maxHalfEdge, 3.0);
  crowd.halfRange = 0.5 * std::cbrt(std::max(pairs * swept, room));
  drawApart(random, crowd);
  return crowd;
}

CubeFlight::CubeFlight(std::uint64_t seed, int count, Real firstMeeting) : random_(seed) {
  CrowdSettings settings;
  settings.count = count;
  settings.firstMeeting = firstMeeting;
  settings.speed = speed;
  Crowd crowd = drawCrowd(random_, settings);
  bodies_ = std::move(crowd.bodies);
  halfRange_ = crowd.halfRange;
  for (BodyState& body : bodies_) body.velocity = drawInCube(random_, speed);
  forces_.resize(bodies_.size());
  drawForces();
  copyCubes();
}

void CubeFlight::copyCubes() {
  cubes_ = bodies_;
  for (BodyState& cube : cubes_) cube.shape = ShapeRef::ofRadius(halfEdgeOf(cube));
}

void CubeFlight::drawForces() {
  setEnd_ = time_ + random_.between(shortestSet, longestSet);
  const Real wildest = acceleration * random_.unit();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState& body = bodies_[i];
    const Real bound = wildest * random_.between(0.2, 1.0);
    const Vec3& at = body.pose.position;
    const bool outside = std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}) > halfRange_;
    const Vec3 steady = outside ? -at / glm::length(at) : drawDirection(random_);
    const Real share = outside ? 1.0 : random_.unit();
    forces_[i] = {bound * share * steady, bound * (1.0 - share) * drawDirection(random_),
                  random_.between(1.0, 10.0), random_.between(0.0, 6.0)};
    // Both parts together are within the bound, up to rounding
    body.accelerationBound = bound * (1.0 + 1e-12);
    body.boundHoldsUntil = setEnd_;
  }
}

void CubeFlight::step(Real dt) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Force& force = forces_[i];
    const Vec3 first = force.steady + force.swing * std::sin(force.rate * time_ + force.phase);
    const Vec3 middle =
        force.steady + force.swing * std::sin(force.rate * (time_ + 0.5 * dt) + force.phase);
    bodies_[i].pose.position += bodies_[i].velocity * dt + first * (0.5 * dt * dt);
    bodies_[i].velocity += middle * dt;
  }
  time_ += dt;
}

void CubeFlight::advance(Real dt) {
  const Real until = time_ + dt;
  while (until >= setEnd_) {
    step(setEnd_ - time_);
    time_ = setEnd_;
    drawForces();
  }
  step(until - time_);
  time_ = until;
  copyCubes();
}

bool cubesMeet(const BodyState& a, const BodyState& b) noexcept {
  return overlap(cubeOf(a), cubeOf(b));
}

BoundSet drawBoundSet(SplitMix& random, int count, bool planes) {
  BoundSet set;
  set.until = random.between(0.5, 2.0);
  CrowdSettings settings;
  settings.count = count;
  settings.speed = random.between(0.2, 3.0);
  settings.firstMeeting = set.until * std::pow(10.0, random.between(-2.0, 1.0));
  const Crowd crowd = drawCrowd(random, settings);
  const Real bodyAcceleration = random.between(0.0, 3.0);
  set.planes.reserve(crowd.bodies.size());
  for (const BodyState& body : crowd.bodies) {
    SpaceTimeBound& bound = set.bounds.emplace_back();
    bound.end = set.until;
    bound.position = body.pose.position;
    bound.velocity = drawInCube(random, settings.speed);
    bound.radius = halfEdgeOf(body);
    bound.acceleration = bodyAcceleration * random.unit();
    if (!planes || random.unit() > 2.0 / 3.0) continue;
    const Real reverse = random.unit() < 0.5 ? 0.0 : 0.3 * bound.acceleration;
    set.planes.push_back({drawDirection(random), reverse});
    bound.planes = std::span(&set.planes.back(), 1);
  }
  return set;
}

std::optional<Real> firstMeetingOfAll(const BoundSet& set) {
  std::optional<Real> first;
  for (std::size_t i = 0; i < set.bounds.size(); ++i)
    for (std::size_t j = i + 1; j < set.bounds.size(); ++j) {
      const auto faces = trapezoidOverlap(set.bounds[i], set.bounds[j]);
      // A plane never makes a meeting earlier
      if (!faces || (first && faces->first >= *first)) continue;
      const auto meeting = earliestMeeting(set.bounds[i], set.bounds[j]);
      if (meeting && (!first || *meeting < *first)) first = meeting;
    }
  return first;
}

}  // namespace nearmiss::app::lab
