// SPDX-License-Identifier: MIT
#include "query/distance_search.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

const DistanceTree& distanceTreeOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<DistanceTree>(
      [&shape] { return DistanceTree(shape.polyhedron().mesh()); });
}

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
  dived_ = begun_ = false;
  pieces_.begin(a, b, bToA);
  meter_.reset();
}

DistanceSearch::Pair DistanceSearch::pairOf(std::uint32_t a, std::uint32_t b) {
  meter_.open().boundTests += WorkMeter::boxTest;
  return {gapBetween(treeA_->volume(a), treeB_->volume(b), motion_, known_.upper), a, b};
}

void DistanceSearch::push(const Pair& pair) {
  if (pair.lower >= known_.upper) return;
  heap_.push_back(pair);
  std::push_heap(heap_.begin(), heap_.end());
}

/// Either of the two is a leaf at most.
std::array<DistanceSearch::Pair, 2> DistanceSearch::split(const Pair& pair) {
  const bool leafA = treeA_->leaf(pair.a), leafB = treeB_->leaf(pair.b);
  const bool ofA = leafB || (!leafA && treeA_->volume(pair.a).enclosing().radius >=
                                           treeB_->volume(pair.b).enclosing().radius);
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
  Real least = known_.upper * known_.upper;
  for (const std::uint32_t j : treeB_->boxes.trianglesOf(treeB_->boxes.nodes[pair.b])) {
    const Triangle ofB = moved(b_->mesh(), j, bToA_);
    const Box boxB = boxOf(ofB);
    for (const std::uint32_t i : treeA_->boxes.trianglesOf(treeA_->boxes.nodes[pair.a])) {
      const Triangle ofA = a_->mesh().corners(i);
      ++meter_.open().boundTests;
      if (squaredDistance(boxOf(ofA), boxB) >= least) continue;
      // Rounding must not pass over a pair that is nearer
      const Real enough = known_.upper + motion_.slack;
      if (gapFromPlane(ofA, ofB) > enough || gapFromPlane(ofB, ofA) > enough) continue;
      ++meter_.open().triangleTests;
      const Real squared = squaredDistance(ofA, ofB);
      if (!(squared < least)) continue;
      least = squared;
      known_.upper = std::sqrt(squared);
      known_.triangleA = i;
      known_.triangleB = j;
    }
  }
}

/// No pair that is left can be nearer than what was found.
bool DistanceSearch::exhausted() const noexcept {
  return known_.upper == 0.0 || heap_.empty() || heap_.front().lower >= known_.upper;
}

void DistanceSearch::takePoints() {
  if (known_.triangleA != DistanceBounds::noTriangle) {
    const PointPair points = closestPoints(a_->mesh().corners(known_.triangleA),
                                           moved(b_->mesh(), known_.triangleB, bToA_));
    known_.pointA = points.a;
    known_.pointB = points.b;
  }
}

void DistanceSearch::settle() {
  takePoints();
  if (!exhausted()) return;
  heap_.clear();
  known_.canRefine = false;
  known_.lower = std::max(known_.upper - motion_.slack, 0.0);
}

/// False: time ran out, or one solid is within the other, which is contact wherever the surfaces
/// are.
bool DistanceSearch::seekPieces(const TimeBudget& budget) {
  bool late = false;
  while (!pieces_.ended() && !late) {
    pieces_.step(meter_.open().boundTests);
    late = meter_.outOfTime(budget);
  }
  return pieces_.ended() && !pieces_.found();
}

/// Where the surfaces of bodies meet of which one has a vertex in the other: depth first, since any
/// point that they share will do.
void DistanceSearch::seekMeeting(const TimeBudget& budget) {
  known_ = {};
  if (!std::exchange(begun_, true)) heap_.assign(1, Pair{0.0, 0, 0});
  bool met = false;
  while (!met && !heap_.empty() && !meter_.outOfTime(budget)) {
    const Pair at = heap_.back();
    heap_.pop_back();
    if (treeA_->leaf(at.a) && treeB_->leaf(at.b)) {
      compareLeaves(at);
      met = known_.upper == 0.0;
    } else {
      auto [next, later] = split(at);
      if (later.lower < next.lower) std::swap(next, later);
      if (later.lower <= motion_.slack) heap_.push_back(later);
      if (next.lower <= motion_.slack) heap_.push_back(next);
    }
  }
  if (met) {
    takePoints();
    heap_.clear();
  } else {
    known_ = {};
  }
  known_.lower = known_.upper = 0.0;
  known_.canRefine = !heap_.empty();
}

void DistanceSearch::refine(std::optional<Real> tolerance, const TimeBudget& budget) {
  if (!known_.canRefine) return;
  const bool apart = seekPieces(budget);
  if (pieces_.found()) {
    seekMeeting(budget);
    return meter_.settle(budget);
  }
  // Points are there however short the time
  if (!std::exchange(dived_, true)) dive();
  if (!apart) {
    takePoints();
    return meter_.settle(budget);
  }
  if (!std::exchange(begun_, true)) push(pairOf(0, 0));
  const auto told = [&] { return tolerance && nearness(known_, *tolerance) != Nearness::Unknown; };
  while (!exhausted()) {
    known_.lower = std::max(known_.lower, heap_.front().lower);
    if (told() || meter_.outOfTime(budget)) break;
    std::pop_heap(heap_.begin(), heap_.end());
    const Pair at = heap_.back();
    heap_.pop_back();
    if (treeA_->leaf(at.a) && treeB_->leaf(at.b)) {
      compareLeaves(at);
    } else {
      for (const Pair& child : split(at)) push(child);
    }
  }
  meter_.settle(budget);
  settle();
}

}  // namespace nearmiss
