// SPDX-License-Identifier: MIT
#include <engine/flight/world.h>
#include <nearmiss/detail/fingerprint.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
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

std::string nameOf(std::uint32_t key) { return "ship " + std::to_string(key); }

Pose withUnitRotation(const Pose& pose) noexcept {
  const Real norm = glm::dot(pose.rotation, pose.rotation);
  // What is a unit up to rounding stays as it is, bit for bit
  if (std::abs(norm - 1.0) < 1e-14) return pose;
  return {pose.position, glm::normalize(pose.rotation)};
}

Real stick(Real value) noexcept {
  return std::isfinite(value) ? std::clamp(value, -1.0, 1.0) : 0.0;
}

Real magnitude(Real value, Real most) noexcept {
  return std::isfinite(value) ? std::clamp(value, 0.0, most) : 0.0;
}

/// Beyond these, numbers overflow or steps grow too many.
constexpr Real maxAcceleration = 1e12;
constexpr Real maxTurn = 1e3;
constexpr Real maxDrag = 1e2;
constexpr Real maxLength = 1e12;

ShipLimits clamped(const ShipLimits& limits) noexcept {
  return {magnitude(limits.accelerationMax, maxAcceleration),
          magnitude(limits.reverseMax, maxAcceleration), magnitude(limits.turnMax, maxTurn),
          magnitude(limits.drag, maxDrag)};
}

Arena clamped(const Arena& arena) noexcept {
  return {magnitude(arena.radius, maxLength), magnitude(arena.rim, maxLength),
          magnitude(arena.pushMax, maxAcceleration)};
}

}  // namespace

World::World(const Arena& arena) noexcept : arena_(clamped(arena)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

World::World(const World&) = default;

World World::copy() const {
  World twin(*this);
  twin.pool_ = nullptr;
  // What states refer to lies in the ships of their own world
  for (std::size_t p = 0; p < states_.size(); ++p) {
    BodyState& body = twin.states_[p];
    body.planes = std::span<const CuttingPlane>(&twin.ships_[p].plane, body.planes.size());
    body.links = twin.ships_[p].links;
  }
  return twin;
}

Result<ShipId> World::create(const ShipDef& def) {
  // Values that are not finite would spread to every ship that is met
  if (const auto fault = faultOf(def)) return refusal(nameOf(nextKey_), *fault);
  const auto index = static_cast<std::uint32_t>(states_.size());

  // Name it: the slot that was freed last, or a new one
  std::uint32_t slot = 0;
  if (freeSlots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = freeSlots_.back();
    freeSlots_.pop_back();
  }
  ++slots_[slot].generation;
  slots_[slot].index = index;

  BodyState body;
  body.key = nextKey_++;
  const Articulation* const joints = def.articulation.get();
  const ShapeRef& shape = joints ? joints->links()[0].shape : def.shape;
  const Real radius = joints ? joints->reach() : def.shape.radius();
  body.shape = ShapeRef::ofRadius(magnitude(radius, maxLength), shape.id());
  body.pose = withUnitRotation(def.pose);
  body.velocity = def.velocity;
  body.unimportant = def.unimportant;
  states_.push_back(body);
  const Ship* const shipsBefore = ships_.data();
  ships_.push_back({.articulation = def.articulation,
                    .links = std::vector<Link>(joints ? joints->links().size() : 0),
                    .keptUntil = time_,
                    .limits = clamped(def.limits),
                    .mass = def.mass,
                    .inverseInertia = def.inverseInertia,
                    .step = longestStep,
                    .startPose = body.pose,
                    .slot = slot});
  // The others' bounds stand, but their planes may have moved in memory
  if (ships_.data() != shipsBefore)
    for (std::size_t p = 0; p < index; ++p)
      states_[p].planes = std::span<const CuttingPlane>(&ships_[p].plane, states_[p].planes.size());
  poseLinks(index);
  renewBound(index);
  ++jumps_;
  reordered_ = true;
  return ShipId{slot, slots_[slot].generation};
}

void World::destroy(ShipId id) noexcept {
  if (!contains(id)) return;
  const std::size_t index = indexOf(id);

  // Close the gap and keep the order: it decides the order of responses
  const auto gap = static_cast<std::ptrdiff_t>(index);
  states_.erase(std::next(states_.begin(), gap));
  ships_.erase(std::next(ships_.begin(), gap));
  for (std::size_t p = index; p < ships_.size(); ++p) {
    slots_[ships_[p].slot].index = static_cast<std::uint32_t>(p);
    renewBound(p);
  }

  ++jumps_;
  reordered_ = true;

  // A free slot's generation is one that no living ship ever had
  ++slots_[id.index].generation;
  freeSlots_.push_back(id.index);
}

/// Where the joints are is a function of time, in each ship another.
void World::linksAt(std::size_t index, Real time, std::span<Link> links) const noexcept {
  constexpr Real golden = 0.6180339887498949;
  const Real phase = golden * states_[index].key;
  ships_[index].articulation->pose(time, phase - std::floor(phase), links);
}

void World::poseLinks(std::size_t index) noexcept {
  Ship& ship = ships_[index];
  if (!ship.articulation) return;
  linksAt(index, time_, ship.links);
  states_[index].links = ship.links;
}

Vec3 World::jointVelocity(std::size_t index, std::uint32_t link, const Vec3& point) const noexcept {
  const Ship& ship = ships_[index];
  if (!ship.articulation) return Vec3(0.0);
  // So short that the angle hardly bends, so long that digits are left
  constexpr Real instant = 0x1p-18;
  std::array<Link, Articulation::maxLinks> later;
  linksAt(index, time_ + instant, std::span(later).first(ship.links.size()));
  const Pose& pose = states_[index].pose;
  const Vec3 own = glm::conjugate(pose.rotation) * (point - pose.position);
  const Pose& now = ship.links[link].pose;
  const Vec3 ofLink = glm::conjugate(now.rotation) * (own - now.position);
  return pose.rotation * ((transformed(later[link].pose, ofLink) - own) / instant);
}

bool World::contains(ShipId id) const noexcept {
  return id.generation % 2 == 1 && id.index < slots_.size() &&
         slots_[id.index].generation == id.generation;
}

void World::setControl(std::size_t index, const ShipControl& control, Real keptUntil) noexcept {
  const ShipControl old = ships_[index].control;
  const ShipControl next{stick(control.thrust), stick(control.pitch), stick(control.yaw),
                         stick(control.roll)};
  const bool same = old.thrust == next.thrust && old.pitch == next.pitch && old.yaw == next.yaw &&
                    old.roll == next.roll;
  if (!same && time_ < ships_[index].keptUntil) endEpoch(index);
  ships_[index].control = next;
  if (!same || keptUntil > ships_[index].keptUntil) {
    ships_[index].keptUntil = keptUntil;
    renewBound(index);
  }
}

Result<Success> World::setVelocity(std::size_t index, const Vec3& velocity) {
  if (const auto fault = faultOfVelocity(velocity))
    return refusal(nameOf(states_[index].key), *fault);
  states_[index].velocity = velocity;
  endEpoch(index);
  renewBound(index);
  return Success{};
}

Result<Success> World::setAngularMomentum(std::size_t index, const Vec3& momentum) {
  if (const auto fault = faultOfVelocity(momentum)) {
    ShipFault named = *fault;
    named.field = "the angular momentum";
    return refusal(nameOf(states_[index].key), named);
  }
  ships_[index].angularMomentum = momentum;
  endEpoch(index);
  renewBound(index);
  return Success{};
}

Vec3 World::turnedBy(std::size_t index, const Vec3& momentum) const noexcept {
  const Quat& rotation = states_[index].pose.rotation;
  return rotation * (ships_[index].inverseInertia * (glm::conjugate(rotation) * momentum));
}

MotionState World::motionOf(std::size_t index) const noexcept {
  const BodyState& body = states_[index];
  return {body.pose.position, body.velocity, body.pose.rotation, ships_[index].angularMomentum};
}

Result<Success> World::setPose(std::size_t index, const Pose& pose) {
  if (const auto fault = faultOf(pose)) return refusal(nameOf(states_[index].key), *fault);
  states_[index].pose = withUnitRotation(pose);
  endEpoch(index);
  renewBound(index);
  return Success{};
}

void World::integrate(Real dt) {
  predict(dt);
  moveTo(predictedUntil_);
}

/// Calls act(group, first ship, end) for all groups, on the workers of the pool.
void World::forEachGroup(const auto& act) {
  groups_.resize((states_.size() + groupSize - 1) / groupSize);
  forEachPiece(pool_, groups_.size(), minSharedGroups, [&](std::size_t g) {
    act(groups_[g], g * groupSize, std::min(states_.size(), (g + 1) * groupSize));
  });
  stopOverflowed();
}

void World::predict(Real dt) {
  if (!(dt > 0.0) || !std::isfinite(dt)) return;
  predictedUntil_ = time_ + dt;
  forEachGroup([&](ShipGroup& group, std::size_t first, std::size_t end) {
    group.pieces.clear();
    for (std::size_t index = first; index < end; ++index) predict(index, group, time_, dt);
  });
}

void World::predict(std::size_t index, ShipGroup& group, Real from, Real dt) {
  BodyState& body = states_[index];
  Path& path = ships_[index].path;
  std::vector<MotionPiece>& pieces = group.pieces;
  path = {pieces.size(), pieces.size(), 0, from, false};
  group.steps +=
      engine::integrate(motionOf(index), ships_[index].control, ships_[index].limits, arena_, dt,
                        ships_[index].step, pieces, ships_[index].inverseInertia);
  if (!sound(pieces.back().start)) {
    // Stop a ship whose state overflows where it is, before it affects the others
    body.velocity = ships_[index].angularMomentum = Vec3(0.0);
    group.overflowed.push_back(static_cast<std::uint32_t>(index));
    pieces.resize(path.first);
    pieces.emplace_back().start = motionOf(index);
  }
  path.last = pieces.size() - 1;
}

void World::stopOverflowed() noexcept {
  for (ShipGroup& group : groups_) {
    for (const std::uint32_t index : group.overflowed) endEpoch(index);
    group.overflowed.clear();
    stepsTaken_ += std::exchange(group.steps, 0);
  }
}

void World::moveTo(Real time) {
  const Real before = time_;
  if (!(time > before) || !(before < predictedUntil_)) return;
  time_ = std::min(time, predictedUntil_);
  forEachGroup([&](ShipGroup& group, std::size_t first, std::size_t end) {
    for (std::size_t index = first; index < end; ++index) move(index, group, before);
  });
}

void World::move(std::size_t index, ShipGroup& group, Real before) {
  if (ships_[index].path.stale) predict(index, group, before, predictedUntil_ - before);
  BodyState& body = states_[index];
  Path& path = ships_[index].path;
  const std::vector<MotionPiece>& pieces = group.pieces;

  // The end is taken as it is, for the next frame begins with it
  const bool atEnd = time_ == predictedUntil_;
  if (atEnd) path.now = path.last;
  const Real s = time_ - path.start;
  while (path.now < path.last && pieces[path.now + 1].from <= s) ++path.now;
  const MotionPiece& piece = pieces[path.now];
  const MotionState motion = atEnd ? piece.start : stateAt(piece, s - piece.from);
  body.velocity = motion.velocity;
  body.pose = {motion.position, motion.rotation};
  ships_[index].angularMomentum = motion.angularMomentum;
  poseLinks(index);

  // On the way the bound of the start still holds
  if (atEnd) renewBound(index);
}

void World::endEpoch(std::size_t index) noexcept {
  ++states_[index].motionEpoch;
  ++jumps_;
  // Without forgetJumped() the list must not grow forever
  if (jumped_.size() < 4 * states_.size())
    jumped_.push_back(static_cast<std::uint32_t>(index));
  else
    reordered_ = true;
}

void World::renewBound(std::size_t index) noexcept {
  BodyState& body = states_[index];
  // A bound from here on is for a path from here on: one begun before may exceed it
  ships_[index].path.stale = true;
  // A control that is soon to change certifies a short bound: better one from the limits, for
  // longer
  const Real horizon = boundHorizon(ships_[index].limits);
  const bool kept = ships_[index].keptUntil - time_ >= 0.75 * horizon;
  const MotionPromise promise =
      motionPromise(motionOf(index), kept ? &ships_[index].control : nullptr, ships_[index].limits,
                    arena_, ships_[index].inverseInertia);
  body.accelerationBound = promise.acceleration;
  body.boundHoldsUntil = time_ + horizon;
  if (kept) body.boundHoldsUntil = std::min(body.boundHoldsUntil, ships_[index].keptUntil);
  ships_[index].plane = promise.plane;
  body.planes = std::span<const CuttingPlane>(&ships_[index].plane, promise.hasPlane ? 1 : 0);
}

Real World::shortestPromise() const noexcept {
  Real shortest = boundHorizon({0.0, 0.0, 0.0, 0.0});
  for (const Ship& ship : ships_) shortest = std::min(shortest, boundHorizon(ship.limits));
  return shortest;
}

namespace {

void addShip(const World& world, std::size_t index, Fingerprint& hash) noexcept {
  const auto addVector = [&hash](const Vec3& v) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
  };
  const BodyState& body = world.states()[index];
  addVector(body.pose.position);
  hash.add(body.pose.rotation.w);
  addVector({body.pose.rotation.x, body.pose.rotation.y, body.pose.rotation.z});
  addVector(body.velocity);
  if (world.angularMomentum(index) != Vec3(0.0)) addVector(world.angularMomentum(index));
  const ShipControl& control = world.control(index);
  hash.add(control.thrust);
  addVector({control.pitch, control.yaw, control.roll});
}

}  // namespace

std::uint64_t stateHash(const World& world) noexcept {
  Fingerprint hash;
  hash.add(world.time());
  for (std::size_t index = 0; index < world.states().size(); ++index) addShip(world, index, hash);
  return hash.value();
}

std::uint64_t stateHash(const World& world, std::size_t index) noexcept {
  Fingerprint hash;
  addShip(world, index, hash);
  return hash.value();
}

}  // namespace nearmiss::engine
