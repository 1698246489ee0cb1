// SPDX-License-Identifier: MIT
#include <engine/flight/world.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "flight/motion_lanes.h"
#include "flight/shared_pieces.h"
#include "flight/ship_motion.h"

namespace nearmiss::engine {

struct ShipGroup {
  /// Ships that move together, one in each lane.
  struct Block {
    LaneSteps steps;
    bool tumbles = false;
    std::uint32_t alone = 0;  ///< bit k: the ship in lane k moves on a path of its own
  };
  /// How one ship moves alone: the pieces `first` to `last`, of which `now` is the current one.
  struct Path {
    std::size_t first = 0, now = 0, last = 0;
    Real start = 0.0;  ///< simulation time at which the first piece begins
  };

  std::vector<Block> blocks;
  std::vector<Path> paths;                ///< by ship; unused where it moves with its block
  std::vector<MotionPiece> pieces;        ///< of all paths, those that were given up among them
  std::vector<std::uint32_t> overflowed;  ///< ships that were stopped where they are
  std::uint64_t steps = 0;                ///< of integration, since last added up
};

/// The ships from `first` to before `end`: those of the last block may be fewer than its lanes.
struct ShipBlock {
  ShipGroup& group;
  ShipGroup::Block& motion;
  ShipGroup::Path* paths;  ///< by lane
  std::size_t first, end;

  [[nodiscard]] std::uint32_t lanes() const noexcept { return (1u << (end - first)) - 1u; }
};

namespace {

/// Ships of a group: enough that a thread is not asked too often, few enough to share.
constexpr std::size_t groupSize = 128;

/// Calls act(lane) for the bits that are set, in their order.
void forEachLane(std::uint32_t bits, const auto& act) {
  for (; bits != 0; bits &= bits - 1) act(static_cast<std::size_t>(std::countr_zero(bits)));
}

bool sound(const MotionState& s) noexcept {
  return !faultOf(Pose{s.position, s.rotation}) && !faultOfVelocity(s.velocity) &&
         !faultOfVelocity(s.angularMomentum);
}

bool isPlainZero(const Vec3& v) noexcept {
  return (std::bit_cast<std::uint64_t>(v.x) | std::bit_cast<std::uint64_t>(v.y) |
          std::bit_cast<std::uint64_t>(v.z)) == 0;
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

/// Calls begin(group) and then act(block) for its blocks, for all groups, on the workers of the
/// pool.
void World::forEachBlock(const auto& begin, const auto& act) {
  const std::size_t ships = states().size();
  groups_.resize((ships + groupSize - 1) / groupSize);
  forEachPiece(pool_, groups_.size(), [&](std::size_t g) {
    ShipGroup& group = groups_[g];
    const std::size_t first = g * groupSize, end = std::min(ships, first + groupSize);
    group.blocks.resize((end - first + laneCount - 1) / laneCount);
    group.paths.resize(end - first);
    begin(group);
    for (std::size_t at = first; at < end; at += laneCount) {
      const std::size_t b = (at - first) / laneCount;
      act(ShipBlock{group, group.blocks[b], &group.paths[at - first], at,
                    std::min(end, at + laneCount)});
    }
  });
  stopOverflowed();
}

void World::predict(Real dt) {
  if (!(dt > 0.0) || !std::isfinite(dt)) return;
  predictedFrom_ = time();
  predictedFor_ = dt;
  predictedUntil_ = time() + dt;
  forEachBlock([](ShipGroup& group) { group.pieces.clear(); },
               [this](const ShipBlock& block) {
                 predictTogether(block);
                 forEachLane(block.motion.alone, [&](std::size_t lane) {
                   predictAlone(block, lane, predictedFrom_, predictedFor_);
                 });
               });
}

/// Fills the lanes with the states of the ships and returns what acts on them; those that need more
/// than one step are left to move alone.
LaneForces World::gather(const ShipBlock& block) const noexcept {
  ShipGroup::Block& motion = block.motion;
  LaneStates& start = motion.steps.early.start;
  LaneForces forces;
  motion.tumbles = false;
  motion.alone = 0;
  // Lanes without a ship repeat the last
  const auto shipOf = [&](std::size_t lane) { return std::min(block.first + lane, block.end - 1); };
  for (std::size_t lane = 0; lane < laneCount; ++lane) {
    const std::size_t index = shipOf(lane);
    const BodyState& body = ships_.states_[index];
    const Ships::Record& ship = ships_.records_[index];
    const ShipLimits& limits = ship.definition.limits;
    start.position.set(lane, body.pose.position);
    start.velocity.set(lane, body.velocity);
    start.rotation.set(lane, body.pose.rotation);
    const Steering steering = steeringOf(ship.control, limits);
    forces.thrust[lane] = steering.thrust;
    forces.turning.set(lane, steering.turning);
    forces.drag[lane] = limits.drag;
    // Where nothing tumbles even a -0 would become +0
    motion.tumbles = motion.tumbles || !isPlainZero(ship.angularMomentum);
    const bool inOne = std::min(ship.step, StepRule(limits).longest()) >= predictedFor_;
    if (!inOne) motion.alone |= 1u << lane;
  }
  motion.alone &= block.lanes();
  if (!motion.tumbles) return forces;
  for (std::size_t lane = 0; lane < laneCount; ++lane) {
    const Ships::Record& ship = ships_.records_[shipOf(lane)];
    start.momentum.set(lane, ship.angularMomentum);
    forces.diagonal.set(lane, ship.definition.inverseInertia.diagonal);
    forces.mixed.set(lane, ship.definition.inverseInertia.mixed);
  }
  return forces;
}

/// Leaves those to move alone whose step may not stand.
void World::predictTogether(const ShipBlock& block) noexcept {
  ShipGroup::Block& motion = block.motion;
  const LaneForces forces = gather(block);
  if (motion.alone == block.lanes()) return;
  stepLanes(forces, ships_.arena(), predictedFor_, motion.tumbles, motion.steps);
  forEachLane(block.lanes() & ~motion.alone, [&](std::size_t lane) {
    Ships::Record& ship = ships_.records_[block.first + lane];
    const StepRule rule(ship.definition.limits);
    const Real error = motion.steps.error[lane];
    if (!rule.accepts(error, predictedFor_) || motion.steps.sound[lane] == 0.0) {
      motion.alone |= 1u << lane;
      return;
    }
    ship.step = rule.next(std::min(ship.step, rule.longest()), predictedFor_, error);
    ships_.stale_[block.first + lane] = 0;
    ++block.group.steps;
  });
}

void World::predictAlone(const ShipBlock& block, std::size_t lane, Real from, Real dt) {
  const std::size_t index = block.first + lane;
  Ships::Record& ship = ships_.records_[index];
  std::vector<MotionPiece>& pieces = block.group.pieces;
  ShipGroup::Path& path = block.paths[lane];
  path = {pieces.size(), pieces.size(), 0, from};
  ships_.stale_[index] = 0;
  block.group.steps +=
      engine::integrate(ships_.motionOf(index), ship.control, ship.definition.limits,
                        ships_.arena(), dt, ship.step, pieces, ship.definition.inverseInertia);
  if (!sound(pieces.back().start)) {
    // Stop a ship whose state overflows where it is, before it affects the others
    ships_.states_[index].velocity = ship.angularMomentum = Vec3(0.0);
    block.group.overflowed.push_back(static_cast<std::uint32_t>(index));
    pieces.resize(path.first);
    pieces.emplace_back().start = ships_.motionOf(index);
  }
  path.last = pieces.size() - 1;
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
  forEachBlock([](ShipGroup&) {}, [&](const ShipBlock& block) { move(block, before); });
}

void World::move(const ShipBlock& block, Real before) {
  std::uint32_t& alone = block.motion.alone;
  forEachLane(block.lanes(), [&](std::size_t lane) {
    if (ships_.stale_[block.first + lane] == 0) return;
    predictAlone(block, lane, before, predictedUntil_ - before);
    alone |= 1u << lane;
  });
  moveTogether(block);
  forEachLane(block.lanes() & alone, [&](std::size_t lane) { moveAlone(block, lane); });

  // On the way the bound of the start still holds
  const bool atEnd = time() == predictedUntil_;
  for (std::size_t index = block.first; index < block.end; ++index) {
    if (!ships_.states_[index].links.empty()) ships_.placeLinks(index);
    if (atEnd) ships_.renewBound(index);
  }
}

void World::moveTogether(const ShipBlock& block) noexcept {
  const auto& [steps, tumbles, alone] = block.motion;
  const std::uint32_t together = block.lanes() & ~alone;
  if (together == 0) return;

  // The end is taken as it is, for the next frame begins with it
  LaneStates between;
  const bool atEnd = time() == predictedUntil_;
  const Real s = time() - predictedFrom_, middle = 0.5 * predictedFor_;
  if (atEnd) {
    between = steps.end;
  } else if (s < middle) {
    evaluateLanes(steps.early, s, tumbles, between);
  } else if (s < predictedFor_) {
    evaluateLanes(steps.late, s - middle, tumbles, between);
  } else {
    LanePieces rest{};
    rest.start = steps.end;
    evaluateLanes(rest, s - predictedFor_, tumbles, between);
  }
  forEachLane(together, [&](std::size_t lane) {
    BodyState& body = ships_.states_[block.first + lane];
    body.velocity = between.velocity.at(lane);
    body.pose = {between.position.at(lane), between.rotation.at(lane)};
    if (tumbles) ships_.records_[block.first + lane].angularMomentum = between.momentum.at(lane);
  });
}

void World::moveAlone(const ShipBlock& block, std::size_t lane) noexcept {
  const std::size_t index = block.first + lane;
  BodyState& body = ships_.states_[index];
  ShipGroup::Path& path = block.paths[lane];
  const std::vector<MotionPiece>& pieces = block.group.pieces;
  const bool atEnd = time() == predictedUntil_;
  if (atEnd) path.now = path.last;
  const Real s = time() - path.start;
  while (path.now < path.last && pieces[path.now + 1].from <= s) ++path.now;
  const MotionPiece& piece = pieces[path.now];
  const MotionState motion = atEnd ? piece.start : stateAt(piece, s - piece.from);
  body.velocity = motion.velocity;
  body.pose = {motion.position, motion.rotation};
  ships_.records_[index].angularMomentum = motion.angularMomentum;
}

}  // namespace nearmiss::engine
