// SPDX-License-Identifier: MIT
/// Small scenes in which ships really meet: generated shapes, real detectors, a crowded arena.
#pragma once

#include <engine/flight/simulation.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/rivals/catalog.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/meshes.h"

namespace nearmiss::test {}

namespace nearmiss::engine::test {

// Helpers of all tests have the same name here
using namespace nearmiss::test;

/// Two shapes and what detectors need of them.
struct Hangar {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;

  Hangar(const TriangleMesh& first, const TriangleMesh& second, Real size = 1.0) {
    add(first, size);
    add(second, size);
  }

  [[nodiscard]] Shapes tables() const { return nearmiss::test::borrowed(polyhedra, trees); }

  [[nodiscard]] std::unique_ptr<Detector> detector(std::string_view narrow,
                                                   std::string_view broad = "all-pairs") const {
    return std::make_unique<Detector>(makeBroadPhase(*findBroadPhase(broad), tables()),
                                      findNarrowPhase(narrow)->make(tables()));
  }

 private:
  void add(TriangleMesh mesh, Real size) {
    for (Vec3& p : mesh.positions) p *= size;
    polyhedra.emplace_back(std::move(mesh));
    SphereTreeSettings settings;
    settings.levels = 3;
    settings.hausdorffTolerance = 0.1;
    auto tree = buildOctreeSphereTree(polyhedra.back(), settings);
    if (!tree) throw std::runtime_error(tree.error().message);
    trees.push_back(*std::move(tree));
  }
};

/// Shapes with spikes, notches and a hole, built once.
inline const Hangar& hangar() {
  static const Hangar shared(nearmiss::test::spikyStar(1, 5, 8, 0.3), nearmiss::test::torus(8, 5));
  return shared;
}

/// Shapes whose corners no mathematical library has touched: the same on every machine.
inline const Hangar& plainHangar() {
  static const Hangar shared(nearmiss::test::cube(0.5), nearmiss::test::tetrahedron(), 0.75);
  return shared;
}

struct Start {
  std::uint64_t seed = 1;
  int drones = 9;
  bool solids = true;    ///< whether responses know what ships are made of
  bool farShip = false;  ///< one more, added last, where it meets nobody
  bool joints = false;   ///< every other drone is both shapes on a chain of hinges
  bool armed = false;    ///< the user's ship shoots bodies of the second shape
};

/// The first shape, and two of the second that swing about it one after the other.
inline std::shared_ptr<const Articulation> chainOf(const Hangar& shapes) {
  const auto shape = [&](std::uint32_t i) {
    return ShapeRef::ofRadius(shapes.polyhedra[i].radius(), i);
  };
  auto made = Articulation::make(
      {{"first", shape(0), 0, {}},
       {"second", shape(1), 0, {{0.9, 0.2, 0.0}, {0.0, 0.0, 1.0}, -0.8, 1.2, 2.5}},
       {"third", shape(1), 1, {{0.0, 1.1, 0.1}, {1.0, 0.5, 0.0}, -2.0, 1.0, 1.3}}});
  return std::make_shared<const Articulation>(*std::move(made));
}

inline Quat randomRotation(SplitMix& random) {
  const Real w = random.between(-1.0, 1.0), x = random.between(-1.0, 1.0);
  const Real y = random.between(-1.0, 1.0), z = random.between(-1.0, 1.0);
  return glm::normalize(Quat(w, x, y, z));
}

/// The user's ship at the origin, drones on a shell around it, a narrow arena: they meet soon.
inline std::unique_ptr<Simulation> subtractStolen(const Start& start,
                                                  std::unique_ptr<Detector> detector, Clock& clock,
                                                  const Hangar& shapes = hangar()) {
  World world(Arena{3.0, 2.0, 0.6});
  DronePilots pilots(start.seed, PilotSettings{});
  SplitMix random(start.seed);
  ShipDef user;
  user.shape = ShapeRef::ofRadius(shapes.polyhedra[0].radius());
  user.mass = std::numeric_limits<Real>::infinity();
  const ShipId userId = *world.ships().create(user);
  const auto chain = start.joints ? chainOf(shapes) : nullptr;
  for (int i = 0; i < start.drones; ++i) {
    ShipDef drone;
    drone.shape = ShapeRef::ofRadius(shapes.polyhedra[static_cast<std::size_t>(i % 2)].radius(),
                                     static_cast<std::uint32_t>(i % 2));
    // Corners of a grid without the middle: no two ships touch at the start
    const int cell = i < 13 ? i : i + 1;
    drone.pose.position = {2.3 * (cell % 3 - 1), 2.3 * (cell / 3 % 3 - 1), 2.3 * (cell / 9 - 1)};
    drone.pose.rotation = randomRotation(random);
    drone.mass = random.between(0.5, 2.0);
    drone.inverseInertia = inverseInertiaOf(shapes.polyhedra[static_cast<std::size_t>(i % 2)]);
    if (start.joints && i % 2) drone.articulation = chain;
    pilots.add(*world.ships().create(drone));
  }
  if (start.farShip) {
    ShipDef far;
    far.pose.position = {0.0, 500.0, 0.0};
    pilots.add(*world.ships().create(far));
  }
  Shots shots;
  if (start.armed) {
    ShipDef body;
    body.shape = ShapeRef::ofRadius(shapes.polyhedra[1].radius(), 1);
    body.mass = 0.1;
    body.limits = {0.0, 0.0, 0.0, 0.1};
    shots = Shots(body);
  }
  return std::make_unique<Simulation>(std::move(world), userId, std::move(pilots),
                                      std::move(detector), clock,
                                      start.solids ? shapes.tables() : Shapes(), std::move(shots));
}

/// A user who flies about in a fixed way.
inline FrameInput scripted(int frame) {
  FrameInput input;
  input.control.thrust = frame % 50 < 35 ? 1.0 : -0.5;
  input.control.yaw = frame % 80 < 40 ? 0.6 : -0.3;
  input.control.pitch = frame % 30 < 10 ? 0.5 : 0.0;
  return input;
}

/// The result of a flight, whatever detects.
struct Outcome {
  std::uint64_t hash = 0;
  std::uint64_t collisions = 0, responses = 0, touching = 0, ended = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
/// And how far detection got.
struct Tally : Outcome {
  std::array<std::uint32_t, FrameProfile::levels> byLevel{};
  int exhaustedFrames = 0;
};

/// Flies by the script, with budget and response of `like`.
inline Tally tallyOf(Simulation& simulation, int frames, const FrameInput& like) {
  Tally tally;
  for (int i = 0; i < frames; ++i) {
    FrameInput input = scripted(i);
    input.detectionBudget = like.detectionBudget;
    input.response = like.response;
    const FrameOutput& out = simulation.advance(input);
    tally.collisions += out.collisions.size();
    tally.responses += out.profile.responses;
    tally.touching += out.profile.touching;
    tally.ended += out.profile.touchesEnded;
    for (std::size_t l = 0; l < tally.byLevel.size(); ++l)
      tally.byLevel[l] += out.profile.collisions[l];
    tally.exhaustedFrames += out.profile.exhausted;
  }
  tally.hash = stateHash(simulation.world().ships());
  return tally;
}

/// Enough for a level or two of a few pairs on the work clock.
inline constexpr std::chrono::nanoseconds tightBudget = std::chrono::microseconds(12);

/// Flies by the script, with `budget` for each frame, on the work clock.
inline Tally fly(const Start& start, int frames, std::chrono::nanoseconds budget,
                 std::string_view narrow = "sphere-tree", const Hangar& shapes = hangar()) {
  WorkClock clock;
  FrameInput input;
  input.detectionBudget = budget;
  return tallyOf(*subtractStolen(start, shapes.detector(narrow), clock, shapes), frames, input);
}

}  // namespace nearmiss::engine::test
