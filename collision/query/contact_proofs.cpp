// SPDX-License-Identifier: MIT
#include "query/contact_proofs.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "narrow/work_meter.h"

namespace nearmiss {

void ContactProofs::begin(const Shape& a, const Shape& b, const Pose& bToA) {
  a_ = &a.polyhedron();
  b_ = &b.polyhedron();
  bToA_ = bToA;
  depth_.emplace(*a_, innerBallsOf(a), *b_, innerBallsOf(b), bToA);
  remembered_.clear();
  climbs_ = gains_ = 0;
  work_ = 0;
}

std::uint64_t ContactProofs::takeWork() noexcept {
  return std::exchange(work_, 0) + depth_->takeWork();
}

/// Points in which the surfaces cross, far from each other.
void ContactProofs::findCrossings(const Vec3& translation) {
  constexpr std::size_t most = 200, wanted = 6;
  Pose pose = bToA_;
  pose.position += translation;
  crossings_.clear();
  TrianglePairs(*a_, *b_, pose).forEach([&](std::uint32_t ta, const Triangle& triangleB) {
    const Triangle triangleA = a_->mesh().corners(ta);
    work_ += WorkMeter::triangleTest;
    if (crossings_.size() < most && trianglesMeet(triangleA, triangleB))
      crossings_.push_back(closestPoints(triangleA, triangleB).a);
  });
  // Each that is kept is the farthest from those before
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

/// What was of use last comes first.
void ContactProofs::remember(const ContactBall& ball) {
  constexpr std::size_t most = 8;
  remembered_.insert(remembered_.begin(), ball);
  if (remembered_.size() > most) remembered_.pop_back();
}

ContactBall ContactProofs::quick(const Vec3& translation, const ContactBall& near, Real enough) {
  ContactBall best = depth_->quick(translation, near, enough);
  for (auto other = remembered_.begin(); other != remembered_.end() && best.radius < enough;
       ++other) {
    const Vec3 moved = translation - other->translation;
    const ContactBall found = depth_->with(translation, other->point + 0.5 * moved);
    if (found.radius > best.radius) best = found;
    if (best.radius >= enough) {
      std::rotate(remembered_.begin(), other, other + 1);
      break;
    }
  }
  return best;
}

ContactBall ContactProofs::thorough(ContactBall best, Real enough) {
  const Vec3 translation = best.translation;
  best = depth_->climbed(best, enough);
  // Where crossings rarely lead to deeper points, they are sought rarely
  const bool deep = best.radius >= 0.5 * enough;
  if (deep || (++climbs_ % 16 != 0 && climbs_ >= 32 + 24 * gains_)) return best;
  const Real before = std::max(best.radius, 0.0);
  findCrossings(translation);
  for (const Vec3& crossing : crossings_) {
    if (best.radius >= enough) break;
    const ContactBall found = depth_->climbed(depth_->with(translation, crossing), enough);
    if (found.radius > best.radius) best = found;
  }
  if (best.radius > 1.3 * before) {
    ++gains_;
    remember(best);
  }
  return best;
}

}  // namespace nearmiss
