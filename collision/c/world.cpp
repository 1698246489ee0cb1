// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

BodyTraits traitsOf(const nearmiss_traits* given, bool sensor) noexcept {
  BodyTraits traits;
  if (given) traits = {given->group, given->mask, given->assembly, given->importance};
  traits.sensor = sensor;
  return traits;
}

nearmiss_body plain(BodyHandle body) noexcept { return static_cast<nearmiss_body>(body); }

/// Converts a result without a value to a status.
nearmiss_status statusOf(const Result<Success>& result) noexcept {
  return result ? NEARMISS_OK : failed(result.error());
}

}  // namespace

nearmiss_status nearmiss_world_make(nearmiss_world** world) {
  if (!world) return isNull("world");
  return guarded([&] {
    *world = new nearmiss_world{};
    return NEARMISS_OK;
  });
}

void nearmiss_world_free(nearmiss_world* world) { delete world; }

nearmiss_status nearmiss_world_add(nearmiss_world* world, const nearmiss_shape* shape,
                                   const nearmiss_pose* pose, const nearmiss_traits* traits,
                                   nearmiss_body* body) {
  const char* missing = firstNull(Named{"world", world}, Named{"shape", shape}, Named{"pose", pose},
                                  Named{"body", body});
  if (missing) return isNull(missing);
  return guarded([&] {
    return withValue(world->bodies.add(shape->shape, poseOf(*pose), traitsOf(traits, false)),
                     [&](BodyHandle added) { *body = plain(added); });
  });
}

nearmiss_status nearmiss_world_set_pose(nearmiss_world* world, nearmiss_body body,
                                        const nearmiss_pose* pose) {
  if (const char* missing = firstNull(Named{"world", world}, Named{"pose", pose}))
    return isNull(missing);
  return guarded([&] { return statusOf(world->bodies.setPose(BodyHandle{body}, poseOf(*pose))); });
}

nearmiss_status nearmiss_world_set_poses(nearmiss_world* world, const nearmiss_body* bodies,
                                         const nearmiss_pose* poses, size_t count) {
  const char* missing = firstNull(Named{"world", world});
  if (!missing && count > 0) missing = firstNull(Named{"bodies", bodies}, Named{"poses", poses});
  if (missing) return isNull(missing);
  return guarded([&] {
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto sound = check(poseOf(poses[i])); !sound)
        return failed("poses[" + std::to_string(i) + "]", sound.error());
      if (!world->bodies.traitsOf(BodyHandle{bodies[i]}))
        return failed(NEARMISS_UNSUPPORTED, "bodies[" + std::to_string(i) + "] is " +
                                                std::to_string(bodies[i]) +
                                                ", which is no body of this world");
    }
    for (std::size_t i = 0; i < count; ++i)
      if (const auto set = world->bodies.setPose(BodyHandle{bodies[i]}, poseOf(poses[i])); !set)
        return failed(set.error());
    return NEARMISS_OK;
  });
}

nearmiss_status nearmiss_world_set_traits(nearmiss_world* world, nearmiss_body body,
                                          const nearmiss_traits* traits) {
  if (const char* missing = firstNull(Named{"world", world}, Named{"traits", traits}))
    return isNull(missing);
  const bool sensor = nearmiss_world_is_sensor(world, body) != 0;
  return guarded([&] {
    return statusOf(world->bodies.setTraits(BodyHandle{body}, traitsOf(traits, sensor)));
  });
}

nearmiss_status nearmiss_world_set_sensor(nearmiss_world* world, nearmiss_body body,
                                          int is_sensor) {
  if (!world) return isNull("world");
  const BodyTraits* const known = world->bodies.traitsOf(BodyHandle{body});
  BodyTraits traits = known ? *known : BodyTraits{};
  traits.sensor = is_sensor != 0;
  // This also reports an unknown body
  return guarded([&] { return statusOf(world->bodies.setTraits(BodyHandle{body}, traits)); });
}

int nearmiss_world_is_sensor(const nearmiss_world* world, nearmiss_body body) {
  const BodyTraits* const known = world ? world->bodies.traitsOf(BodyHandle{body}) : nullptr;
  return known && known->sensor;
}

nearmiss_status nearmiss_world_remove(nearmiss_world* world, nearmiss_body body) {
  if (!world) return isNull("world");
  return guarded([&] { return statusOf(world->bodies.remove(BodyHandle{body})); });
}

size_t nearmiss_world_size(const nearmiss_world* world) { return world ? world->bodies.size() : 0; }

nearmiss_status nearmiss_world_collisions(nearmiss_world* world, double budget,
                                          nearmiss_collisions* collisions) {
  if (const char* missing = firstNull(Named{"world", world}, Named{"collisions", collisions}))
    return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    return withValue(world->bodies.collisions(*within), [&](const WorldCollisions* found) {
      world->found = found;
      *collisions = {found->pairs.size(), found->waiting.size(), found->complete};
    });
  });
}

size_t nearmiss_world_pairs(const nearmiss_world* world, nearmiss_touching_pair* pairs,
                            size_t capacity) {
  if (!world || !world->found) return 0;
  const auto& found = world->found->pairs;
  for (std::size_t i = 0; pairs && i < std::min(capacity, found.size()); ++i)
    pairs[i] = {plain(found[i].bodies.a), plain(found[i].bodies.b), c::plain(found[i].known)};
  return found.size();
}

size_t nearmiss_world_waiting(const nearmiss_world* world, nearmiss_body* pairs, size_t capacity) {
  if (!world || !world->found) return 0;
  const auto& waiting = world->found->waiting;
  for (std::size_t i = 0; pairs && i < std::min(capacity, waiting.size()); ++i) {
    pairs[2 * i] = plain(waiting[i].a);
    pairs[2 * i + 1] = plain(waiting[i].b);
  }
  return waiting.size();
}

nearmiss_status nearmiss_world_min_distance(nearmiss_world* world, double within, double budget,
                                            nearmiss_nearest_bodies* nearest) {
  if (const char* missing = firstNull(Named{"world", world}, Named{"nearest", nearest}))
    return isNull(missing);
  const auto time = budgetOf(budget);
  if (!time) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    return withValue(world->bodies.minDistance(within, *time), [&](const NearestBodies& found) {
      *nearest = {plain(found.bodies.a), plain(found.bodies.b), c::plain(found.bounds)};
    });
  });
}
