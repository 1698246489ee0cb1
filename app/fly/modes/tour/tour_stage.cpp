// SPDX-License-Identifier: MIT
#include "fly/modes/tour/tour_stage.h"

#include <engine/scene/as_published.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

#include "fly/gfx/camera.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::uint64_t tourSeed = 42;
constexpr int crowd = 24;
constexpr Real stageStep = 1.0 / 120.0;
constexpr int maxSteps = 6000;
// Frames of the encounter before the ships are nearest
constexpr std::uint64_t lead = 150;

/// Returns ships that collide according to their spheres in this step but not in fact, with a
/// gap that is visible relative to its bound.
std::optional<PickedShips> nearPair(const Flight& flight) {
  const engine::FrameOutput& output = flight.output();
  for (const engine::Collision& collision : output.collisions) {
    const Refinement& known = collision.refinement;
    const bool meets = known.verdict == Verdict::Possible && known.level == tourLevel;
    if (!meets || !std::isfinite(known.separationBound)) continue;
    const Real gap = gapOf(flight, collision.a, collision.b, 0).gap;
    if (gap < 0.25 * known.separationBound || gap > known.separationBound) continue;
    return PickedShips{output.bodies[collision.a].key, output.bodies[collision.b].key};
  }
  return std::nullopt;
}

}  // namespace

Result<Flight> tourFlight(const Flight& of) {
  engine::Scene scene;
  scene.name = "tour";
  scene.seed = tourSeed;
  scene.playerModel = of.scene().playerModel;
  scene.drones.clear();
  for (const engine::DroneGroup& group : of.scene().drones) {
    engine::DroneGroup usual;
    usual.model = group.model;
    scene.drones.push_back(usual);
  }
  const auto groups = std::max(1, static_cast<int>(scene.drones.size()));
  for (engine::DroneGroup& group : scene.drones) group.count = std::max(1, crowd / groups);
  scene.clock = of.scene().clock;
  engine::copyTrees(of.scene(), scene);
  return Flight::begin({scene, of.sharedShapes()}, nullptr,
                       std::make_shared<engine::SessionWriter>());
}

std::uint64_t Encounter::at(double place) const noexcept {
  return first + static_cast<std::uint64_t>(std::llround(std::clamp(place, 0.0, 1.0) *
                                                         static_cast<double>(nearest - first)));
}

namespace {

engine::FrameInput frameTo(int levelCap) {
  engine::FrameInput input;
  input.dt = input.detectStep = stageStep;
  input.levelCap = levelCap;
  return input;
}

/// What happened to the two ships in a round.
struct Round {
  bool hit = false;         ///< they hit each other
  bool undisturbed = true;  ///< none of them hit another ship before that
};

/// Flies the encounter again from its first position, to a level, and for a while after the ships
/// are nearest.
Result<Round> flyRound(Flight& flight, const Encounter& encounter, int levelCap) {
  if (auto back = flyOnFrom(flight, encounter.first); !back) return back.error();
  Round round;
  const auto isOfPair = [&](std::uint32_t key) {
    return key == encounter.pair.a || key == encounter.pair.b;
  };
  while (flight.world().time() < encounter.time + Encounter::afterSeconds) {
    const engine::FrameOutput& output = flight.advance(frameTo(levelCap));
    for (const engine::Collision& collision : output.collisions) {
      const bool first = isOfPair(output.bodies[collision.a].key);
      const bool second = isOfPair(output.bodies[collision.b].key);
      round.hit |= first && second;
      round.undisturbed &= round.hit || first == second;
    }
  }
  return round;
}

/// Flies to where the ships are nearest.
Result<Success> flyToNearest(Flight& flight, const Encounter& encounter) {
  if (auto back = flyOnFrom(flight, encounter.first); !back) return back.error();
  while (flight.past()->end() < encounter.nearest) (void)flight.advance(frameTo(tourLevel));
  return Success{};
}

}  // namespace

Result<Success> flyTo(Flight& flight, const Encounter& encounter) {
  if (auto begun = flight.restart(flight.scene().seed); !begun) return begun.error();
  if (auto usual = flight.setMethod(Method::SphereTree); !usual) return usual.error();
  while (flight.past()->end() < encounter.nearest) (void)flight.advance(frameTo(tourLevel));
  return Success{};
}

Result<Encounter> flyToEncounter(Flight& flight) {
  // Preferably without other ships
  for (const bool strict : {true, false}) {
    if (auto begun = flyTo(flight, {}); !begun) return begun.error();
    for (int n = 0; n < (strict ? maxSteps / 2 : maxSteps); ++n) {
      (void)flight.advance(frameTo(tourLevel));
      const auto found = nearPair(flight);
      const std::uint64_t nearest = flight.past()->end();
      if (!found || nearest < flight.past()->begin() + lead) continue;
      const Encounter encounter{*found, nearest - lead, nearest, flight.world().time()};
      // Exact tests let the two ships pass, and the coarsest spheres do not
      const Result<Round> exact = flyRound(flight, encounter, Detector::noLevelCap);
      if (!exact) return exact.error();
      const Result<Round> coarse = flyRound(flight, encounter, 1);
      if (!coarse) return coarse.error();
      if (auto there = flyToNearest(flight, encounter); !there) return there.error();
      const bool undisturbed = exact->undisturbed && coarse->undisturbed;
      if (!exact->hit && coarse->hit && (undisturbed || !strict)) return encounter;
    }
  }
  return Error{ErrorCode::NotFound, "no two ships pass each other closely"};
}

Result<Success> detectAgain(Flight& flight, const Encounter& encounter, int level) {
  if (auto back = flyOnFrom(flight, encounter.nearest - 1); !back) return back;
  (void)flight.advance(frameTo(level));
  return Success{};
}

Result<Success> flyOnFrom(Flight& flight, std::uint64_t position) {
  auto way = engine::Rewinder::begin(*flight.past(), flight.simulation());
  if (!way) return way.error();
  if (auto gone = way->goTo(position); !gone) return gone;
  flight.show(*way);
  return flight.resumeFrom(position);
}

PairGap gapOf(const Flight& flight, std::size_t a, std::size_t b, int level) {
  const Shapes& shapes = flight.shapes().collision();
  const auto bodies = flight.output().bodies;
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  PairGap nearest{infinity, infinity};
  CollisionQuery query;
  for (std::uint32_t i = 0; i < linkCount(bodies[a]); ++i)
    for (std::uint32_t j = 0; j < linkCount(bodies[b]); ++j) {
      const Link first = linkOf(bodies[a], i), second = linkOf(bodies[b], j);
      const Shape &shapeA = shapes[first.shape.index()], &shapeB = shapes[second.shape.index()];
      nearest.gap = std::min(nearest.gap, distance(shapeA, first.pose, shapeB, second.pose).upper);
      if (level == 0) continue;
      query.begin(shapeA, first.pose, shapeB, second.pose);
      const Refinement known = query.refineTo(level);
      if (known.verdict != Verdict::Separate)
        nearest.bound = std::min(nearest.bound, known.separationBound);
    }
  return nearest;
}

OrbitAngles clearView(const Flight& flight, const PickedShips& picked) {
  constexpr int yaws = 24;
  constexpr double eye = 4.0;  // in radii of the pair
  OrbitAngles best;
  const auto focus = focusOf(flight, picked);
  if (!focus) return best;
  const auto bodies = flight.output().bodies;
  const Vec3 along = glm::normalize(bodies[*indexOf(flight, picked.b)].pose.position -
                                    bodies[*indexOf(flight, picked.a)].pose.position);
  Real maxRoom = -std::numeric_limits<Real>::infinity();
  for (int i = 0; i < yaws; ++i)
    for (const double pitch : {-0.3, 0.1, 0.5}) {
      const OrbitAngles angles{2.0 * std::numbers::pi * i / yaws, pitch};
      const Vec3 towards = CameraRig::orbitRotation(angles.yaw, pitch) * Vec3(0, 0, 1);
      // Distance of the nearest ship from the cone between eye and pair
      Real room = focus->radius;
      for (const BodyState& body : bodies) {
        if (body.key == picked.a || body.key == picked.b) continue;
        const Vec3 from = body.pose.position - focus->centre;
        const Real before = glm::dot(from, towards);
        if (before < 0.0) continue;
        const Real cone = focus->radius * std::max(0.0, 1.0 - before / (eye * focus->radius));
        room = std::min(room, glm::length(from - before * towards) - body.shape.radius() - cone);
      }
      room -= focus->radius * std::abs(glm::dot(towards, along));
      if (room <= maxRoom) continue;
      maxRoom = room;
      best = angles;
    }
  return best;
}

}  // namespace nearmiss::app::fly
