// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>
#include <engine/flight/recorded_flight.h>
#include <engine/flight/world.h>
#include <nearmiss/detail/split_mix.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

constexpr Real recordedStep = 0.05;        ///< as in the default scene, simulation seconds
constexpr std::size_t stepsBefore = 100;   ///< to gather speed in
constexpr std::size_t stepsOfControl = 2;  ///< between two choices of the pilots

World worldOf(std::span<const ShapeRef> shapes, const RecordingSettings& settings,
              DronePilots& pilots) {
  // Ten ships in a ball of nine metres, as in the default scene
  Arena arena;
  arena.radius *= std::cbrt(settings.ships / (10.0 * settings.crowding));
  World world(arena);
  SplitMix random(settings.positionSeed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(settings.ships); ++i) {
    ShipDef def;
    def.shape = shapes[i % shapes.size()];
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
    pilots.add(*world.ships().create(def));
  }
  return world;
}

}  // namespace

RecordedFlight recordFlight(std::span<const ShapeRef> shapes, const RecordingSettings& settings) {
  DronePilots pilots(settings.pilotSeed, {});
  World world = worldOf(shapes, settings, pilots);
  RecordedFlight flight;
  for (std::size_t step = 0; step < stepsBefore; ++step) {
    pilots.steer(world.ships());
    world.integrate(recordedStep);
  }
  for (std::size_t step = 0; step < settings.steps; ++step) {
    if (step % stepsOfControl == 0) pilots.steer(world.ships());
    world.integrate(recordedStep);
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

}  // namespace nearmiss::engine
