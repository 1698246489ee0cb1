// SPDX-License-Identifier: MIT
#include <engine/flight/world.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "flight/shared_pieces.h"
#include "flight/ship_motion.h"

namespace nearmiss::engine {

struct ShipGroup {
  std::vector<MotionPiece> pieces;        ///< of all its ships, those of stale paths among them
  std::vector<std::uint32_t> overflowed;  ///< ships that were stopped where they are
  std::uint64_t steps = 0;                ///< of integration, since last added up
};

namespace {

/// Ships of a group: enough that a thread is not asked too often, few enough to share.
constexpr std::size_t groupSize = 128;
constexpr std::size_t minSharedGroups = 4;

bool sound(const MotionState& s) noexcept {
  return !faultOf(Pose{s.position, s.rotation}) && !faultOfVelocity(s.velocity) &&
         !faultOfVelocity(s.angularMomentum);
}

}  // namespace

World::World(const Arena& arena) noexcept : ships_(arena) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

World::World(const World&) = default;

World World::copy() const {
  World twin(*this);
  twin.pool_ = nullptr;
  return twin;
}

void World::integrate(Real dt) {
  predict(dt);
  moveTo(predictedUntil_);
}

/// Calls act(group, first ship, end) for all groups, on the workers of the pool.
void World::forEachGroup(const auto& act) {
  const std::size_t ships = states().size();
  groups_.resize((ships + groupSize - 1) / groupSize);
  forEachPiece(pool_, groups_.size(), minSharedGroups, [&](std::size_t g) {
    act(groups_[g], g * groupSize, std::min(ships, (g + 1) * groupSize));
  });
  stopOverflowed();
}

void World::predict(Real dt) {
  if (!(dt > 0.0) || !std::isfinite(dt)) return;
  predictedUntil_ = time() + dt;
  forEachGroup([&](ShipGroup& group, std::size_t first, std::size_t end) {
    group.pieces.clear();
    for (std::size_t index = first; index < end; ++index) predict(index, group, time(), dt);
  });
}

void World::predict(std::size_t index, ShipGroup& group, Real from, Real dt) {
  Ships::Record& ship = ships_.records_[index];
  std::vector<MotionPiece>& pieces = group.pieces;
  ship.path = {pieces.size(), pieces.size(), 0, from, false};
  group.steps +=
      engine::integrate(ships_.motionOf(index), ship.control, ship.definition.limits,
                        ships_.arena(), dt, ship.step, pieces, ship.definition.inverseInertia);
  if (!sound(pieces.back().start)) {
    // Stop a ship whose state overflows where it is, before it affects the others
    ships_.states_[index].velocity = ship.angularMomentum = Vec3(0.0);
    group.overflowed.push_back(static_cast<std::uint32_t>(index));
    pieces.resize(ship.path.first);
    pieces.emplace_back().start = ships_.motionOf(index);
  }
  ship.path.last = pieces.size() - 1;
}

void World::stopOverflowed() noexcept {
  for (ShipGroup& group : groups_) {
    for (const std::uint32_t index : group.overflowed) ships_.endEpoch(index);
    group.overflowed.clear();
    stepsTaken_ += std::exchange(group.steps, 0);
  }
}

void World::moveTo(Real time) {
  const Real before = ships_.time_;
  if (!(time > before) || !(before < predictedUntil_)) return;
  ships_.time_ = std::min(time, predictedUntil_);
  forEachGroup([&](ShipGroup& group, std::size_t first, std::size_t end) {
    for (std::size_t index = first; index < end; ++index) move(index, group, before);
  });
}

void World::move(std::size_t index, ShipGroup& group, Real before) {
  Ships::Record& ship = ships_.records_[index];
  if (ship.path.stale) predict(index, group, before, predictedUntil_ - before);
  BodyState& body = ships_.states_[index];
  Ships::Path& path = ship.path;
  const std::vector<MotionPiece>& pieces = group.pieces;

  // The end is taken as it is, for the next frame begins with it
  const bool atEnd = time() == predictedUntil_;
  if (atEnd) path.now = path.last;
  const Real s = time() - path.start;
  while (path.now < path.last && pieces[path.now + 1].from <= s) ++path.now;
  const MotionPiece& piece = pieces[path.now];
  const MotionState motion = atEnd ? piece.start : stateAt(piece, s - piece.from);
  body.velocity = motion.velocity;
  body.pose = {motion.position, motion.rotation};
  ship.angularMomentum = motion.angularMomentum;
  ships_.placeLinks(index);

  // On the way the bound of the start still holds
  if (atEnd) ships_.renewBound(index);
}

Real World::shortestPromise() const noexcept {
  Real shortest = boundHorizon({0.0, 0.0, 0.0, 0.0});
  for (const Ships::Record& ship : ships_.records_)
    shortest = std::min(shortest, boundHorizon(ship.definition.limits));
  return shortest;
}

}  // namespace nearmiss::engine
