// SPDX-License-Identifier: MIT
#include "lab/cube_flight.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "lab/random_crowd.h"

namespace nearmiss::app {
namespace {

constexpr Real speed = 1.0;                          ///< m/s along an axis at first, at most
constexpr Real acceleration = 2.0;                   ///< m/s^2, of the wildest set
constexpr Real shortestSet = 0.5, longestSet = 2.0;  ///< seconds

Box cubeOf(const BodyState& body) noexcept {
  const Vec3 half(halfEdgeOf(body));
  return {body.pose.position - half, body.pose.position + half};
}

}  // namespace

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
    // Both parts together are no longer than the bound, up to rounding
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
}

bool cubesMeet(const BodyState& a, const BodyState& b) noexcept {
  return overlap(cubeOf(a), cubeOf(b));
}

}  // namespace nearmiss::app
