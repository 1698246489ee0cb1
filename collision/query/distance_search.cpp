// SPDX-License-Identifier: MIT
#include "query/distance_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/closest_points.h"
#include "mesh/moved_box.h"

namespace nearmiss {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();

struct PointPair {
  Vec3 a{0.0}, b{0.0};
  Real squared = infinite;

  void offer(const Vec3& p, const Vec3& q) noexcept {
    if (const Real square = squaredDistance(p, q); square < squared) *this = {p, q, square};
  }
};

Vec3 closestOnSegment(const Vec3& point, const Vec3& from, const Vec3& to) noexcept {
  const Vec3 along = to - from;
  const Real square = glm::dot(along, along);
  const Real t = square > 0.0 ? glm::dot(point - from, along) / square : 0.0;
  return from + std::clamp(t, 0.0, 1.0) * along;
}

/// Where the segment from `p` to `q` crosses the plane of a triangle, onto which it is drawn.
void offerCrossing(const Vec3& p, const Vec3& q, const Triangle& t, bool ofA, PointPair& best) {
  const Vec3 normal = glm::cross(t[1] - t[0], t[2] - t[0]);
  const Real first = glm::dot(p - t[0], normal), second = glm::dot(q - t[0], normal);
  if ((first > 0.0) == (second > 0.0)) return;
  const Vec3 crossing = p + first / (first - second) * (q - p);
  const Vec3 other = closestOnTriangle(crossing, t);
  ofA ? best.offer(crossing, other) : best.offer(other, crossing);
}

/// Points of two triangles that are as near to each other as any: of corners, of edges, and where
/// an edge crosses the other triangle.
PointPair closestPoints(const Triangle& a, const Triangle& b) {
  PointPair best;
  for (std::size_t i = 0; i < 3; ++i) {
    best.offer(a[i], closestOnTriangle(a[i], b));
    best.offer(closestOnTriangle(b[i], a), b[i]);
    offerCrossing(a[i], a[(i + 1) % 3], b, true, best);
    offerCrossing(b[i], b[(i + 1) % 3], a, false, best);
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3 &p = a[i], &q = a[(i + 1) % 3], &r = b[j], &s = b[(j + 1) % 3];
      // The common perpendicular, as far as there is one, and its feet within both edges
      const Vec3 across = glm::cross(q - p, s - r);
      const Real square = glm::dot(across, across);
      if (!(square > 0.0)) continue;
      const Real along = glm::dot(glm::cross(r - p, s - r), across) / square;
      const Vec3 onB = closestOnSegment(p + std::clamp(along, 0.0, 1.0) * (q - p), r, s);
      best.offer(closestOnSegment(onB, p, q), onB);
    }
  }
  return best;
}

Triangle moved(const Polyhedron& body, std::uint32_t t, const Pose& move) noexcept {
  Triangle triangle = body.mesh().corners(t);
  for (Vec3& corner : triangle) corner = transformed(move, corner);
  return triangle;
}

}  // namespace

void DistanceSearch::begin(const Polyhedron& a, const DistanceTree& treeA, const Polyhedron& b,
                           const DistanceTree& treeB, const Pose& bToA) {
  a_ = &a;
  b_ = &b;
  treeA_ = &treeA;
  treeB_ = &treeB;
  bToA_ = bToA;
  motion_ = VolumeMotion(bToA, slackOf(a, b, bToA));
  heap_.clear();
  known_ = {};
  squared_ = infinite;
  fresh_ = true;
  meter_.reset();
}

DistanceSearch::Pair DistanceSearch::pairOf(std::uint32_t a, std::uint32_t b) {
  meter_.open().boundTests += WorkMeter::boxTest;
  return {gapBetween(treeA_->volumes[a], treeB_->volumes[b], motion_, known_.upper), a, b};
}

void DistanceSearch::push(const Pair& pair) {
  if (pair.lower * pair.lower >= squared_) return;
  heap_.push_back(pair);
  std::push_heap(heap_.begin(), heap_.end());
}

/// Either of the two is a leaf at most.
std::array<DistanceSearch::Pair, 2> DistanceSearch::split(const Pair& pair) {
  const bool leafA = treeA_->leaf(pair.a), leafB = treeB_->leaf(pair.b);
  const bool ofA = leafB || (!leafA && treeA_->volumes[pair.a].enclosing().radius >=
                                           treeB_->volumes[pair.b].enclosing().radius);
  if (ofA) return {pairOf(pair.a + 1, pair.b), pairOf(treeA_->boxes.nodes[pair.a].offset, pair.b)};
  return {pairOf(pair.a, pair.b + 1), pairOf(pair.a, treeB_->boxes.nodes[pair.b].offset)};
}

/// Down to some leaves, always to the nearer half: points that make the search a short one.
void DistanceSearch::dive() {
  Pair at{0.0, 0, 0};
  while (!treeA_->leaf(at.a) || !treeB_->leaf(at.b)) {
    const auto [first, second] = split(at);
    at = first.lower <= second.lower ? first : second;
  }
  compareLeaves(at);
}

void DistanceSearch::compareLeaves(const Pair& pair) {
  // Rounding must not pass over a pair that is nearer
  Real enough = known_.upper + motion_.slack;
  for (const std::uint32_t j : treeB_->boxes.trianglesOf(treeB_->boxes.nodes[pair.b])) {
    const Triangle ofB = moved(*b_, j, bToA_);
    const Box boxB = boxOf(ofB);
    for (const std::uint32_t i : treeA_->boxes.trianglesOf(treeA_->boxes.nodes[pair.a])) {
      const Triangle ofA = a_->mesh().corners(i);
      ++meter_.open().boundTests;
      if (squaredDistance(boxOf(ofA), boxB) >= squared_) continue;
      if (gapFromPlane(ofA, ofB) > enough || gapFromPlane(ofB, ofA) > enough) continue;
      ++meter_.open().triangleTests;
      const Real squared = squaredDistance(ofA, ofB);
      if (!(squared < squared_)) continue;
      squared_ = squared;
      known_.upper = std::sqrt(squared_);
      enough = known_.upper + motion_.slack;
      known_.triangleA = i;
      known_.triangleB = j;
    }
  }
}

void DistanceSearch::settle() {
  if (known_.triangleA != DistanceBounds::noTriangle) {
    const PointPair points =
        closestPoints(a_->mesh().corners(known_.triangleA), moved(*b_, known_.triangleB, bToA_));
    known_.pointA = points.a;
    known_.pointB = points.b;
  }
  if (squared_ == 0.0 || heap_.empty() || heap_.front().lower * heap_.front().lower >= squared_) {
    heap_.clear();
    known_.canRefine = false;
    known_.lower = std::max(known_.upper - motion_.slack, 0.0);
  } else {
    known_.lower = std::max(known_.lower, heap_.front().lower);
  }
}

void DistanceSearch::refine(std::optional<Real> tolerance, const TimeBudget& budget) {
  if (!known_.canRefine) return;
  if (fresh_) {
    fresh_ = false;
    // One solid within the other is contact, wherever the surfaces are
    if (oneInsideOther(*a_, *b_, bToA_)) {
      known_ = {0.0, 0.0, false};
      return;
    }
    dive();
    push(pairOf(0, 0));
    settle();
  }
  const auto told = [&] { return tolerance && nearness(known_, *tolerance) != Nearness::Unknown; };
  while (known_.canRefine && !told()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Pair at = heap_.back();
    heap_.pop_back();
    const bool leaves = treeA_->leaf(at.a) && treeB_->leaf(at.b);
    if (leaves) {
      compareLeaves(at);
    } else {
      for (const Pair& child : split(at)) push(child);
    }
    if (squared_ == 0.0 || heap_.empty() || heap_.front().lower * heap_.front().lower >= squared_)
      break;
    known_.lower = std::max(known_.lower, heap_.front().lower);
    if (meter_.outOfTime(budget)) break;
  }
  meter_.settle(budget);
  settle();
}

}  // namespace nearmiss
