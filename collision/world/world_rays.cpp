// SPDX-License-Identifier: MIT
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/world.h>

#include <cstdint>

#include "world/world_parts.h"

namespace nearmiss {

template <class Find>
auto World::Parts::findAmongBodies(BodyHandle ignore, const Find& find)
    -> Result<std::invoke_result_t<const Find&, const PlacedBodies&>> {
  using Found = Result<std::invoke_result_t<const Find&, const PlacedBodies&>>;
  return orOutOfMemory("cannot query the bodies", [&]() -> Found {
    sortByHandle();
    if (!placed) bodies.place(shapes, states);
    placed = true;
    if (ignore != BodyHandle{} && !indexOf.contains(static_cast<std::uint32_t>(ignore)))
      return noSuchBody(ignore);
    return find(bodies);
  });
}

Result<RayHit> World::raycast(const Ray& ray, BodyHandle ignore, const TimeBudget& budget) {
  if (const auto sound = check(ray); !sound) return sound.error();
  return parts_->findAmongBodies(
      ignore, [&](const PlacedBodies& all) { return all.raycast(ray, ignore, budget); });
}

Result<NearestPoint> World::nearestPoint(const Vec3& point, Real reach, BodyHandle ignore,
                                         const TimeBudget& budget) {
  if (const auto sound = check(point, reach); !sound) return sound.error();
  return parts_->findAmongBodies(
      ignore, [&](const PlacedBodies& all) { return all.nearest(point, reach, ignore, budget); });
}

Result<bool> World::containing(const Vec3& point, std::vector<BodyHandle>& out,
                               const TimeBudget& budget) {
  if (const auto sound = check(point); !sound) return sound.error();
  return parts_->findAmongBodies({}, [&](const PlacedBodies& all) {
    const bool complete = all.containing(point, parts_->holders, budget);
    out = parts_->holders;
    return complete;
  });
}

}  // namespace nearmiss
