// SPDX-License-Identifier: MIT
#include <engine/flight/ships.h>
#include <nearmiss/detail/fingerprint.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "flight/ship_motion.h"

namespace nearmiss::engine {
namespace {

std::string nameOf(std::uint32_t key) { return "ship " + std::to_string(key); }

Pose withUnitRotation(const Pose& pose) noexcept {
  const Real norm = glm::dot(pose.rotation, pose.rotation);
  // Keep unit quaternions bit for bit
  if (std::abs(norm - 1.0) < 1e-14) return pose;
  return {pose.position, glm::normalize(pose.rotation)};
}

Real stick(Real value) noexcept {
  return std::isfinite(value) ? std::clamp(value, -1.0, 1.0) : 0.0;
}

Real magnitude(Real value, Real most) noexcept {
  return std::isfinite(value) ? std::clamp(value, 0.0, most) : 0.0;
}

/// Larger values overflow or need too many steps.
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

/// The horizon of ships that neither turn nor have drag.
Real longestPromise() noexcept { return boundHorizon({0.0, 0.0, 0.0, 0.0}); }

}  // namespace

Ships::Ships(const Arena& arena) noexcept
    : arena_(clamped(arena)), shortestPromise_(longestPromise()) {}

Ships::Ships(const Ships& other)
    : arena_(other.arena_),
      time_(other.time_),
      states_(other.states_),
      records_(other.records_),
      stale_(other.stale_),
      ids_(other.ids_),
      jumps_(other.jumps_),
      nextKey_(other.nextKey_),
      shortestPromise_(other.shortestPromise_) {
  // The copied states must refer to the copied records
  for (std::size_t p = 0; p < states_.size(); ++p) {
    BodyState& body = states_[p];
    body.planes = std::span<const CuttingPlane>(&records_[p].plane, body.planes.size());
    body.links = records_[p].links;
  }
}

Result<ShipId> Ships::create(const ShipDef& def) {
  // Non-finite values would spread to every ship in contact
  if (const auto fault = faultOf(def)) return refusal(nameOf(nextKey_), *fault);
  const Articulation* const joints = def.articulation.get();
  const Real radius = joints ? joints->reach() : def.shape.radius();
  // A smaller sphere would not contain the ship, and contacts would be missed
  if (!(radius <= maxLength))
    return refusal(nameOf(nextKey_), {"shape.radius", "at most 1e12", radius});

  BodyState body;
  body.key = nextKey_++;
  const ShapeRef& shape = joints ? joints->links()[0].shape : def.shape;
  body.shape = ShapeRef::ofRadius(radius, shape.index());
  body.pose = withUnitRotation(def.pose);
  body.velocity = def.velocity;
  body.unimportant = def.unimportant;
  const std::size_t index = states_.size();
  states_.push_back(body);
  const Record* const before = records_.data();
  Record& record = records_.emplace_back();
  record.definition = def;
  record.definition.pose = body.pose;
  record.definition.limits = clamped(def.limits);
  record.links.resize(joints ? joints->links().size() : 0);
  record.promiseEnd = time_;
  record.step = longestStep;
  record.horizon = boundHorizon(record.definition.limits);
  shortestPromise_ = std::min(shortestPromise_, record.horizon);
  stale_.push_back(1);
  // The other bounds hold, but their planes may have moved in memory
  if (records_.data() != before)
    for (std::size_t p = 0; p < index; ++p)
      states_[p].planes =
          std::span<const CuttingPlane>(&records_[p].plane, states_[p].planes.size());
  placeLinks(index);
  renewBound(index);
  jumps_.reorder();
  return ids_.add();
}

void Ships::destroy(ShipId id) noexcept {
  if (!ids_.contains(id)) return;
  const std::size_t index = ids_.indexOf(id);
  ids_.remove(id);

  // Keep the order of the ships: it determines the order of responses
  const auto gap = static_cast<std::ptrdiff_t>(index);
  states_.erase(std::next(states_.begin(), gap));
  records_.erase(std::next(records_.begin(), gap));
  stale_.erase(std::next(stale_.begin(), gap));
  for (std::size_t p = index; p < records_.size(); ++p) renewBound(p);
  shortestPromise_ = longestPromise();
  for (const Record& ship : records_) shortestPromise_ = std::min(shortestPromise_, ship.horizon);
  jumps_.reorder();
}

void Ships::placeLinks(std::size_t index) noexcept {
  Record& ship = records_[index];
  if (!ship.definition.articulation) return;
  placeLinksAt(*ship.definition.articulation, states_[index].key, time_, ship.links);
  states_[index].links = ship.links;
}

void Ships::setControl(std::size_t index, const ShipControl& control, Real promiseEnd) noexcept {
  if (steer(index, control, promiseEnd)) endEpoch(index);
}

bool Ships::steer(std::size_t index, const ShipControl& control, Real promiseEnd) noexcept {
  Record& ship = records_[index];
  const ShipControl old = ship.control;
  const ShipControl next{stick(control.thrust), stick(control.pitch), stick(control.yaw),
                         stick(control.roll)};
  const bool same = old.thrust == next.thrust && old.pitch == next.pitch && old.yaw == next.yaw &&
                    old.roll == next.roll;
  const bool broken = !same && time_ < ship.promiseEnd;
  ship.control = next;
  if (!same || promiseEnd > ship.promiseEnd) {
    // A promise made at this instant for the same motion holds, but for longer
    const bool stands = same && ship.promisedAt == time_;
    const bool promiseHeld = ship.promiseHolds(time_);
    ship.promiseEnd = promiseEnd;
    if (stands && ship.promiseHolds(time_) == promiseHeld)
      extendBound(index);
    else
      renewBound(index);
  }
  return broken;
}

Result<Success> Ships::setVelocity(std::size_t index, const Vec3& velocity) {
  if (const auto fault = faultOfVelocity(velocity))
    return refusal(nameOf(states_[index].key), *fault);
  states_[index].velocity = velocity;
  endEpoch(index);
  renewBound(index);
  return Success{};
}

Result<Success> Ships::setAngularMomentum(std::size_t index, const Vec3& momentum) {
  if (const auto fault = faultOfVelocity(momentum)) {
    ShipFault named = *fault;
    named.field = "the angular momentum";
    return refusal(nameOf(states_[index].key), named);
  }
  records_[index].angularMomentum = momentum;
  endEpoch(index);
  renewBound(index);
  return Success{};
}

Vec3 Ships::turnedBy(std::size_t index, const Vec3& momentum) const noexcept {
  const Quat& rotation = states_[index].pose.rotation;
  return rotation *
         (records_[index].definition.inverseInertia * (glm::conjugate(rotation) * momentum));
}

MotionState Ships::motionOf(std::size_t index) const noexcept {
  const BodyState& body = states_[index];
  return {body.pose.position, body.velocity, body.pose.rotation, records_[index].angularMomentum};
}

Result<Success> Ships::setPose(std::size_t index, const Pose& pose) {
  if (const auto fault = faultOf(pose)) return refusal(nameOf(states_[index].key), *fault);
  states_[index].pose = withUnitRotation(pose);
  endEpoch(index);
  renewBound(index);
  return Success{};
}

Result<Success> Ships::setStart(std::size_t index, const Pose& pose) {
  if (const auto fault = faultOf(pose)) return refusal(nameOf(states_[index].key), *fault);
  records_[index].definition.pose = withUnitRotation(pose);
  return Success{};
}

void Ships::endEpoch(std::size_t index) noexcept {
  ++states_[index].motionEpoch;
  jumps_.add(index, states_.size());
}

/// A control that will change soon certifies only a short bound: use the limits instead, which hold
/// for longer.
void Ships::renewBound(std::size_t index) noexcept {
  Record& ship = records_[index];
  const MotionPromise promise =
      motionPromise(motionOf(index), ship.promiseHolds(time_) ? &ship.control : nullptr,
                    ship.definition.limits, arena_, ship.definition.inverseInertia);
  ship.promisedAt = time_;
  ship.plane = promise.plane;
  states_[index].accelerationBound = promise.acceleration;
  states_[index].planes = std::span<const CuttingPlane>(&ship.plane, promise.hasPlane ? 1 : 0);
  extendBound(index);
}

/// @pre the promise is of the current time
void Ships::extendBound(std::size_t index) noexcept {
  const Record& ship = records_[index];
  Real& until = states_[index].boundHoldsUntil;
  // A new bound is for a new path: the predicted one may exceed it
  stale_[index] = 1;
  until = time_ + ship.horizon;
  if (ship.promiseHolds(time_)) until = std::min(until, ship.promiseEnd);
}

namespace {

void addShip(const Ships& ships, std::size_t index, Fingerprint& hash) noexcept {
  const auto addVector = [&hash](const Vec3& v) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
  };
  const BodyState& body = ships.states()[index];
  addVector(body.pose.position);
  hash.add(body.pose.rotation.w);
  addVector({body.pose.rotation.x, body.pose.rotation.y, body.pose.rotation.z});
  addVector(body.velocity);
  if (ships.angularMomentum(index) != Vec3(0.0)) addVector(ships.angularMomentum(index));
  const ShipControl& control = ships.control(index);
  hash.add(control.thrust);
  addVector({control.pitch, control.yaw, control.roll});
}

}  // namespace

std::uint64_t stateHash(const Ships& ships) noexcept {
  Fingerprint hash;
  hash.add(ships.time());
  for (std::size_t index = 0; index < ships.states().size(); ++index) addShip(ships, index, hash);
  return hash.value();
}

std::uint64_t stateHash(const Ships& ships, std::size_t index) noexcept {
  Fingerprint hash;
  addShip(ships, index, hash);
  return hash.value();
}

}  // namespace nearmiss::engine
