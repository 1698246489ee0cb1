// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>
#include <engine/flight/recorded_flight.h>
#include <engine/flight/world.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

constexpr Real secondsBefore = 5.0;     ///< until ships have reached speed
constexpr Real secondsOfControl = 0.1;  ///< between two choices of the pilots

std::size_t stepsIn(Real seconds, Real step) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(seconds / step)));
}

World worldOf(std::span<const ShapeRef> shapes, const RecordingSettings& settings,
              DronePilots& pilots) {
  // Ten ships in a ball of 9 m, as in the default scene
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
  const std::size_t before = stepsIn(secondsBefore, settings.step);
  const std::size_t control = stepsIn(secondsOfControl, settings.step);
  for (std::size_t step = 0; step < before; ++step) {
    pilots.steer(world.ships());
    world.integrate(settings.step);
  }
  for (std::size_t step = 0; step < settings.steps; ++step) {
    if (step % control == 0) pilots.steer(world.ships());
    world.integrate(settings.step);
    auto& bodies = flight.steps.emplace_back(world.states().begin(), world.states().end());
    // The world's planes are destroyed with it
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
