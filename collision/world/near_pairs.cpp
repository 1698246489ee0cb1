// SPDX-License-Identifier: MIT
#include "world/near_pairs.h"

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <utility>

#include "base/work_meter.h"

namespace nearmiss {
namespace {

/// Allowances: a rotation may stretch vectors by 1e-9; and rounding of positions.
constexpr Real stretch = 1.0 + 4e-9, slack = 1e-12;

/// Share of its radius by which a body may move before the list is rebuilt.
constexpr Real skin = 0.1;

/// A body in the form that the following test needs.
struct PlacedBox {
  const Polyhedron& polyhedron;
  const Pose& pose;
};

/// Returns false if the bodies are certainly farther apart than `margin`, by the sphere of one and
/// the box of the other, or by the sides of both boxes.
bool mayBeNear(const PlacedBox& a, const PlacedBox& b, Real margin) noexcept {
  const Quat toA = glm::conjugate(a.pose.rotation);
  const Vec3 between = toA * (b.pose.position - a.pose.position);
  const Vec3 far = glm::abs(a.pose.position) + glm::abs(b.pose.position);
  const Real radiusA = a.polyhedron.radius(), radiusB = b.polyhedron.radius();
  const Real allowed = stretch * margin + slack * (far.x + far.y + far.z) +
                       4e-9 * (radiusA + radiusB + glm::length(between));
  const Box &boxA = a.polyhedron.bounds(), &boxB = b.polyhedron.bounds();
  const Real reachOfB = radiusB + allowed, reachOfA = radiusA + allowed;
  if (squaredDistance(boxA, between) > reachOfB * reachOfB) return false;
  const glm::dmat3 turn = glm::mat3_cast(toA * b.pose.rotation);
  const glm::dmat3 back = glm::transpose(turn);
  if (squaredDistance(boxB, -(back * between)) > reachOfA * reachOfA) return false;

  const glm::dmat3 size(glm::abs(turn[0]), glm::abs(turn[1]), glm::abs(turn[2]));
  const Vec3 halfA = 0.5 * boxA.extent(), halfB = 0.5 * boxB.extent();
  const Vec3 gap = between + turn * boxB.centre() - boxA.centre();
  const Vec3 alongA = glm::abs(gap) - halfA - size * halfB;
  const Vec3 alongB = glm::abs(back * gap) - halfB - glm::transpose(size) * halfA;
  return std::max({alongA.x, alongA.y, alongA.z, alongB.x, alongB.y, alongB.z}) <= allowed;
}

bool spheresNear(const BodyState& a, const BodyState& b, Real margin) noexcept {
  const Vec3 between = a.pose.position - b.pose.position;
  const Vec3 far = glm::abs(a.pose.position) + glm::abs(b.pose.position);
  const Real reach =
      stretch * (a.shape.radius() + b.shape.radius() + margin) + slack * (far.x + far.y + far.z);
  return glm::dot(between, between) <= reach * reach;
}

}  // namespace

/// Records which bodies have moved since the last call. Returns false if one has moved farther than
/// the list allows.
bool NearPairs::stillListed(std::span<const BodyState> states) {
  bool still = true;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const BodyState& body = states[i];
    Seen& seen = seen_[i];
    seen.moved = std::exchange(seen.epoch, body.motionEpoch) != body.motionEpoch;
    if (!seen.moved) continue;
    const Vec3 way = body.pose.position - seen.listedAt;
    const Real room = skin * body.shape.radius();
    still = still && glm::dot(way, way) <= room * room;
  }
  return still;
}

void NearPairs::list(std::span<const BodyState> states, Real margin) {
  pairs_.clear();
  seen_.clear();
  meetings_.take(states, margin, skin);
  tests_ += states.size() + meetings_.forEachPair([&](std::uint32_t a, std::uint32_t b) {
    pairs_.push_back({{a, b}});
  });
  std::sort(pairs_.begin(), pairs_.end());
  for (const BodyState& body : states) seen_.push_back({body.pose.position, body.motionEpoch});
  margin_ = margin;
}

std::span<const BodyPair> NearPairs::find(std::span<const BodyState> states, const Shapes& shapes,
                                          Real margin, const TimeBudget& budget) {
  WorkMeter meter;
  tests_ = 0;
  // If memory runs out halfway, the next call rebuilds the list
  const bool listed = std::exchange(listed_, false);
  if (!listed || margin != margin_ || !stillListed(states)) list(states, margin);
  near_.clear();
  for (ListedPair& pair : pairs_) {
    const auto [a, b] = pair.bodies;
    if (seen_[a].moved || seen_[b].moved) {
      const BodyState &one = states[a], &other = states[b];
      pair.near = spheresNear(one, other, margin) &&
                  mayBeNear({shapes[one.shape.index()].polyhedron(), one.pose},
                            {shapes[other.shape.index()].polyhedron(), other.pose}, margin);
    }
    if (pair.near) near_.push_back(pair.bodies);
  }
  listed_ = true;
  meter.open().boundTests = tests_ + pairs_.size();
  meter.settle(budget);
  return near_;
}

}  // namespace nearmiss
