// SPDX-License-Identifier: MIT
#include "pair/contact_proofs.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/work_meter.h"
#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

void ContactProofs::begin(const Shape& a, const InnerBalls& ballsA, const Shape& b,
                          const InnerBalls& ballsB, const Pose& bToA) {
  a_ = &a.polyhedron();
  b_ = &b.polyhedron();
  bToA_ = bToA;
  depth_.emplace(*a_, ballsA, *b_, ballsB, bToA);
  remembered_.clear();
  climbs_ = gains_ = 0;
  work_ = 0;
}

std::uint64_t ContactProofs::takeWork() noexcept {
  return std::exchange(work_, 0) + depth_->takeWork();
}

/// Collects the triangles in which the surfaces may intersect.
void ContactProofs::beginCrossings() {
  Pose pose = bToA_;
  pose.position += best_.translation;
  pairs_.clear();
  crossings_.clear();
  nextPair_ = nextCrossing_ = 0;
  // If there are more, a small sample is not useful
  constexpr std::size_t most = std::size_t{1} << 14;
  TrianglePairs(*a_, *b_, pose)
      .forEach(
          [&](std::uint32_t ta, const Triangle& triangleB) {
            pairs_.push_back({ta, triangleB});
          },
          most);
  work_ += pairs_.size();
}

/// Finds points in which the surfaces intersect, far from each other; tests several pairs of
/// triangles per call.
void ContactProofs::findCrossings() {
  constexpr std::size_t most = 200, batch = 32;
  for (std::size_t i = 0; i < batch && nextPair_ < pairs_.size(); ++i) {
    const TrianglePair& pair = pairs_[nextPair_++];
    const Triangle triangleA = a_->mesh().corners(pair.a);
    work_ += WorkMeter::triangleTest;
    if (crossings_.size() < most && trianglesMeet(triangleA, pair.b))
      crossings_.push_back(closestPoints(triangleA, pair.b).a);
  }
  if (nextPair_ == pairs_.size()) thinOut();
}

/// Keeps intersections that are farthest from those chosen before.
void ContactProofs::thinOut() {
  constexpr std::size_t wanted = 6;
  for (std::size_t kept = 1; kept < std::min(wanted, crossings_.size()); ++kept) {
    const auto nearestKept = [&](const Vec3& point) {
      Real nearest = std::numeric_limits<Real>::infinity();
      for (const Vec3& other : std::span(crossings_).first(kept))
        nearest = std::min(nearest, squaredDistance(point, other));
      return nearest;
    };
    const auto rest = std::span(crossings_).subspan(kept);
    std::iter_swap(rest.begin(), std::ranges::max_element(rest, {}, nearestKept));
  }
  crossings_.resize(std::min(wanted, crossings_.size()));
}

/// The most recently useful one comes first.
void ContactProofs::remember(const ContactBall& ball) {
  constexpr std::size_t most = 8;
  remembered_.insert(remembered_.begin(), ball);
  if (remembered_.size() > most) remembered_.pop_back();
}

bool ContactProofs::stepQuick() {
  if (depth_->stepQuick()) return true;
  best_ = depth_->best();
  for (auto other = remembered_.begin(); other != remembered_.end() && best_.radius < enough_;
       ++other) {
    const Vec3 moved = best_.translation - other->translation;
    const ContactBall found = depth_->with(best_.translation, other->point + 0.5 * moved);
    if (found.radius > best_.radius) best_ = found;
    if (best_.radius >= enough_) {
      std::rotate(remembered_.begin(), other, other + 1);
      break;
    }
  }
  return false;
}

void ContactProofs::beginThorough(const ContactBall& best, Real enough) {
  best_ = best;
  climb_ = SharedDepth::climbFrom(best, enough);
  fromCrossings_ = false;
}

bool ContactProofs::stepThorough() {
  if (fromCrossings_ && nextPair_ < pairs_.size()) {
    findCrossings();
    return climbNext();
  }
  return depth_->climb(climb_) || endClimb();
}

/// Evaluates a finished climb, and starts the next one if it may help.
bool ContactProofs::endClimb() {
  if (fromCrossings_) {
    if (climb_.best.radius > best_.radius) best_ = climb_.best;
    return climbNext();
  }
  best_ = climb_.best;
  // If intersections rarely lead to deeper points, they are rarely searched
  const bool deep = best_.radius >= 0.5 * climb_.enough;
  if (deep || (++climbs_ % 16 != 0 && climbs_ >= 32 + 24 * gains_)) return false;
  before_ = std::max(best_.radius, 0.0);
  fromCrossings_ = true;
  beginCrossings();
  return climbNext();
}

/// Climbs from the next intersection, once all of them are known.
bool ContactProofs::climbNext() {
  if (nextPair_ < pairs_.size()) return true;
  if (nextCrossing_ < crossings_.size() && best_.radius < climb_.enough) {
    const Vec3& crossing = crossings_[nextCrossing_++];
    climb_ = SharedDepth::climbFrom(depth_->with(best_.translation, crossing), climb_.enough);
    return true;
  }
  if (best_.radius > 1.3 * before_) {
    ++gains_;
    remember(best_);
  }
  return false;
}

}  // namespace nearmiss
