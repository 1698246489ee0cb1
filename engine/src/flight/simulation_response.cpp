// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <engine/flight/simulation.h>

#include <algorithm>
#include <cstddef>

#include "flight/shared_pieces.h"

namespace nearmiss::engine {
namespace {

/// See forEachPiece().
constexpr std::size_t leastSharedPairs = 16;

ContactSpheres boundingSpheres(std::span<const BodyState> bodies, const BodyPair& pair) noexcept {
  const BodyState& a = bodies[pair.a];
  const BodyState& b = bodies[pair.b];
  return {{a.pose.position, a.shape.radius()}, {b.pose.position, b.shape.radius()}};
}

/// Whether contacts are parted by their exact geometry.
bool bySolids(Response kind) noexcept {
  return kind == Response::Bounce || kind == Response::Tumble;
}

}  // namespace

void Simulation::respondToAll(Response kind) {
  touches_.take(detector_->last());
  findSolidContacts(kind);
  FrameProfile& profile = output_.profile;
  // Each pair at most once, then time goes on: a response need not separate the ships, and
  // repeating it until it does might never end (erratum E7)
  const auto& pairs = detector_->last().pairs;
  noteCollisions();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const DetectedPair& pair = pairs[i];
    if (pair.refinement.verdict == Verdict::Separate) continue;
    profile.responses += respondTo(pair, solidContacts_[i], kind);
    // As published, drones fly on as if nothing had been
    if (bySolids(kind)) struck_.push_back(pair.bodies);
  }
}

/// All before the first response, which may put a ship elsewhere.
void Simulation::noteCollisions() {
  const auto states = world_.states();
  for (const auto& [bodies, refinement, waited, steps] : detector_->last().pairs)
    if (refinement.verdict != Verdict::Separate && !touches_.touchedBefore(bodies))
      collisions_.push_back({bodies.a, bodies.b, world_.time(), refinement, waited,
                             states[bodies.a].pose, states[bodies.b].pose});
}

/// A response changes velocities alone, so that the normals of all contacts are known before the
/// first; they take most of the time.
void Simulation::findSolidContacts(Response kind) {
  const auto& pairs = detector_->last().pairs;
  solidContacts_.assign(pairs.size(), std::nullopt);
  if (!bySolids(kind) || solids_.empty()) return;
  forEachPiece(pool_, pairs.size(), leastSharedPairs, [&](std::size_t i) {
    if (pairs[i].refinement.verdict == Verdict::Contact)
      solidContacts_[i] = solidContact(world_.states(), pairs[i].bodies, solids_);
  });
}

bool Simulation::respondTo(const DetectedPair& pair, const std::optional<SolidContact>& solid,
                           Response kind) {
  if (kind == Response::Teleport) {
    teleport(world_, pair.bodies);
    return true;
  }
  const bool contact = pair.refinement.verdict == Verdict::Contact;
  if (bySolids(kind) && contact && !solids_.empty()) {
    const Real joints = solid ? jointClosing(world_, pair.bodies, *solid) : 0.0;
    if (solid && kind == Response::Tumble) return tumble(world_, pair.bodies, *solid, joints);
    const auto normal =
        normalOf(world_.states(), pair.bodies, solid ? std::optional(solid->normal) : std::nullopt);
    return normal && bounce(world_, pair.bodies, *normal, joints);
  }
  DetectedPair judged = pair;
  if (bySolids(kind) && !contact && touches_.touchedBefore(pair.bodies))
    judged.refinement.deepest = boundingSpheres(world_.states(), pair.bodies);
  const auto normal = normalOf(world_.states(), judged, nullptr);
  if (!normal) return false;
  const SolidContact spheres{{*normal, pointBetween(judged.refinement.deepest)},
                             judged.refinement.linkA,
                             judged.refinement.linkB};
  const Real joints = bySolids(kind) ? jointClosing(world_, pair.bodies, spheres) : 0.0;
  return kind == Response::Tumble ? tumble(world_, pair.bodies, spheres, joints)
                                  : bounce(world_, pair.bodies, *normal, joints);
}

void Simulation::summariseCollisions() {
  if (collisions_.empty()) return;
  FrameProfile& profile = output_.profile;
  bounds_.clear();
  for (const Collision& collision : collisions_) {
    const int level = depthOf(collision.refinement);
    ++profile.collisions[static_cast<std::size_t>(level)];
    bounds_.push_back(collision.refinement.separationBound);
    profile.collisionsLate += collision.waited.detections > 0;
    profile.mostLate = std::max(profile.mostLate, collision.waited.detections);
  }
  const auto middle = bounds_.begin() + static_cast<std::ptrdiff_t>((bounds_.size() - 1) / 2);
  std::nth_element(bounds_.begin(), middle, bounds_.end());
  profile.medianBound = *middle;
  profile.worstBound = *std::max_element(middle, bounds_.end());
}

}  // namespace nearmiss::engine
