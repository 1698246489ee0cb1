// SPDX-License-Identifier: MIT
/// A flight taken up again from a snapshot: what was flown beyond it in between changes nothing.
#include <engine/flight/simulation.h>
#include <gtest/gtest.h>
#include <nearmiss/methods/catalog.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

using test::hangar;

/// The user's ship and another one, at rest and without engines.
std::unique_ptr<Simulation> twoAtRest(std::string_view broad, Clock& clock) {
  World world(Arena{2000.0, 0.0, 0.0});
  ShipDef ship;
  ship.shape = ShapeRef::ofRadius(hangar().polyhedra[0].radius());
  ship.limits = {0.0, 0.0, 0.0, 0.0};
  const ShipId user = *world.ships().create(ship);
  ship.pose.position = {3.5, 0.0, 0.0};
  EXPECT_TRUE(world.ships().create(ship));
  return std::make_unique<Simulation>(std::move(world), user, DronePilots(1, PilotSettings{}),
                                      hangar().detector("brute-force", broad), clock, Shapes());
}

/// Throws the other ship from where it is, in a frame without motion: times, places and motion
/// epochs of two such throws are the same.
void throwOther(Simulation& simulation, const Vec3& velocity) {
  const BodyState& other = simulation.world().states()[1];
  const HandAct act{HandAct::Kind::Put, other.key, other.pose.position, velocity};
  FrameInput input;
  input.dt = 0.0;
  input.acts = {&act, 1};
  simulation.advance(input);
}

/// Collisions of each frame.
std::vector<std::size_t> collisionsIn(Simulation& simulation, int frames) {
  FrameInput input;
  input.dt = input.detectStep = 0.05;
  std::vector<std::size_t> collisions;
  for (int i = 0; i < frames; ++i)
    collisions.push_back(simulation.advance(input).collisions.size());
  return collisions;
}

TEST(RestoredFlight, HasNoBoundsOfAnotherBranch) {
  const Vec3 away(0.0, 9.0, 0.0), towards(-20.0, 0.0, 0.0);
  for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
    SCOPED_TRACE(broad.name);
    std::vector<std::vector<std::size_t>> branches;
    for (const bool another : {false, true}) {
      WorkClock clock;
      const auto simulation = twoAtRest(broad.name, clock);
      (void)collisionsIn(*simulation, 2);
      const Snapshot past = simulation->snapshot();
      if (another) throwOther(*simulation, away);
      simulation->restore(past);
      throwOther(*simulation, towards);
      branches.push_back(collisionsIn(*simulation, 8));
    }
    EXPECT_EQ(branches[0], branches[1]);
    EXPECT_NE(branches[0], std::vector<std::size_t>(8, 0)) << "they meet";
  }
}

TEST(RestoredFlight, LooksAgainWhereADetectorIsNew) {
  for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
    SCOPED_TRACE(broad.name);
    WorkClock clock;
    const auto simulation = twoAtRest(broad.name, clock);
    (void)collisionsIn(*simulation, 2);
    const auto detector = [&] { return hangar().detector("brute-force", broad.name); };
    simulation->setDetector(detector());
    const auto twin = simulation->twin(simulation->snapshot(), detector(), clock);
    FrameInput input;
    input.dt = input.detectStep = 0.05;
    const std::size_t looks = simulation->advance(input).profile.detections;
    EXPECT_GT(looks, 0u);
    EXPECT_EQ(twin->advance(input).profile.detections, looks);
  }
}

}  // namespace
}  // namespace nearmiss::engine
