// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <optional>

#include "geometry/invalid_number.h"
#include "geometry/sound_pose.h"

namespace nearmiss {
namespace {

/// Factor of a step that compensates rounding in its length.
constexpr Real cautious = 1.0 - 1e-9;
/// Maximum number of steps if time cannot run out, about ten seconds.
constexpr std::size_t maxSteps = 1'000'000;

/// Also accurate for velocities whose squares underflow.
Real speedOf(const Vec3& velocity) noexcept {
  const Real length = glm::length(velocity);
  return length > 1e-140 ? length : std::hypot(velocity.x, velocity.y, velocity.z);
}

/// Returns the maximum speed at which any two points of the bodies approach, metres per second.
Real approachOf(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                const SteadyMotion& motionB) noexcept {
  return speedOf(motionA.velocity - motionB.velocity) +
         speedOf(motionA.angularVelocity) * a.radius() +
         speedOf(motionB.angularVelocity) * b.radius();
}

/// Returns the metres by which poseAfter(), and rounding of the time itself, may misplace a point
/// of a body: a pose far away or after many turns has fewer digits than the gap.
Real misplacedAfter(const SteadyMotion& motion, const Shape& shape, Real seconds) noexcept {
  const Real speed = speedOf(motion.velocity);
  if (seconds == 0.0) return 0.0;
  return 8.0 * std::numeric_limits<Real>::epsilon() *
         ((speed > 0.0 ? glm::length(motion.pose.position) : 0.0) +
          seconds * (speed + speedOf(motion.angularVelocity) * shape.radius()));
}

/// Returns true if bodies that only rotate in place stay farther apart than `tolerance`, judged by
/// their bounding spheres. Without this test they would be followed for the whole horizon.
bool apartForever(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                  const SteadyMotion& motionB, Real tolerance) noexcept {
  constexpr Real rounded = 1.0 - 1e-9;
  return motionA.velocity == Vec3(0.0) && motionB.velocity == Vec3(0.0) &&
         rounded * glm::distance(motionA.pose.position, motionB.pose.position) >
             a.radius() + b.radius() + tolerance;
}

/// Returns true if following the bodies would not end: they rotate too often before a finite
/// horizon, and possibly within each other's reach.
bool endless(const Shape& a, const SteadyMotion& motionA, const Shape& b,
             const SteadyMotion& motionB, Real horizon, Real tolerance) noexcept {
  constexpr Real followed = 1e9;
  const Real turning =
      speedOf(motionA.angularVelocity) * a.radius() + speedOf(motionB.angularVelocity) * b.radius();
  return horizon * turning > followed * (a.radius() + b.radius() + tolerance) &&
         !apartForever(a, motionA, b, motionB, tolerance);
}

std::optional<InvalidNumber> faultOfVelocities(const SteadyMotion& motion) noexcept {
  if (auto fault = outOfRange(motion.velocity, {"velocity.x", "velocity.y", "velocity.z"}))
    return fault;
  return outOfRange(motion.angularVelocity,
                    {"angularVelocity.x", "angularVelocity.y", "angularVelocity.z"});
}

}  // namespace

Result<Success> check(const SteadyMotion& motion) {
  return orOutOfMemory("cannot check the motion", [&]() -> Result<Success> {
    if (isSound(motion.pose)) return toResult(faultOfVelocities(motion), "cannot check the motion");
    Error refusal = check(motion.pose).error();
    if (refusal.code == ErrorCode::Unsupported) refusal.message.insert(0, "pose.");
    return refusal;
  });
}

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
    // Any motion leaves the range of poses after enough time
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
    // A distance that was cut short may not even decide whether they touch now
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
      // More time does not help if the gap is below rounding
      const bool whole = stuck && !answer.bounds.canRefine;
      answer.canRefine = !whole && (answer.noContactBefore < horizon || !apart);
      return answer;
    }
  }
}

ContactTime timeToContact(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                          const SteadyMotion& motionB, Real horizon, Real tolerance,
                          const TimeBudget& budget) {
  DistanceQuery query;
  return timeToContact(query, a, motionA, b, motionB, horizon, tolerance, budget);
}

}  // namespace nearmiss
