// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/distance.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss {
namespace {

/// Factor of a step: compensates rounding in the way that a body goes.
constexpr Real cautious = 1.0 - 1e-9;

/// Maximum speed at which any two points of the bodies approach, metres per second.
Real approachOf(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                const SteadyMotion& motionB) noexcept {
  return glm::distance(motionA.velocity, motionB.velocity) +
         glm::length(motionA.angularVelocity) * a.radius() +
         glm::length(motionB.angularVelocity) * b.radius();
}

}  // namespace

Pose poseAfter(const SteadyMotion& motion, Real seconds) noexcept {
  Pose pose = motion.pose;
  pose.position += seconds * motion.velocity;
  const Real speed = glm::length(motion.angularVelocity);
  if (speed > 0.0)
    pose.rotation = glm::normalize(glm::angleAxis(seconds * speed, motion.angularVelocity / speed) *
                                   pose.rotation);
  return pose;
}

ContactTime timeToContact(DistanceQuery& query, const Shape& a, const SteadyMotion& motionA,
                          const Shape& b, const SteadyMotion& motionB, Real horizon, Real tolerance,
                          const TimeBudget& budget) {
  NEARMISS_DEMAND(tolerance > 0.0, tolerance);
  NEARMISS_DEMAND(horizon >= 0.0, horizon);
  const Real approach = approachOf(a, motionA, b, motionB);
  const bool finite = std::isfinite(approach);
  NEARMISS_DEMAND(finite, approach);
  ContactTime answer;
  for (;;) {
    query.begin(a, poseAfter(motionA, answer.noContactBefore), b,
                poseAfter(motionB, answer.noContactBefore));
    answer.bounds = query.refine(budget);
    if (answer.bounds.upper <= tolerance) {
      answer.reached = true;
      answer.canRefine = false;
      return answer;
    }
    // A distance that was cut short still allows a step
    const Real left = horizon - answer.noContactBefore;
    const Real step = approach > 0.0 ? cautious * answer.bounds.lower / approach : left;
    if (answer.noContactBefore < horizon && step >= left) {
      answer.noContactBefore = horizon;
      answer.canRefine = false;
      return answer;
    }
    const Real before = answer.noContactBefore;
    answer.noContactBefore += step;
    if (budget.exhausted() || answer.noContactBefore >= horizon ||
        !(answer.noContactBefore > before)) {
      answer.canRefine = answer.noContactBefore < horizon;
      return answer;
    }
  }
}

}  // namespace nearmiss
