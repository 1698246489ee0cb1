// SPDX-License-Identifier: MIT
#include <engine/flight/world.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <utility>

#include "flight/shared_pieces.h"
#include "flight/ship_group.h"

namespace nearmiss::engine {

namespace {

/// A ship that needs more step attempts moves alone, because the others of its block would wait.
constexpr int maxAttempts = 24;

/// Calls act(lane) for each set bit, in order.
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

MotionState laneOf(const LaneStates& states, std::size_t lane, bool tumbles) noexcept {
  return {states.position.at(lane), states.velocity.at(lane), states.rotation.at(lane),
          tumbles ? states.momentum.at(lane) : Vec3(0.0)};
}

void setLane(LaneStates& states, std::size_t lane, const MotionState& state,
             bool tumbles) noexcept {
  states.position.set(lane, state.position);
  states.velocity.set(lane, state.velocity);
  states.rotation.set(lane, state.rotation);
  if (tumbles) states.momentum.set(lane, state.angularMomentum);
}

/// Conservative version of sound(): a sum of magnitudes bounds each of them.
bool surelySound(const MotionState& s) noexcept {
  const auto size = [](const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
  const Quat& q = s.rotation;
  const Real sum = size(s.position) + size(s.velocity) + size(s.angularMomentum) + std::abs(q.w) +
                   size({q.x, q.y, q.z});
  return sum <= maxStateSize && glm::dot(q, q) >= minRotationSquare;
}

}  // namespace

World::World(const Arena& arena) noexcept : ships_(arena) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

/// Does not copy a finished prediction: for ships with very short steps it needs far more memory
/// than the ships.
World::World(const World& other)
    : ships_(other.ships_),
      groups_(other.time() < other.predictedUntil_ ? other.groups_ : std::vector<ShipGroup>{}),
      stepsTaken_(other.stepsTaken_),
      predictedFrom_(other.predictedFrom_),
      predictedFor_(other.predictedFor_),
      predictedUntil_(other.predictedUntil_) {}

World World::copy() const { return World(*this); }

void World::integrate(Real dt) {
  predict(dt);
  moveTo(predictedUntil_);
}

/// For all groups, calls begin(group, first ship, number of ships) and then act(block) for each
/// block, on the workers of the pool.
void World::forEachBlock(const auto& begin, const auto& act) {
  const std::size_t ships = states().size();
  groups_.resize((ships + ShipGroup::size - 1) / ShipGroup::size);
  forEachPiece(pool_, groups_.size(), [&](std::size_t g) {
    ShipGroup& group = groups_[g];
    const std::size_t first = g * ShipGroup::size, count = std::min(ships - first, ShipGroup::size);
    begin(group, first, count);
    group.blocks.resize((group.order.size() + laneCount - 1) / laneCount);
    group.paths.resize(group.order.size());
    for (std::size_t b = 0; b < group.blocks.size(); ++b) {
      ShipBlock block{group, group.blocks[b], &group.paths[b * laneCount]};
      block.ships.fill(first);
      for (std::size_t lane = 0; lane < laneCount; ++lane) {
        const std::size_t place = b * laneCount + lane;
        // Ships may have been destroyed since the order was made
        if (place >= group.order.size() || group.order[place] >= count) continue;
        block.ships[lane] = first + group.order[place];
        block.lanes |= 1u << lane;
      }
      if (block.lanes != 0) act(block);
    }
  });
  stopOverflowed();
}

/// Places ships with similar numbers of steps next to each other, so that few wait for their block.
void World::arrange(ShipGroup& group, std::size_t first, std::size_t count) const {
  constexpr std::size_t most = 31;
  const auto stepsOf = [&](std::size_t i) {
    const Real steps = std::ceil(predictedFor_ / ships_.records_[first + i].step);
    return static_cast<std::size_t>(std::min<Real>(steps, most));
  };
  std::array<std::size_t, most + 2> place{};
  for (std::size_t i = 0; i < count; ++i) ++place[stepsOf(i) + 1];
  for (std::size_t n = 0; n <= most; ++n) place[n + 1] += place[n];
  group.order.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    group.order[place[stepsOf(i)]++] = static_cast<std::uint8_t>(i);
}

void World::predict(Real dt) {
  if (!(dt > 0.0) || !std::isfinite(dt)) return;
  predictedFrom_ = time();
  predictedFor_ = dt;
  predictedUntil_ = time() + dt;
  forEachBlock(
      [this](ShipGroup& group, std::size_t first, std::size_t count) {
        arrange(group, first, count);
        group.pieces.clear();
        group.stepCount = 0;
      },
      [this](const ShipBlock& block) {
        predictBlock(block);
        forEachLane(block.motion.alone, [&](std::size_t lane) {
          predictAlone(block, lane, predictedFrom_, predictedFor_);
        });
      });
}

/// Gathers the states of the ships and stores their forces in the block. Unused lanes repeat a
/// ship.
LaneStates World::gather(const ShipBlock& block) const noexcept {
  LaneForces& forces = block.motion.forces;
  LaneStates states{};
  forces.tumbles = false;
  for (std::size_t lane = 0; lane < laneCount; ++lane) {
    const std::size_t index = block.ships[lane];
    const Ships::Record& ship = ships_.records_[index];
    setLane(states, lane, ships_.motionOf(index), true);
    const Steering steering = steeringOf(ship.control, ship.definition.limits);
    forces.thrust[lane] = steering.thrust;
    forces.turning.set(lane, steering.turning);
    forces.drag[lane] = ship.definition.limits.drag;
    // Without tumbling even a -0 would become +0
    forces.tumbles = forces.tumbles || !isPlainZero(ship.angularMomentum);
  }
  if (!forces.tumbles) return states;
  for (std::size_t lane = 0; lane < laneCount; ++lane) {
    const InverseInertia& inertia = ships_.records_[block.ships[lane]].definition.inverseInertia;
    forces.diagonal.set(lane, inertia.diagonal);
    forces.mixed.set(lane, inertia.mixed);
  }
  return states;
}

/// integrate() for all lanes at once, each with its own step size. Finished lanes wait for the
/// others; lanes that take too long or overflow are finished alone.
void World::predictBlock(const ShipBlock& block) {
  ShipGroup::Block& motion = block.motion;
  LaneProgress progress;
  motion.end = gather(block);
  motion.firstStep = block.group.stepCount;
  for (Real& left : progress.left.of) left = predictedFor_;
  progress.h = progress.left;
  forEachLane(block.lanes, [&](std::size_t lane) {
    const Ships::Record& ship = ships_.records_[block.ships[lane]];
    progress.rules[lane] = StepRule(ship.definition.limits);
    progress.step[lane] = std::min(ship.step, progress.rules[lane].longest());
  });
  progress.active = block.lanes;
  for (int attempt = 0; progress.active != 0 && attempt < maxAttempts; ++attempt)
    attemptSteps(block, progress);
  motion.steps = block.group.stepCount - motion.firstStep;

  motion.alone = progress.active;
  forEachLane(block.lanes & ~progress.active, [&](std::size_t lane) {
    if (!surelySound(laneOf(motion.end, lane, motion.forces.tumbles))) {
      motion.alone |= 1u << lane;
      return;
    }
    ships_.records_[block.ships[lane]].step = progress.step[lane];
    ships_.stale_[block.ships[lane]] = 0;
    block.group.taken += progress.taken[lane];
  });
}

/// Attempts one step per unfinished lane. If the error is too large, the next attempt is shorter.
/// Accepted steps advance Block::end.
void World::attemptSteps(const ShipBlock& block, LaneProgress& progress) const {
  ShipGroup& group = block.group;
  const bool tumbles = block.motion.forces.tumbles;
  LaneStates& now = block.motion.end;
  // Named references, because clang 14 cannot capture structured bindings
  LaneReals &left = progress.left, &step = progress.step, &h = progress.h;
  auto& rules = progress.rules;
  auto& taken = progress.taken;
  std::uint32_t& active = progress.active;
  LaneStates then{};
  LaneReals error;
  forEachLane(active, [&](std::size_t lane) { h[lane] = std::min(step[lane], left[lane]); });
  lanePaths().back().step(block.motion.forces, ships_.arena(), h, now, then, error);
  if (group.stepCount == group.steps.size()) group.steps.emplace_back();
  ShipGroup::Step& kept = group.steps[group.stepCount];
  kept.start = now;
  kept.h = h;
  std::ranges::fill(kept.from.of, std::numeric_limits<Real>::infinity());
  std::uint32_t accepted = 0;
  forEachLane(active, [&](std::size_t lane) {
    if (!rules[lane].accepts(error[lane], h[lane])) {
      step[lane] = 0.5 * h[lane];
      return;
    }
    accepted |= 1u << lane;
    kept.from[lane] = predictedFor_ - left[lane];
    left[lane] -= h[lane];
    step[lane] = rules[lane].next(step[lane], h[lane], error[lane]);
    ++taken[lane];
    if (!(left[lane] > 0.0)) active &= ~(1u << lane);
  });
  if (accepted == 0) return;
  ++group.stepCount;
  if (accepted == block.lanes) {
    now = then;
    return;
  }
  forEachLane(accepted,
              [&](std::size_t lane) { setLane(now, lane, laneOf(then, lane, tumbles), tumbles); });
}

void World::predictAlone(const ShipBlock& block, std::size_t lane, Real from, Real dt) {
  const std::size_t index = block.ships[lane];
  Ships::Record& ship = ships_.records_[index];
  std::vector<MotionPiece>& pieces = block.group.pieces;
  ShipGroup::Path& path = block.paths[lane];
  path = {pieces.size(), pieces.size(), 0, from};
  ships_.stale_[index] = 0;
  block.group.taken +=
      engine::integrate(ships_.motionOf(index), ship.control, ship.definition.limits,
                        ships_.arena(), dt, ship.step, pieces, ship.definition.inverseInertia);
  if (!sound(pieces.back().start)) {
    // Stop a ship whose state overflows before it affects others
    ships_.states_[index].velocity = ship.angularMomentum = Vec3(0.0);
    ship.promisedAt = std::numeric_limits<Real>::quiet_NaN();
    block.group.overflowed.push_back(static_cast<std::uint32_t>(index));
    pieces.resize(path.first);
    pieces.emplace_back().start = ships_.motionOf(index);
  }
  path.last = pieces.size() - 1;
}

void World::stopOverflowed() noexcept {
  for (ShipGroup& group : groups_) {
    std::ranges::sort(group.overflowed);
    for (const std::uint32_t index : group.overflowed) ships_.endEpoch(index);
    group.overflowed.clear();
    stepsTaken_ += std::exchange(group.taken, 0);
  }
}

void World::moveTo(Real time) {
  const Real before = ships_.time_;
  if (!(time > before) || !(before < predictedUntil_)) return;
  ships_.time_ = std::min(time, predictedUntil_);
  forEachBlock(
      [](ShipGroup& group, std::size_t, std::size_t count) {
        // Append ships created since
        for (std::size_t i = group.order.size(); i < count; ++i)
          group.order.push_back(static_cast<std::uint8_t>(i));
      },
      [&](const ShipBlock& block) { move(block, before); });
}

void World::move(const ShipBlock& block, Real before) {
  std::uint32_t& alone = block.motion.alone;
  forEachLane(block.lanes, [&](std::size_t lane) {
    if (ships_.stale_[block.ships[lane]] == 0) return;
    predictAlone(block, lane, before, predictedUntil_ - before);
    alone |= 1u << lane;
  });
  moveBlock(block);
  forEachLane(block.lanes & alone, [&](std::size_t lane) { moveAlone(block, lane); });

  // The bound from the start of the prediction holds until its end
  const bool atEnd = time() == predictedUntil_;
  forEachLane(block.lanes, [&](std::size_t lane) {
    const std::size_t index = block.ships[lane];
    if (!ships_.states_[index].links.empty()) ships_.placeLinks(index);
    if (atEnd) ships_.renewBound(index);
  });
}

/// States of the ships in some lanes at the current time, before the end of the prediction.
LaneStates World::intermediateStates(const ShipBlock& block, std::uint32_t lanes) const noexcept {
  const ShipGroup::Block& motion = block.motion;
  const bool tumbles = motion.forces.tumbles;
  const Real s = time() - predictedFrom_;
  LaneStates states;
  if (!(s < predictedFor_)) {
    // Only rounding can cause this
    forEachLane(lanes, [&](std::size_t lane) {
      MotionPiece rest;
      rest.start = laneOf(motion.end, lane, tumbles);
      setLane(states, lane, stateAt(rest, s - predictedFor_), tumbles);
    });
    return states;
  }
  LaneInstants instants{};
  std::ranges::fill(instants.h.of, 1.0);
  forEachLane(lanes, [&](std::size_t lane) {
    const ShipGroup::Step* step = &block.group.steps[motion.firstStep + motion.steps - 1];
    while (!(step->from[lane] <= s)) --step;
    const Real from = step->from[lane], middle = from + 0.5 * step->h[lane];
    setLane(instants.start, lane, laneOf(step->start, lane, tumbles), tumbles);
    instants.h[lane] = step->h[lane];
    instants.late[lane] = middle <= s ? 1.0 : 0.0;
    instants.since[lane] = s - (middle <= s ? middle : from);
  });
  lanePaths().back().evaluate(motion.forces, ships_.arena(), instants, states);
  return states;
}

void World::moveBlock(const ShipBlock& block) noexcept {
  const ShipGroup::Block& motion = block.motion;
  const std::uint32_t together = block.lanes & ~motion.alone;
  if (together == 0) return;
  // Use the stored end state, because the next frame starts from it
  const LaneStates states =
      time() == predictedUntil_ ? motion.end : intermediateStates(block, together);
  forEachLane(together, [&](std::size_t lane) {
    BodyState& body = ships_.states_[block.ships[lane]];
    body.velocity = states.velocity.at(lane);
    body.pose = {states.position.at(lane), states.rotation.at(lane)};
    if (motion.forces.tumbles)
      ships_.records_[block.ships[lane]].angularMomentum = states.momentum.at(lane);
  });
}

void World::moveAlone(const ShipBlock& block, std::size_t lane) noexcept {
  const std::size_t index = block.ships[lane];
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
