// SPDX-License-Identifier: MIT
#include "lab/recorded_states.h"

#include <engine/flight/drone_pilots.h>
#include <engine/flight/world.h>
#include <nearmiss/split_mix.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "lab/random_crowd.h"

namespace nearmiss::app {
namespace {

constexpr Real stepSeconds = 0.05;  ///< as in the default scene
constexpr int stepsBefore = 100;    ///< to gather speed in
constexpr int stepsBetweenChoices = 2;

/// Ten ships in a ball of nine metres, as in the default scene.
engine::World worldOf(int ships, Real crowding, std::span<const ShapeRef> shapes,
                      std::uint64_t seed, engine::DronePilots& pilots) {
  engine::Arena arena;
  arena.radius *= std::cbrt(ships / (10.0 * crowding));
  engine::World world(arena);
  SplitMix random(seed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(ships); ++i) {
    engine::ShipDef def;
    def.shape = shapes[i % shapes.size()];
    do {
      def.pose.position = drawInCube(random, arena.radius);
    } while (glm::length(def.pose.position) > arena.radius);
    const Vec3 axis = drawDirection(random);
    def.pose.rotation = glm::angleAxis(random.between(0.0, 6.0), axis);
    pilots.add(*world.create(def));
  }
  return world;
}

}  // namespace

RecordedStates recordStates(int ships, Real crowding, std::span<const ShapeRef> shapes,
                            std::size_t steps, std::uint64_t seed) {
  engine::DronePilots pilots(seed, {});
  engine::World world = worldOf(ships, crowding, shapes, seed, pilots);
  RecordedStates recorded;
  for (std::size_t step = 0; step < stepsBefore + steps; ++step) {
    if (step % stepsBetweenChoices == 0) pilots.steer(world);
    world.integrate(stepSeconds);
    if (step < stepsBefore) continue;
    auto& bodies = recorded.steps.emplace_back(world.states().begin(), world.states().end());
    // The world's own are gone with it
    auto& planes = recorded.planes.emplace_back();
    for (const BodyState& body : bodies)
      planes.insert(planes.end(), body.planes.begin(), body.planes.end());
    const CuttingPlane* next = planes.data();
    for (BodyState& body : bodies) {
      body.planes = std::span(next, body.planes.size());
      next += body.planes.size();
    }
    recorded.times.push_back(world.time());
  }
  return recorded;
}

}  // namespace nearmiss::app
