// SPDX-License-Identifier: MIT
#include <nearmiss/point_query.h>
#include <nearmiss/ray.h>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

/// Nothing is null, and the budget is one: `ask(budget)`, a Result, is written by `put(value)`.
template <class Ask, class Put>
nearmiss_status askShape(const nearmiss_shape* shape, const nearmiss_pose* pose, Named asked,
                         Named answer, double seconds, const Ask& ask, const Put& put) noexcept {
  const char* missing = firstNull(Named{"shape", shape}, Named{"pose", pose}, asked, answer);
  if (missing) return isNull(missing);
  const auto budget = budgetOf(seconds);
  if (!budget) return NEARMISS_UNSUPPORTED;
  return guarded([&] { return withValue(ask(*budget), put); });
}

}  // namespace

nearmiss_status nearmiss_raycast(const nearmiss_shape* shape, const nearmiss_pose* pose,
                                 const nearmiss_ray* ray, double budget, nearmiss_ray_hit* hit) {
  return askShape(
      shape, pose, {"ray", ray}, {"hit", hit}, budget,
      [&](const TimeBudget& time) {
        return raycastChecked(shape->shape, poseOf(*pose), rayOf(*ray), time);
      },
      [&](const RayHit& found) { *hit = plain(found); });
}

nearmiss_status nearmiss_point_nearest(const nearmiss_shape* shape, const nearmiss_pose* pose,
                                       const double point[3], double reach, double budget,
                                       nearmiss_point_bounds* bounds) {
  return askShape(
      shape, pose, {"point", point}, {"bounds", bounds}, budget,
      [&](const TimeBudget& time) {
        return nearestPointChecked(shape->shape, poseOf(*pose), vectorOf(point), time, reach);
      },
      [&](const NearestPoint& found) { *bounds = plain(found); });
}

nearmiss_status nearmiss_point_side(const nearmiss_shape* shape, const nearmiss_pose* pose,
                                    const double point[3], double budget, int32_t* side) {
  return askShape(
      shape, pose, {"point", point}, {"side", side}, budget,
      [&](const TimeBudget& time) {
        return sideOfChecked(shape->shape, poseOf(*pose), vectorOf(point), time);
      },
      [&](const SideOfSurface& found) { *side = static_cast<std::int32_t>(found.side); });
}
