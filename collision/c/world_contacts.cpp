// SPDX-License-Identifier: MIT
#include <algorithm>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

nearmiss_body numberOf(BodyHandle body) noexcept { return static_cast<nearmiss_body>(body); }

}  // namespace

nearmiss_status nearmiss_world_contacts(nearmiss_world* world, double margin, size_t max_points,
                                        double budget, nearmiss_contacts* contacts) {
  if (const char* missing = firstNull(Named{"world", world}, Named{"contacts", contacts}))
    return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    return withValue(world->bodies.contacts({margin, max_points}, *within),
                     [&](const WorldContacts* found) {
                       world->touching = found;
                       std::size_t points = 0;
                       for (const PairContacts& pair : *found) points += pair.points.size();
                       *contacts = {found->size(), points, found->complete};
                     });
  });
}

size_t nearmiss_world_contact_pairs(const nearmiss_world* world, nearmiss_pair_contacts* pairs,
                                    size_t capacity) {
  if (!world || !world->touching) return 0;
  const auto& found = world->touching->pairs;
  std::size_t first = 0;
  for (std::size_t i = 0; pairs && i < std::min(capacity, found.size()); ++i) {
    const PairContacts& pair = found[i];
    pairs[i] = {numberOf(pair.bodies.a), numberOf(pair.bodies.b), first,      pair.points.size(),
                pair.depthKnown,         pair.canRefine,          pair.sensed};
    first += pair.points.size();
  }
  return found.size();
}

size_t nearmiss_world_contact_points(const nearmiss_world* world, nearmiss_manifold_point* points,
                                     size_t capacity) {
  if (!world || !world->touching) return 0;
  std::size_t count = 0;
  for (const PairContacts& pair : *world->touching)
    for (const ManifoldPoint& point : pair.points) {
      if (points && count < capacity) points[count] = plain(point);
      ++count;
    }
  return count;
}

nearmiss_status nearmiss_world_raycast(nearmiss_world* world, const nearmiss_ray* ray,
                                       nearmiss_body ignore, double budget, nearmiss_body* body,
                                       nearmiss_ray_hit* hit) {
  const char* missing =
      firstNull(Named{"world", world}, Named{"ray", ray}, Named{"body", body}, Named{"hit", hit});
  if (missing) return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    return withValue(world->bodies.raycast(rayOf(*ray), BodyHandle{ignore}, *within),
                     [&](const RayHit& found) {
                       *body = numberOf(found.body);
                       *hit = plain(found);
                     });
  });
}

nearmiss_status nearmiss_world_nearest_point(nearmiss_world* world, const double point[3],
                                             double reach, nearmiss_body ignore, double budget,
                                             nearmiss_body* body, nearmiss_point_bounds* bounds) {
  const char* missing = firstNull(Named{"world", world}, Named{"point", point}, Named{"body", body},
                                  Named{"bounds", bounds});
  if (missing) return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    return withValue(
        world->bodies.nearestPoint(vectorOf(point), reach, BodyHandle{ignore}, *within),
        [&](const NearestPoint& found) {
          *body = numberOf(found.body);
          *bounds = plain(found);
        });
  });
}

nearmiss_status nearmiss_world_containing(nearmiss_world* world, const double point[3],
                                          double budget, nearmiss_body* bodies, size_t capacity,
                                          size_t* count, int32_t* complete) {
  const char* missing = firstNull(Named{"world", world}, Named{"point", point},
                                  Named{"count", count}, Named{"complete", complete});
  if (!missing && capacity > 0) missing = firstNull(Named{"bodies", bodies});
  if (missing) return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    return withValue(world->bodies.containing(vectorOf(point), world->holders, *within),
                     [&](bool all) {
                       const auto& found = world->holders;
                       *count = found.size();
                       *complete = all;
                       for (std::size_t i = 0; i < std::min(capacity, found.size()); ++i)
                         bodies[i] = numberOf(found[i]);
                     });
  });
}
