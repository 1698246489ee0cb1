// SPDX-License-Identifier: MIT
#include <utility>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

/// Writes the result of `query(shape, pose, shape, pose, budget)` to `out`, the argument `name`.
template <class Ask, class Plain>
nearmiss_status queryOnce(const nearmiss_shape* a, const nearmiss_pose* poseA,
                          const nearmiss_shape* b, const nearmiss_pose* poseB, double seconds,
                          const Ask& query, const char* name, Plain* out) noexcept {
  const char* missing = firstNull(Named{"a", a}, Named{"pose_a", poseA}, Named{"b", b},
                                  Named{"pose_b", poseB}, Named{name, out});
  if (missing) return isNull(missing);
  const auto budget = budgetOf(seconds);
  if (!budget) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    const Pose here = poseOf(*poseA), there = poseOf(*poseB);
    if (const auto sound = checkArguments("pose_a", here, "pose_b", there); sound != NEARMISS_OK)
      return sound;
    *out = plain(query(a->shape, here, b->shape, there, *budget));
    return NEARMISS_OK;
  });
}

/// Continues one query of a pair; `begun` says whether it was started. Writes the result to `out`,
/// the argument `name`.
template <class Query, class Plain>
nearmiss_status goOn(nearmiss_pair* pair, Query nearmiss_pair::*which, bool nearmiss_pair::*begun,
                     double seconds, const char* name, Plain* out) noexcept {
  if (const char* missing = firstNull(Named{"pair", pair}, Named{name, out}))
    return isNull(missing);
  const auto budget = budgetOf(seconds);
  if (!budget) return NEARMISS_UNSUPPORTED;
  if (!pair->taken)
    return failed(NEARMISS_UNSUPPORTED, "the pair has no shapes: call nearmiss_pair_begin() first");
  return guarded([&] {
    Query& query = pair->*which;
    // After an allocation failure the next call has to begin again
    if (!std::exchange(pair->*begun, false)) {
      const nearmiss_pair::Taken& two = *pair->taken;
      query.begin(two.a, two.poseA, two.b, two.poseB);
    }
    *out = plain(query.refine(*budget));
    pair->*begun = true;
    return NEARMISS_OK;
  });
}

SteadyMotion motionOf(const nearmiss_motion& motion) noexcept {
  return {poseOf(motion.pose), vectorOf(motion.velocity), vectorOf(motion.angular_velocity)};
}

}  // namespace

nearmiss_status nearmiss_collide(const nearmiss_shape* a, const nearmiss_pose* pose_a,
                                 const nearmiss_shape* b, const nearmiss_pose* pose_b,
                                 double budget, nearmiss_refinement* answer) {
  return queryOnce(a, pose_a, b, pose_b, budget, collide, "answer", answer);
}

nearmiss_status nearmiss_distance(const nearmiss_shape* a, const nearmiss_pose* pose_a,
                                  const nearmiss_shape* b, const nearmiss_pose* pose_b,
                                  double budget, nearmiss_distance_bounds* bounds) {
  return queryOnce(a, pose_a, b, pose_b, budget, distance, "bounds", bounds);
}

nearmiss_status nearmiss_penetration(const nearmiss_shape* a, const nearmiss_pose* pose_a,
                                     const nearmiss_shape* b, const nearmiss_pose* pose_b,
                                     double budget, nearmiss_penetration_bounds* bounds) {
  return queryOnce(a, pose_a, b, pose_b, budget, penetration, "bounds", bounds);
}

nearmiss_status nearmiss_protrusion(const nearmiss_shape* a, const nearmiss_pose* pose_a,
                                    const nearmiss_shape* b, const nearmiss_pose* pose_b,
                                    double budget, nearmiss_protruding* protrusion) {
  return queryOnce(a, pose_a, b, pose_b, budget, nearmiss::protrusion, "protrusion", protrusion);
}

nearmiss_status nearmiss_time_to_contact(const nearmiss_shape* a, const nearmiss_motion* motion_a,
                                         const nearmiss_shape* b, const nearmiss_motion* motion_b,
                                         double horizon, double tolerance, double budget,
                                         nearmiss_contact_time* time) {
  const char* missing = firstNull(Named{"a", a}, Named{"motion_a", motion_a}, Named{"b", b},
                                  Named{"motion_b", motion_b}, Named{"time", time});
  if (missing) return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    const SteadyMotion first = motionOf(*motion_a), second = motionOf(*motion_b);
    if (const auto sound = checkArguments("motion_a", first, "motion_b", second);
        sound != NEARMISS_OK)
      return sound;
    const auto ends = checkHorizon(a->shape, first, b->shape, second, horizon, tolerance, *within);
    if (!ends) return failed(ends.error());
    DistanceQuery query;
    const ContactTime found =
        timeToContact(query, a->shape, first, b->shape, second, horizon, tolerance, *within);
    *time = {found.noContactBefore, found.reached, found.canRefine};
    return NEARMISS_OK;
  });
}

nearmiss_status nearmiss_pair_make(nearmiss_pair** pair) {
  if (!pair) return isNull("pair");
  return guarded([&] {
    *pair = new nearmiss_pair{};
    return NEARMISS_OK;
  });
}

void nearmiss_pair_free(nearmiss_pair* pair) { delete pair; }

nearmiss_status nearmiss_pair_begin(nearmiss_pair* pair, const nearmiss_shape* a,
                                    const nearmiss_pose* pose_a, const nearmiss_shape* b,
                                    const nearmiss_pose* pose_b) {
  const char* missing = firstNull(Named{"pair", pair}, Named{"a", a}, Named{"pose_a", pose_a},
                                  Named{"b", b}, Named{"pose_b", pose_b});
  if (missing) return isNull(missing);
  return guarded([&] {
    const Pose poseA = poseOf(*pose_a), poseB = poseOf(*pose_b);
    if (const auto sound = checkArguments("pose_a", poseA, "pose_b", poseB); sound != NEARMISS_OK)
      return sound;
    nearmiss_pair::Taken taken{a->shape, b->shape, poseA, poseB};
    pair->collide.begin(a->shape, poseA, b->shape, poseB);
    pair->taken = std::move(taken);
    pair->collides = true;
    pair->measures = pair->penetrates = pair->protrudes = pair->touches = false;
    return NEARMISS_OK;
  });
}

nearmiss_status nearmiss_pair_collide(nearmiss_pair* pair, double budget,
                                      nearmiss_refinement* answer) {
  return goOn(pair, &nearmiss_pair::collide, &nearmiss_pair::collides, budget, "answer", answer);
}

nearmiss_status nearmiss_pair_distance(nearmiss_pair* pair, double budget,
                                       nearmiss_distance_bounds* bounds) {
  return goOn(pair, &nearmiss_pair::distance, &nearmiss_pair::measures, budget, "bounds", bounds);
}

nearmiss_status nearmiss_pair_penetration(nearmiss_pair* pair, double budget,
                                          nearmiss_penetration_bounds* bounds) {
  return goOn(pair, &nearmiss_pair::penetration, &nearmiss_pair::penetrates, budget, "bounds",
              bounds);
}

nearmiss_status nearmiss_pair_protrusion(nearmiss_pair* pair, double budget,
                                         nearmiss_protruding* protrusion) {
  return goOn(pair, &nearmiss_pair::protrusion, &nearmiss_pair::protrudes, budget, "protrusion",
              protrusion);
}
