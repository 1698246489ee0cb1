// SPDX-License-Identifier: MIT
#include <engine/game/mission.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

// Uses only + - * / and square roots, like the motion of the ships.

namespace nearmiss::engine {
namespace {

/// Tolerance for rounding over many steps, simulation seconds.
constexpr Real forgiven = 1e-6;

/// Moves a point out of the spheres of all bodies but one, enlarged by `room`.
Vec3 clearOf(std::span<const BodyState> bodies, std::size_t user, Vec3 point, Real room) noexcept {
  constexpr int rounds = 12;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 apart = point - bodies[i].pose.position;
      const Real distance = glm::length(apart), enough = bodies[i].shape.radius() + room;
      if (i == user || distance >= enough) continue;
      const Vec3 way = distance > 1e-9 ? apart / distance : Vec3(0.0, 1.0, 0.0);
      point = bodies[i].pose.position + enough * way;
    }
  return point;
}

}  // namespace

bool leadsThrough(const Gate& gate, const Vec3& from, const Vec3& to) noexcept {
  const Real before = glm::dot(from - gate.centre, gate.axis);
  const Real after = glm::dot(to - gate.centre, gate.axis);
  if ((before < 0.0) == (after < 0.0)) return false;
  const Vec3 at = from + (before / (before - after)) * (to - from) - gate.centre;
  return glm::dot(at, at) <= gate.radius * gate.radius;
}

std::vector<Gate> layGates(std::span<const BodyState> bodies, std::size_t user, std::size_t count) {
  constexpr Real clearance = 0.6;  // metres between a ring and the sphere of a body
  const Vec3 start = bodies[user].pose.position;
  const Real reach = glm::length(start);
  // The next gate is 37 degrees further around the vertical axis; its height and its distance from
  // the axis alternate
  Vec3 outward = reach > 0.0 ? start / reach : Vec3(0.0, 0.0, 1.0);
  std::vector<Gate> gates(count);
  for (std::size_t i = 0; i < count; ++i) {
    outward = {0.8 * outward.x + 0.6 * outward.z, outward.y, 0.8 * outward.z - 0.6 * outward.x};
    const Vec3 base = reach * (i % 2 == 0 ? 0.6 : 0.85) * outward;
    const Vec3 lifted = base + Vec3(0.0, reach * (i % 3 == 0 ? 0.2 : i % 3 == 1 ? 0.0 : -0.2), 0.0);
    gates[i].centre = clearOf(bodies, user, lifted, gates[i].radius + clearance);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 before = i > 0 ? gates[i - 1].centre : start;
    const Vec3 along = gates[std::min(i + 1, count - 1)].centre - before;
    if (const Real length = glm::length(along); length > 0.0) gates[i].axis = along / length;
  }
  return gates;
}

const MissionRules* missionOf(std::string_view scene) noexcept {
  const auto* found = std::ranges::find(missions, scene, &MissionRules::name);
  return found == missions.end() ? nullptr : found;
}

bool Bay::holds(const Vec3& point) noexcept {
  return point.z >= back && point.z <= mouth &&
         point.x * point.x + point.y * point.y <= radius * radius;
}

void Mission::begin(const MissionRules& rules, std::span<const BodyState> bodies,
                    std::size_t user) {
  *this = Mission();
  rules_ = &rules;
  from_ = bodies[user].pose.position;
  if (rules.kind == MissionKind::Slalom) gates_ = layGates(bodies, user, gateCount);
  if (!hasBay(bodies)) return;
  const Pose& station = bodies[Bay::station].pose;
  apart_ = from_ - station.position;
  mouth_ = transformed(station, Vec3(0.0, 0.0, Bay::mouth));
  if (rules.kind != MissionKind::Salvage) return;
  pieces_ = std::min(bodies.size() - Wreck::first, Wreck::count);
  delivered_.reserve(pieces_);
  collect(bodies);
}

bool Mission::hasBay(std::span<const BodyState> bodies) const noexcept {
  const bool has = rules_->kind == MissionKind::Docking || rules_->kind == MissionKind::Salvage;
  return has && bodies.size() > Bay::station;
}

bool Mission::isDelivered(std::uint32_t key) const noexcept {
  return std::ranges::find(delivered_, key) != delivered_.end();
}

const Vec3* Mission::goal() const noexcept {
  if (!rules_ || state_ != MissionState::Flying) return nullptr;
  if (passed_ < gates_.size()) return &gates_[passed_].centre;
  if (rules_->kind == MissionKind::Docking) return &mouth_;
  if (!nearest_) return nullptr;
  return tows() ? &mouth_ : &*nearest_;
}

MissionState Mission::take(const FrameOutput& output, std::size_t user,
                           std::span<const NearMiss> passes, std::span<const Hit> hits) {
  if (!rules_ || state_ != MissionState::Flying) return state_;
  // After flying back, the way from the undone position is none
  if (output.profile.simTime < flown_) from_ = output.bodies[user].pose.position;
  flown_ = output.profile.simTime;
  const bool salvages = rules_->kind == MissionKind::Salvage;
  const auto isPiece = [&](std::uint32_t ship) {
    return salvages && ship >= Wreck::first && ship < Wreck::first + pieces_;
  };
  for (const NearMiss& pass : passes)
    if (!isPiece(pass.ship)) (void)score_.take(pass, output.bodies[user].shape.radius());
  const bool gentle = touchesGently(output, user, hits);
  const bool docked =
      gentle && !salvages &&
      Bay::holds(glm::conjugate(output.bodies[Bay::station].pose.rotation) * apart_);
  for (const Hit& hit : hits) {
    const bool harmless =
        hit.ship == Bay::station ? docked || (gentle && salvages) : isPiece(hit.ship);
    if (harmless) continue;
    (void)score_.take(hit);
    ++hits_;
  }
  if (salvages) collect(output.bodies);
  state_ = docked ? MissionState::Won : judge(output.bodies[user].pose.position);
  if (state_ != MissionState::Won) return state_;
  if (docked) earned_ += dockingPoints;
  if (rules_->kind != MissionKind::Escape)
    earned_ += secondPoints * static_cast<std::int64_t>(left());
  return state_;
}

/// Returns true if the ship touches the station below the docking speed.
bool Mission::touchesGently(const FrameOutput& output, std::size_t user,
                            std::span<const Hit> hits) {
  if (!hasBay(output.bodies)) return false;
  const Pose& station = output.bodies[Bay::station].pose;
  mouth_ = transformed(station, Vec3(0.0, 0.0, Bay::mouth));
  const Vec3 apart = output.bodies[user].pose.position - station.position;
  const Real dt = flown_ - at_;
  // Of the frame before, because the response changes the velocity
  const Real speed = speed_;
  if (dt > 0.0) speed_ = glm::length(apart - apart_) / dt;
  apart_ = apart;
  at_ = flown_;
  if (std::ranges::find(hits, std::uint32_t{Bay::station}, &Hit::ship) == hits.end()) return false;
  touchSpeed_ = speed;
  return speed < Bay::dockingSpeed;
}

/// Counts the pieces in the bay and finds the nearest of the others.
void Mission::collect(std::span<const BodyState> bodies) {
  const Pose& station = bodies[Bay::station].pose;
  nearest_.reset();
  const std::size_t end = std::min(bodies.size(), Wreck::first + pieces_);
  for (std::size_t i = Wreck::first; i < end; ++i) {
    const Vec3& place = bodies[i].pose.position;
    if (isDelivered(bodies[i].key)) continue;
    if (Bay::holds(glm::conjugate(station.rotation) * (place - station.position))) {
      delivered_.push_back(bodies[i].key);
      earned_ += dockingPoints;
    } else if (!nearest_ || glm::distance(place, from_) < glm::distance(*nearest_, from_)) {
      nearest_ = place;
    }
  }
}

MissionState Mission::judge(const Vec3& place) {
  if (hits_ >= rules_->hull) return MissionState::Broken;
  const Vec3 from = std::exchange(from_, place);
  if (passed_ < gates_.size() && leadsThrough(gates_[passed_], from, place)) {
    ++passed_;
    earned_ += gatePoints;
  }
  if (!gates_.empty() && passed_ == gates_.size()) return MissionState::Won;
  if (pieces_ > 0 && delivered_.size() == pieces_) return MissionState::Won;
  const bool over = left() <= forgiven;
  if (rules_->kind != MissionKind::Escape)
    return over ? MissionState::OutOfTime : MissionState::Flying;
  for (; static_cast<Real>(seconds_ + 1) <= flown_ + forgiven; ++seconds_) earned_ += secondPoints;
  return over ? MissionState::Won : MissionState::Flying;
}

}  // namespace nearmiss::engine
