// SPDX-License-Identifier: MIT
#include "query/separation_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// The bounds have met where the lower is this share of the upper.
constexpr Real goal = 0.96;
constexpr std::uint32_t maxCells = 120000;
/// Cubes of a smaller half side, as a share of the upper bound, are not split.
constexpr Real smallestHalf = 2e-5;
/// Where nothing can prove contact, cubes only find translations that part.
constexpr Real smallestHalfUnproven = 0.06;
/// A step of a march as a share of the upper bound.
constexpr Real marchShare = 0.02;

}  // namespace

void SeparationSearch::begin(const Shape& a, const Shape& b, const Pose& bToA, const Vec3& known) {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  depth_.emplace(a.polyhedron(), innerBallsOf(a), b.polyhedron(), innerBallsOf(b), bToA);
  solid_ = a.solid() || b.solid();
  shortest_ = known;
  upper_ = glm::length(known);
  lower_ = proven_ = 0.0;
  smallest_ = upper_;
  atRest_ = {};
  cells_.clear();
  cellCount_ = shallow_ = climbs_ = gains_ = 0;
  remembered_.clear();
  cells_.add({Vec3(0.0), upper_, 0.0, {}, cellCount_++});
  finished_ = !(upper_ > 0.0);
  pushed_ = false;
  meter_.reset();
  seed();
}

void SeparationSearch::atLeast(Real lower) noexcept {
  proven_ = std::max(proven_, lower);
  raise();
}

/// Directions that often are the shortest: where the surfaces cross, and the axes of both.
void SeparationSearch::seed() {
  directions_.clear();
  const auto turned = glm::mat3_cast(bToA_.rotation);
  for (int axis = 2; axis >= 0; --axis) {
    Vec3 own(0.0);
    own[axis] = 1.0;
    for (const Vec3& way : {turned[axis], own}) {
      directions_.push_back(way);
      directions_.push_back(-way);
    }
  }
  if (upper_ > 0.0) directions_.push_back(shortest_ / upper_);
  if (const auto normal = contactNormal(a_->polyhedron(), b_->polyhedron(), bToA_)) {
    directions_.push_back(*normal);
    directions_.push_back(-*normal);
  }
}

const DistanceBounds& SeparationSearch::measure(const Vec3& translation) {
  Pose pose = bToA_;
  pose.position += translation;
  distance_.begin(a_->polyhedron(), distanceTreeOf(*a_), b_->polyhedron(), distanceTreeOf(*b_),
                  pose);
  distance_.refine(std::nullopt, budget_->withoutDeadline());
  return distance_.known();
}

/// Whatever is nearer to `translation` than `gap` parts them too.
void SeparationSearch::noteApart(const Vec3& translation, Real gap) {
  constexpr Real used = 0.99;
  const Real length = glm::length(translation);
  const Real least = std::max(length - used * gap, 0.0);
  if (!(least < upper_)) return;
  upper_ = least;
  shortest_ = length > 0.0 ? translation * (least / length) : Vec3(0.0);
}

/// From `from`, where they are apart, towards `to`, never through a contact.
Vec3 SeparationSearch::approach(const Vec3& from, const Vec3& to) {
  constexpr int maxSteps = 10;
  Vec3 at = from;
  for (int step = 0; step < maxSteps; ++step) {
    const Real gap = measure(at).lower, left = glm::distance(at, to);
    if (!(gap > 0.0)) break;
    noteApart(at, gap);
    if (left <= gap) return to;
    if (gap < 2e-3 * left) break;
    at += (0.98 * gap / left) * (to - at);
  }
  return at;
}

/// Each gap is a plane that the translation has to stay beyond; the shortest beyond all of them is
/// approached, which finds the next.
void SeparationSearch::descend(Vec3 translation) {
  constexpr int maxPlanes = 12;
  planes_.clear();
  for (int i = 0; i < maxPlanes; ++i) {
    const DistanceBounds& found = measure(translation);
    const Real gap = found.lower;
    if (!(gap > 0.0)) return;
    noteApart(translation, gap);
    const Vec3 normal = glm::normalize(found.pointB - found.pointA);
    planes_.push_back({normal, glm::dot(normal, translation) - gap});
    auto target = nearestBeyond(planes_);
    while (!target && planes_.size() > 1) {
      planes_.erase(planes_.begin());
      target = nearestBeyond(planes_);
    }
    if (!target || glm::length(translation) - glm::length(*target) < 1e-4 * upper_) return;
    const Vec3 next = approach(translation, *target);
    if (glm::distance(next, translation) < 1e-6 * upper_) return;
    translation = next;
  }
}

/// Points in which the surfaces cross, far from each other.
void SeparationSearch::findCrossings(const Vec3& translation) {
  constexpr std::size_t most = 200, wanted = 6;
  Pose pose = bToA_;
  pose.position += translation;
  crossings_.clear();
  TrianglePairs(a_->polyhedron(), b_->polyhedron(), pose)
      .forEach([&](std::uint32_t ta, const Triangle& triangleB) {
        const Triangle triangleA = a_->polyhedron().mesh().corners(ta);
        ++meter_.open().triangleTests;
        if (crossings_.size() < most && trianglesMeet(triangleA, triangleB))
          crossings_.push_back(closestPoints(triangleA, triangleB).a);
      });
  // Each that is kept is the farthest from those before
  for (std::size_t kept = 1; kept < std::min(wanted, crossings_.size()); ++kept) {
    const auto nearestKept = [&](const Vec3& point) {
      Real nearest = std::numeric_limits<Real>::infinity();
      for (std::size_t i = 0; i < kept; ++i)
        nearest = std::min(nearest, squaredDistance(point, crossings_[i]));
      return nearest;
    };
    const auto rest = std::span(crossings_).subspan(kept);
    std::iter_swap(rest.begin(), std::ranges::max_element(rest, {}, nearestKept));
  }
  crossings_.resize(std::min(wanted, crossings_.size()));
}

/// Keeps a deep point for other cubes, first what was of use last.
void SeparationSearch::remember(const ContactBall& ball) {
  constexpr std::size_t most = 8;
  if (!(ball.radius > 0.0)) return;
  remembered_.insert(remembered_.begin(), ball);
  if (remembered_.size() > most) remembered_.pop_back();
}

/// A point deep in both, or a gap between the two.
ContactBall SeparationSearch::contactAt(const Vec3& translation, const ContactBall& near,
                                        Real enough, bool& apart) {
  ContactBall best = depth_->quick(translation, near, enough);
  for (std::size_t i = 0; i < remembered_.size() && best.radius < enough; ++i) {
    const ContactBall& other = remembered_[i];
    const ContactBall found =
        depth_->with(translation, other.point + 0.5 * (translation - other.translation));
    if (found.radius > best.radius) best = found;
    if (best.radius >= enough)
      std::rotate(remembered_.begin(), remembered_.begin() + static_cast<std::ptrdiff_t>(i),
                  remembered_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  if (best.radius >= enough) return best;
  if (best.radius <= 0.0) {
    const Real gap = measure(translation).lower;
    apart = gap > 0.0;
    if (apart) noteApart(translation, gap);
  }
  if (apart || !solid_) return best;
  best = depth_->climbed(best, enough);
  // Where crossings rarely lead to deeper points, they are sought rarely
  if (best.radius < 0.5 * enough && (++climbs_ % 16 == 0 || climbs_ < 32 + 24 * gains_)) {
    const Real before = std::max(best.radius, 0.0);
    findCrossings(translation);
    for (std::size_t i = 0; i < crossings_.size() && best.radius < enough; ++i) {
      const ContactBall found = depth_->climbed(depth_->with(translation, crossings_[i]), enough);
      if (found.radius > best.radius) best = found;
    }
    if (best.radius > 1.3 * before) {
      ++gains_;
      remember(best);
    }
  }
  return best;
}

/// Out of contact from `translation`: each deep point is a plane beyond which it is none, and the
/// shortest translation beyond all planes is tried next.
void SeparationSearch::pushOut(Vec3 translation) {
  constexpr int maxPlanes = 16;
  planes_.clear();
  ContactBall deepest;
  for (int i = 0; i < maxPlanes && glm::length(translation) < upper_; ++i) {
    bool apart = false;
    deepest = contactAt(translation, deepest, upper_, apart);
    if (apart) return descend(translation);
    if (!(deepest.radius > 0.0)) return;
    const Vec3 way = depth_->wayOut(deepest);
    planes_.push_back({way, glm::dot(way, translation) + 1.02 * deepest.radius});
    auto next = nearestBeyond(planes_);
    while (!next && planes_.size() > 1) {
      planes_.erase(planes_.begin());
      next = nearestBeyond(planes_);
    }
    if (!next) return;
    translation = *next;
  }
}

/// Along a direction up to the first gap.
void SeparationSearch::march(const Vec3& direction) {
  ContactBall near = atRest_;
  bool apart = false;
  for (Real at = 0.0; at < upper_;) {
    const Real least = marchShare * upper_;
    near = contactAt(at * direction, near, 8.0 * least, apart);
    if (apart) return descend(at * direction);
    if (at == 0.0) {
      atRest_ = near;
      proven_ = std::max(proven_, near.radius);
    }
    at += std::max(near.radius, least);
  }
}

void SeparationSearch::raise() {
  Real left = cells_.empty() ? upper_ : cells_.first().nearest;
  left = std::max(std::min(left, smallest_), proven_);
  lower_ = std::min(std::max(lower_, left), upper_);
}

void SeparationSearch::split(const Cell& cell, const ContactBall& found) {
  const Real half = 0.5 * cell.half;
  for (int i = 0; i < 8; ++i) {
    Cell part{cell.centre + half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), half, 0.0,
              found, cellCount_};
    part.nearest = glm::length(glm::max(glm::abs(part.centre) - Vec3(half), Vec3(0.0)));
    const Real farthest = glm::length(glm::abs(part.centre) + Vec3(half));
    if (part.nearest >= upper_ || farthest <= proven_ || found.covers(part.centre, half)) continue;
    ++cellCount_;
    cells_.add(part);
  }
}

void SeparationSearch::visit() {
  const Cell cell = cells_.takeFirst();
  const Real enough = std::sqrt(3.0) * cell.half;
  bool apart = false;
  const ContactBall found = contactAt(cell.centre, cell.near, enough, apart);
  if (apart && glm::length(cell.centre) < 1.5 * upper_) descend(cell.centre);
  if (found.radius > 0.0) proven_ = std::max(proven_, found.radius - glm::length(cell.centre));
  if (found.radius >= enough) return;
  if (!apart && found.radius < 0.3 * enough && ++shallow_ % 8 == 1) pushOut(cell.centre);
  if (cell.half < (solid_ ? smallestHalf : smallestHalfUnproven) * upper_)
    smallest_ = std::min(smallest_, cell.nearest);
  else
    split(cell, found);
}

void SeparationSearch::refine(const TimeBudget& budget) {
  budget_ = &budget;
  while (!finished_) {
    if (!pushed_) {
      pushed_ = true;
      if (solid_) pushOut(Vec3(0.0));
    } else if (!directions_.empty()) {
      const Vec3 direction = directions_.back();
      directions_.pop_back();
      march(direction);
    } else if (!cells_.empty()) {
      visit();
    }
    raise();
    if (directions_.empty())
      finished_ = cells_.empty() || lower_ >= goal * upper_ || cellCount_ > maxCells ||
                  cells_.first().nearest >= upper_;
    meter_.open().boundTests += depth_->takeWork();
    if (meter_.outOfTime(budget)) break;
  }
  meter_.settle(budget);
  budget_ = nullptr;
}

}  // namespace nearmiss
