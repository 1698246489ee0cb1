// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/distance.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "query/two_bodies.h"

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

/// Why a motion cannot be followed, if so.
std::optional<BodyFault> faultOf(const SteadyMotion& motion) noexcept {
  BodyState state;
  state.shape = ShapeRef::ofRadius(0.0);
  state.pose = motion.pose;
  state.velocity = motion.velocity;
  if (const auto fault = faultIn({&state, 1}, 0.0)) return fault;
  state.velocity = motion.angularVelocity;
  auto fault = faultIn({&state, 1}, 0.0);
  constexpr std::array turning{"angularVelocity.x", "angularVelocity.y", "angularVelocity.z"};
  if (fault)
    fault->field = turning[static_cast<std::size_t>(std::string_view(fault->field).back() - 'x')];
  return fault;
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
    const Pose poseA = poseAfter(motionA, answer.noContactBefore);
    const Pose poseB = poseAfter(motionB, answer.noContactBefore);
    // Whoever flies on for long enough leaves every range
    if (answer.noContactBefore > 0.0 && faultOfTwo(a, poseA, b, poseB)) {
      answer.bounds = {};
      answer.canRefine = false;
      return answer;
    }
    query.begin(a, poseA, b, poseB);
    answer.bounds = query.refine(budget);
    if (answer.bounds.upper <= tolerance) {
      answer.reached = true;
      answer.canRefine = false;
      return answer;
    }
    // A distance that was cut short still allows a step
    const Real left = horizon - answer.noContactBefore;
    const Real step = approach > 0.0 ? cautious * answer.bounds.lower / approach : left;
    if (answer.noContactBefore <= horizon && step >= left) {
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

Result<ContactTime> timeToContactChecked(DistanceQuery& query, const Shape& a,
                                         const SteadyMotion& motionA, const Shape& b,
                                         const SteadyMotion& motionB, Real horizon, Real tolerance,
                                         const TimeBudget& budget) {
  const auto refused = [](std::string what) -> Result<ContactTime> {
    return Error{ErrorCode::Unsupported, std::move(what)};
  };
  return orOutOfMemory("cannot find the time to contact", [&]() -> Result<ContactTime> {
    for (const auto& [motion, index] : {std::pair(&motionA, 0u), std::pair(&motionB, 1u)})
      if (auto fault = faultOf(*motion)) {
        fault->index = fault->key = index;
        return refused(describe(*fault));
      }
    if (!(tolerance > 0.0)) return refused("the tolerance must be above 0 metres");
    if (!(horizon >= 0.0)) return refused("the horizon must be 0 seconds or more");
    return timeToContact(query, a, motionA, b, motionB, horizon, tolerance, budget);
  });
}

}  // namespace nearmiss
