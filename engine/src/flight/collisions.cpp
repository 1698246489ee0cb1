// SPDX-License-Identifier: MIT
#include <engine/flight/collisions.h>
#include <engine/flight/depth.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "flight/shared_pieces.h"

namespace nearmiss::engine {
namespace {

ContactSpheres boundingSpheres(std::span<const BodyState> bodies, const BodyPair& pair) noexcept {
  const BodyState& a = bodies[pair.a];
  const BodyState& b = bodies[pair.b];
  return {{a.pose.position, a.shape.radius()}, {b.pose.position, b.shape.radius()}};
}

/// Whether the response uses the exact geometry of contacts.
bool bySolids(Response kind) noexcept {
  return kind == Response::Bounce || kind == Response::Tumble;
}

}  // namespace

Collisions::Collisions(Shapes solids) : solids_(std::move(solids)) {
  for (const Shape& solid : solids_) prepare(solid);
}

void Collisions::respond(Ships& ships, const Detection& found, const Touches& touches,
                         Response kind, std::vector<BodyPair>& struck, WorkerPool* pool,
                         FrameProfile& profile) {
  // Nearly all pairs are separate: skip them
  met_.clear();
  for (const DetectedPair& pair : found.pairs)
    if (pair.refinement.verdict != Verdict::Separate) met_.push_back({&pair, std::nullopt});
  findSolidContacts(ships, kind, pool);
  // Each pair at most once per detection: a response need not separate the ships, so repeating it
  // might never end (erratum E7)
  note(ships, touches);
  for (const auto& [pair, solid] : met_) {
    ++profile.responded[static_cast<std::size_t>(depthOf(pair->refinement))];
    profile.responses += respondTo(ships, *pair, touches, solid, kind);
    // As published, drones do not react to collisions
    if (bySolids(kind)) struck.push_back(pair->bodies);
  }
}

/// Runs before the first response, which may move ships.
void Collisions::note(const Ships& ships, const Touches& touches) {
  const auto states = ships.states();
  for (const Meeting& met : met_) {
    const auto& [bodies, refinement, waited, steps] = *met.pair;
    if (!touches.touchedBefore(bodies))
      begun_.push_back({bodies.a, bodies.b, ships.time(), refinement, waited, states[bodies.a].pose,
                        states[bodies.b].pose, met.solid});
  }
}

/// Computes all manifolds before the first response, which is possible because responses change
/// velocities only. They take most of the time, so workers share them.
void Collisions::findSolidContacts(const Ships& ships, Response kind, WorkerPool* pool) {
  if (!bySolids(kind) || solids_.empty()) return;
  while (queries_.size() < workersOf(pool)) queries_.emplace_back();
  forEachPieceByWorker(pool, met_.size(), [&](std::size_t i, std::size_t worker) {
    Meeting& met = met_[i];
    if (met.pair->refinement.verdict == Verdict::Contact)
      met.solid = queries_[worker].find(ships.states(), met.pair->bodies, solids_);
  });
}

bool Collisions::respondTo(Ships& ships, const DetectedPair& pair, const Touches& touches,
                           const std::optional<SolidContact>& solid, Response kind) const {
  if (kind == Response::Teleport) {
    teleport(ships, pair.bodies);
    return true;
  }
  const auto addJoints = [&](ImpulsePoint& point, std::uint32_t linkA, std::uint32_t linkB) {
    point.jointSpeed = jointSpeed(ships, pair.bodies, linkA, linkB, point);
  };
  const bool contact = pair.refinement.verdict == Verdict::Contact;
  if (bySolids(kind) && contact && !solids_.empty()) {
    if (!solid) {
      const auto normal = normalOf(ships.states(), pair.bodies, std::nullopt);
      return normal && bounce(ships, pair.bodies, *normal);
    }
    if (kind == Response::Bounce) {
      ImpulsePoint mean = solid->mean;
      addJoints(mean, solid->linkA, solid->linkB);
      return bounce(ships, pair.bodies, mean.normal, mean.jointSpeed);
    }
    std::array<ImpulsePoint, SolidContact::maxPoints> points;
    for (std::size_t i = 0; i < solid->count; ++i) {
      points[i] = impulsePoint(solid->manifold[i]);
      addJoints(points[i], solid->linkA, solid->linkB);
    }
    return tumble(ships, pair.bodies, std::span(points).first(solid->count));
  }
  DetectedPair judged = pair;
  if (bySolids(kind) && !contact && touches.touchedBefore(pair.bodies))
    judged.refinement.deepest = boundingSpheres(ships.states(), pair.bodies);
  const auto normal = normalOf(ships.states(), judged);
  if (!normal) return false;
  ImpulsePoint between{*normal, pointBetween(judged.refinement.deepest)};
  if (bySolids(kind)) addJoints(between, judged.refinement.linkA, judged.refinement.linkB);
  return kind == Response::Tumble ? tumble(ships, pair.bodies, std::span(&between, 1))
                                  : bounce(ships, pair.bodies, *normal, between.jointSpeed);
}

void Collisions::summarise(FrameProfile& profile) {
  if (begun_.empty()) return;
  bounds_.clear();
  for (const Collision& collision : begun_) {
    const int level = depthOf(collision.refinement);
    ++profile.collisions[static_cast<std::size_t>(level)];
    bounds_.push_back(collision.refinement.separationBound);
    profile.collisionsLate += collision.waited.detections > 0;
    profile.maxLate = std::max(profile.maxLate, collision.waited.detections);
  }
  const auto middle = bounds_.begin() + static_cast<std::ptrdiff_t>((bounds_.size() - 1) / 2);
  std::nth_element(bounds_.begin(), middle, bounds_.end());
  profile.medianBound = *middle;
  profile.worstBound = *std::max_element(middle, bounds_.end());
}

}  // namespace nearmiss::engine
