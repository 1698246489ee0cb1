// SPDX-License-Identifier: MIT
#include <nearmiss/ray.h>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

/// Calls `ask(pose, budget)`, which returns a status, unless a pointer is null or the pose or the
/// budget is invalid.
template <class Ask>
nearmiss_status queryShape(const nearmiss_shape* shape, const nearmiss_pose* pose, Named argument,
                           Named answer, double seconds, const Ask& ask) noexcept {
  const char* missing = firstNull(Named{"shape", shape}, Named{"pose", pose}, argument, answer);
  if (missing) return isNull(missing);
  const auto budget = budgetOf(seconds);
  if (!budget) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    const Pose placed = poseOf(*pose);
    if (const auto sound = checkArguments("pose", placed); sound != NEARMISS_OK) return sound;
    return ask(placed, *budget);
  });
}

}  // namespace

nearmiss_status nearmiss_raycast(const nearmiss_shape* shape, const nearmiss_pose* pose,
                                 const nearmiss_ray* ray, double budget, nearmiss_ray_hit* hit) {
  return queryShape(shape, pose, {"ray", ray}, {"hit", hit}, budget,
                    [&](const Pose& placed, const TimeBudget& time) {
                      const Ray along = rayOf(*ray);
                      const auto sound = checkArguments("ray", along);
                      if (sound == NEARMISS_OK)
                        *hit = plain(raycast(shape->shape, placed, along, time));
                      return sound;
                    });
}

nearmiss_status nearmiss_nearest_point(const nearmiss_shape* shape, const nearmiss_pose* pose,
                                       const double point[3], double reach, double budget,
                                       nearmiss_point_bounds* bounds) {
  return queryShape(shape, pose, {"point", point}, {"bounds", bounds}, budget,
                    [&](const Pose& placed, const TimeBudget& time) {
                      const Vec3 at = vectorOf(point);
                      if (const auto sound = check(at, reach); !sound) return failed(sound.error());
                      *bounds = plain(nearestPoint(shape->shape, placed, at, reach, time));
                      return NEARMISS_OK;
                    });
}

nearmiss_status nearmiss_side_of(const nearmiss_shape* shape, const nearmiss_pose* pose,
                                 const double point[3], double budget, int32_t* side) {
  return queryShape(shape, pose, {"point", point}, {"side", side}, budget,
                    [&](const Pose& placed, const TimeBudget& time) {
                      const Vec3 at = vectorOf(point);
                      if (const auto sound = check(at); !sound) return failed(sound.error());
                      *side = static_cast<std::int32_t>(sideOf(shape->shape, placed, at, time));
                      return NEARMISS_OK;
                    });
}
