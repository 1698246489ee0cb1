// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/distance.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "geometry/sound_pose.h"

namespace nearmiss {
namespace {

/// Factor of a step: compensates rounding in its length.
constexpr Real cautious = 1.0 - 1e-9;
/// Where no time can run out, no more are taken: some ten seconds.
constexpr std::size_t maxSteps = 1'000'000;

/// Also of velocities whose squares vanish.
Real speedOf(const Vec3& velocity) noexcept {
  const Real length = glm::length(velocity);
  return length > 1e-140 ? length : std::hypot(velocity.x, velocity.y, velocity.z);
}

/// Maximum speed at which any two points of the bodies approach, metres per second.
Real approachOf(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                const SteadyMotion& motionB) noexcept {
  return speedOf(motionA.velocity - motionB.velocity) +
         speedOf(motionA.angularVelocity) * a.radius() +
         speedOf(motionB.angularVelocity) * b.radius();
}

/// Metres by which poseAfter(), and rounding of the time itself, may misplace a point of a body: a
/// pose far away or after many turns has fewer digits than the gap.
Real misplacedAfter(const SteadyMotion& motion, const Shape& shape, Real seconds) noexcept {
  const Real speed = speedOf(motion.velocity);
  if (seconds == 0.0) return 0.0;
  return 8.0 * std::numeric_limits<Real>::epsilon() *
         ((speed > 0.0 ? glm::length(motion.pose.position) : 0.0) +
          seconds * (speed + speedOf(motion.angularVelocity) * shape.radius()));
}

/// True if bodies that only turn about where they are stay farther apart than `tolerance`: their
/// bounding spheres do. Without this test they would be followed for the whole horizon.
bool apartForever(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                  const SteadyMotion& motionB, Real tolerance) noexcept {
  constexpr Real rounded = 1.0 - 1e-9;
  return motionA.velocity == Vec3(0.0) && motionB.velocity == Vec3(0.0) &&
         rounded * glm::distance(motionA.pose.position, motionB.pose.position) >
             a.radius() + b.radius() + tolerance;
}

/// True if the bodies turn so often before a finite horizon, and may do so within each other's
/// reach, that to follow them has no end.
bool endless(const Shape& a, const SteadyMotion& motionA, const Shape& b,
             const SteadyMotion& motionB, Real horizon, Real tolerance) noexcept {
  constexpr Real followed = 1e9;
  const Real turning =
      speedOf(motionA.angularVelocity) * a.radius() + speedOf(motionB.angularVelocity) * b.radius();
  return horizon * turning > followed * (a.radius() + b.radius() + tolerance) &&
         !apartForever(a, motionA, b, motionB, tolerance);
}

}  // namespace

Pose poseAfter(const SteadyMotion& motion, Real seconds) noexcept {
  Pose pose = motion.pose;
  pose.position += seconds * motion.velocity;
  const Real speed = speedOf(motion.angularVelocity);
  if (speed > 0.0)
    pose.rotation = glm::normalize(glm::angleAxis(seconds * speed, motion.angularVelocity / speed) *
                                   pose.rotation);
  return pose;
}

Result<Success> checkHorizon(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                             const SteadyMotion& motionB, Real horizon, Real tolerance,
                             const TimeBudget& budget) {
  return orOutOfMemory("cannot check the horizon", [&]() -> Result<Success> {
    const auto refused = [](const char* why) { return Error{ErrorCode::Unsupported, why}; };
    if (!(tolerance > 0.0)) return refused("the tolerance must be above 0 metres");
    if (!(horizon >= 0.0)) return refused("the horizon must be 0 seconds or more");
    if (budget.limited()) return Success{};
    if (!std::isfinite(horizon)) return refused("an infinite horizon needs a budget");
    if (endless(a, motionA, b, motionB, horizon, tolerance))
      return refused("a horizon before which bodies turn too often to be followed needs a budget");
    return Success{};
  });
}

ContactTime timeToContact(DistanceQuery& query, const Shape& a, const SteadyMotion& motionA,
                          const Shape& b, const SteadyMotion& motionB, Real horizon, Real tolerance,
                          const TimeBudget& budget) {
  NEARMISS_DEMAND(tolerance > 0.0, tolerance);
  NEARMISS_DEMAND(horizon >= 0.0, horizon);
  const Real approach = approachOf(a, motionA, b, motionB);
  const bool finite = std::isfinite(approach);
  NEARMISS_DEMAND(finite, approach);
  const bool forever = apartForever(a, motionA, b, motionB, tolerance);
  ContactTime answer;
  for (std::size_t steps = 1;; ++steps) {
    const Pose poseA = poseAfter(motionA, answer.noContactBefore);
    const Pose poseB = poseAfter(motionB, answer.noContactBefore);
    // Whoever flies on for long enough leaves every range
    if (answer.noContactBefore > 0.0 && !(isSound(poseA) && isSound(poseB))) {
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
    const Real before = answer.noContactBefore;
    const Real certain = answer.bounds.lower - misplacedAfter(motionA, a, before) -
                         misplacedAfter(motionB, b, before);
    const Real left = horizon - before;
    // A distance that was cut short may not even say whether they touch now
    const bool apart = forever || certain > 0.0 || !answer.bounds.canRefine;
    const bool advance = approach > 0.0 && !forever;
    const Real step = advance ? cautious * std::max(certain, 0.0) / approach : apart ? left : 0.0;
    if (apart && before <= horizon && step >= left) {
      answer.noContactBefore = horizon;
      answer.canRefine = false;
      return answer;
    }
    answer.noContactBefore += step;
    const bool stuck = !(answer.noContactBefore > before);
    const bool over = budget.exhausted() || (!budget.limited() && steps >= maxSteps);
    if (over || answer.noContactBefore >= horizon || stuck) {
      // More time does not help where rounding hides the gap
      const bool whole = stuck && !answer.bounds.canRefine;
      answer.canRefine = !whole && (answer.noContactBefore < horizon || !apart);
      return answer;
    }
  }
}

}  // namespace nearmiss
