// SPDX-License-Identifier: MIT
#include "recorded_flight.h"

#include <engine/flight/drone_pilots.h>
#include <engine/flight/world.h>
#include <nearmiss/split_mix.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::bench {
namespace {

constexpr Real detectStep = 0.05;  ///< as in the default scene, simulation seconds

engine::World worldOf(int ships, const ShapeRef& shape, Real crowding,
                      engine::DronePilots& pilots) {
  // Ten ships in a ball of nine metres, as in the default scene
  engine::Arena arena;
  arena.radius *= std::cbrt(ships / (10.0 * crowding));
  engine::World world(arena);
  SplitMix random(static_cast<std::uint64_t>(ships));
  for (int i = 0; i < ships; ++i) {
    engine::ShipDef def;
    def.shape = shape;
    do {
      for (int axis = 0; axis < 3; ++axis)
        def.pose.position[axis] = arena.radius * random.between(-1.0, 1.0);
    } while (glm::length(def.pose.position) > arena.radius);
    Quat& turn = def.pose.rotation;
    turn.w = random.between(-1.0, 1.0);
    turn.x = random.between(-1.0, 1.0);
    turn.y = random.between(-1.0, 1.0);
    turn.z = random.between(-1.0, 1.0);
    turn = glm::normalize(turn);
    pilots.add(*world.create(def));
  }
  return world;
}

}  // namespace

RecordedFlight recordFlight(int ships, const ShapeRef& shape, Real crowding, std::size_t steps) {
  engine::DronePilots pilots(7, {});
  engine::World world = worldOf(ships, shape, crowding, pilots);
  RecordedFlight flight;
  // Some seconds to gather speed
  for (int step = 0; step < 100; ++step) {
    pilots.steer(world);
    world.integrate(detectStep);
  }
  for (std::size_t step = 0; step < steps; ++step) {
    if (step % 2 == 0) pilots.steer(world);
    world.integrate(detectStep);
    auto& bodies = flight.steps.emplace_back(world.states().begin(), world.states().end());
    // The world's own are gone with it
    auto& planes = flight.planes.emplace_back();
    for (const BodyState& body : bodies)
      planes.insert(planes.end(), body.planes.begin(), body.planes.end());
    const CuttingPlane* next = planes.data();
    for (BodyState& body : bodies) {
      body.planes = std::span(next, body.planes.size());
      next += body.planes.size();
    }
    flight.times.push_back(world.time());
  }
  return flight;
}

}  // namespace nearmiss::bench
