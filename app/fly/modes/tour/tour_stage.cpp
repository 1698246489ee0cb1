// SPDX-License-Identifier: MIT
#include "fly/modes/tour/tour_stage.h"

#include <engine/scene/as_published.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "fly/gfx/camera.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::uint64_t tourSeed = 42;
constexpr int crowd = 24;
constexpr Real stageStep = 1.0 / 120.0;
constexpr int maxSteps = 6000, crowdSteps = 240;

Real gapOf(const Flight& flight, std::size_t a, std::size_t b) {
  const Shapes& shapes = flight.shapes().collision();
  const auto bodies = flight.output().bodies;
  Real nearest = std::numeric_limits<Real>::infinity();
  for (std::uint32_t i = 0; i < linkCount(bodies[a]); ++i)
    for (std::uint32_t j = 0; j < linkCount(bodies[b]); ++j) {
      const Link first = linkOf(bodies[a], i), second = linkOf(bodies[b], j);
      nearest = std::min(nearest, distance(shapes[first.shape.index()], first.pose,
                                           shapes[second.shape.index()], second.pose)
                                      .upper);
    }
  return nearest;
}

/// Returns ships that collide according to their spheres in this step but not in fact, with a
/// gap that is visible relative to its bound.
std::optional<PickedShips> nearPair(const Flight& flight) {
  const engine::FrameOutput& output = flight.output();
  for (const engine::Collision& collision : output.collisions) {
    const Refinement& known = collision.refinement;
    const bool meets = known.verdict == Verdict::Possible && known.level == tourLevel;
    if (!meets || !std::isfinite(known.separationBound)) continue;
    const Real gap = gapOf(flight, collision.a, collision.b);
    if (gap < 0.25 * known.separationBound || gap > known.separationBound) continue;
    return PickedShips{output.bodies[collision.a].key, output.bodies[collision.b].key};
  }
  return std::nullopt;
}

/// Returns two ships whose bounds meet before they expire, but not immediately.
std::optional<PickedShips> approach(const Flight& flight) {
  constexpr Real minSeconds = 0.1, longer = 1.3;
  const auto bodies = flight.output().bodies;
  const Real now = flight.world().time();
  const BodyState& own = bodies[flight.simulation().userIndex()];
  for (const BodyState& other : bodies) {
    if (other.key == own.key) continue;
    const auto meeting = secondsToMeeting(own, other, now);
    if (meeting && *meeting >= minSeconds && jointHorizon(own, other, now) > longer * *meeting)
      return PickedShips{own.key, other.key};
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
  return Flight::begin({scene, of.sharedShapes()});
}

Result<PickedShips> setStage(Flight& flight, TourStage stage) {
  if (auto begun = flight.restart(flight.scene().seed); !begun) return begun.error();
  if (auto usual = flight.setMethod(Method::SphereTree); !usual) return usual.error();
  engine::FrameInput input;
  input.dt = input.detectStep = stageStep;
  if (stage == TourStage::NearPair) input.levelCap = tourLevel;
  for (int n = 0; n < maxSteps; ++n) {
    (void)flight.advance(input);
    if (stage == TourStage::Crowd && n >= crowdSteps) return PickedShips{};
    const auto found = stage == TourStage::NearPair   ? nearPair(flight)
                       : stage == TourStage::Approach ? approach(flight)
                                                      : std::nullopt;
    if (found) return *found;
  }
  return Error{ErrorCode::NotFound, "no two ships came near each other"};
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
      const OrbitAngles angles{6.283185307179586 * i / yaws, pitch};
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
