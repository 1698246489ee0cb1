// SPDX-License-Identifier: MIT
#include "contact/contact_reduction.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

#include "contact/contact_body.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

namespace {

/// Minimum cosine between normals that count as one direction.
constexpr Real oneDirection = 0.9;

constexpr Real infinite = std::numeric_limits<Real>::infinity();

}  // namespace

void ContactReduction::reduce(std::vector<ManifoldPoint>& points, std::size_t maxPoints,
                              std::span<const std::uint64_t> before, Real slack, Real tolerance) {
  // Factor by which the patch of other points must be wider
  constexpr Real clearlyWider = 1.3;
  std::ranges::sort(points, {}, &ManifoldPoint::id);
  // clang 14 does not compile std::ranges::unique
  const auto twice =
      std::unique(points.begin(), points.end(),
                  [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.id == q.id; });
  points.erase(twice, points.end());
  const auto byDepth = [](const ManifoldPoint& p, const ManifoldPoint& q) {
    return p.depth != q.depth ? p.depth > q.depth : p.id < q.id;
  };
  if (points.size() <= maxPoints) return std::ranges::sort(points, byDepth), void();
  points_ = points;
  slack_ = slack;
  measure();
  fresh_.clear();
  choose(maxPoints, fresh_);
  kept_.clear();
  for (std::uint32_t i = 0; i < points.size() && kept_.size() < maxPoints; ++i)
    if (std::ranges::binary_search(before, points[i].id)) kept_.push_back(i);
  const Choice* choice = &fresh_;
  if (!kept_.empty()) {
    choose(maxPoints, kept_);
    const bool asDeep = depthOf(kept_) >= depthOf(fresh_) - tolerance;
    if (asDeep && spreadOf(fresh_) <= clearlyWider * spreadOf(kept_)) choice = &kept_;
  }
  chosen_.clear();
  for (const std::uint32_t i : *choice) chosen_.push_back(points[i]);
  points.assign(chosen_.begin(), chosen_.end());
  std::ranges::sort(points, byDepth);
}

/// If the bodies overlap in some direction, points with other normals count less.
void ContactReduction::measure() {
  constexpr Real ofGap = 0.25;
  Box box;
  for (const ManifoldPoint& point : points_) box.include(point.onA);
  const Vec3 extent = box.extent();
  size_ = glm::dot(extent, extent);
  middle_ = box.centre();
  Real most = -infinite;
  for (const ManifoldPoint& point : points_) most = std::max(most, point.depth);
  const Real carrying = std::min(most, 0.0) - slack_;
  // A point next to deep points also supports the body
  directions_.clear();
  const auto isCarrying = [&](const Vec3& normal) {
    return std::ranges::any_of(directions_, [&](const Vec3& direction) {
      return glm::dot(direction, normal) >= oneDirection;
    });
  };
  for (const ManifoldPoint& point : points_)
    if (point.depth >= carrying && !isCarrying(point.normal)) directions_.push_back(point.normal);
  weights_.clear();
  for (const ManifoldPoint& point : points_)
    weights_.push_back(isCarrying(point.normal) ? 1.0 : ofGap);
}

/// Returns the squared distance in position and direction.
Real ContactReduction::away(std::uint32_t p, std::uint32_t q) const noexcept {
  constexpr Real ofDirection = 0.1;
  return squaredDistance(points_[p].onA, points_[q].onA) +
         ofDirection * size_ * (1.0 - glm::dot(points_[p].normal, points_[q].normal));
}

/// Among the points that are deepest within rounding, returns a corner of the patch rather than the
/// middle of a side.
std::uint32_t ContactReduction::deepest() const {
  Real most = -infinite;
  for (const ManifoldPoint& point : points_) most = std::max(most, point.depth);
  std::uint32_t best = 0;
  Real farthest = -infinite;
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    if (points_[i].depth < most - 0.5 * slack_) continue;
    const Real outwards = squaredDistance(points_[i].onA, middle_);
    if (outwards <= 1.01 * farthest) continue;
    best = i;
    farthest = outwards;
  }
  return best;
}

/// Adds points to a choice, each time the one farthest from all chosen before.
void ContactReduction::choose(std::size_t maxPoints, Choice& choice) {
  nearest_.assign(points_.size(), infinite);
  const auto take = [&](std::uint32_t last) {
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      nearest_[i] = std::min(nearest_[i], away(i, last));
    nearest_[last] = -infinite;
  };
  if (choice.empty()) choice.push_back(deepest());
  for (const std::uint32_t i : choice) take(i);
  while (choice.size() < maxPoints) {
    std::uint32_t best = 0;
    Real most = -infinite;
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      if (const Real worth = nearest_[i] * weights_[i]; worth > most) {
        most = worth;
        best = i;
      }
    choice.push_back(best);
    take(best);
  }
}

Real ContactReduction::spreadOf(const Choice& choice) const noexcept {
  Real sum = 0.0;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    Real nearest = infinite;
    for (std::size_t k = 0; k < choice.size(); ++k)
      if (k != i) nearest = std::min(nearest, away(choice[i], choice[k]));
    if (nearest < infinite) sum += weights_[choice[i]] * nearest;
  }
  return sum;
}

Real ContactReduction::depthOf(const Choice& choice) const noexcept {
  Real most = -infinite;
  for (const std::uint32_t i : choice) most = std::max(most, points_[i].depth);
  return most;
}

/// Points that were carried keep the positions where they were found, so that drift accumulates.
void HeldPoints::keep(std::span<const ManifoldPoint> points, const Pose& bToA, Real certain) {
  std::swap(held_, before_);
  held_.clear();
  certain_ = certain;
  deepest_ = 0.0;
  const Pose aToB = inverseOf(bToA);
  for (const ManifoldPoint& point : points) {
    deepest_ = std::max(deepest_, point.depth);
    const auto same = std::ranges::find_if(
        before_, [&](const Held& held) { return held.carried && held.id == point.id; });
    if (same != before_.end()) {
      held_.push_back(*same);
      continue;
    }
    // The normal is that of the face
    const bool withB = contactKindOf(point.id) == ContactKind::VertexOfA;
    held_.push_back({point.id, point.onA, transformed(aToB, point.onB),
                     withB ? aToB.rotation * point.normal : point.normal, withB, false});
  }
}

bool HeldPoints::contains(std::span<const ManifoldPoint> points, std::uint64_t id) {
  return std::ranges::any_of(points, [&](const ManifoldPoint& point) { return point.id == id; });
}

/// A vertex stays fixed to its body, and the point of the face follows it. For two edges, and for
/// points between the surfaces, both follow.
ManifoldPoint HeldPoints::moved(const Held& held, const Pose& bToA) {
  const Vec3 normal = held.withB ? bToA.rotation * held.normal : held.normal;
  const Vec3 onB = transformed(bToA, held.inB);
  const Real depth = glm::dot(onB - held.inA, normal);
  switch (contactKindOf(held.id)) {
    case ContactKind::VertexOfA:
      return {held.inA, held.inA + depth * normal, normal, depth, held.id};
    case ContactKind::VertexOfB:
      return {onB - depth * normal, onB, normal, depth, held.id};
    case ContactKind::Edges:
    case ContactKind::Depth:
      break;
  }
  const Vec3 middle = 0.5 * (held.inA + onB), half = 0.5 * depth * normal;
  return {middle - half, middle + half, normal, depth, held.id};
}

Real HeldPoints::driftOf(const Held& held, const Pose& bToA, const Vec3& normal) {
  const Vec3 between = transformed(bToA, held.inB) - held.inA;
  return glm::length(between - glm::dot(between, normal) * normal);
}

}  // namespace nearmiss
