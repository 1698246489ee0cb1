// SPDX-License-Identifier: MIT
#include "pair/distance_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "geometry/box_measures.h"
#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

namespace {

constexpr std::uint32_t width = SpherePack::width;
/// Relative error by which the axes of boxes deviate from orthogonal unit vectors.
constexpr Real axisError = 1e-6;
/// For bodies farther apart than this multiple of their radii, the line between boxes is needed as
/// an axis, because axisError then matters relative to the distance.
constexpr Real farAway = 100.0;

/// A box in the frame of another.
struct MovedBox {
  Vec3 centre, axis[3];
  Real half[3];
};

std::uint32_t childOf(const BoxHierarchy& boxes, std::uint32_t slot) noexcept {
  return boxes.packs()[slot / width].child[slot % width];
}

bool isLeaf(const BoxHierarchy& boxes, std::uint32_t slot) noexcept {
  return (childOf(boxes, slot) & BoxPack::isLeaf) != 0;
}

Real longestHalf(const BoxHierarchy& boxes, std::uint32_t slot) noexcept {
  return boxes.packs()[slot / width].half[2][slot % width];
}

MovedBox boxOf(const BoxHierarchy& boxes, std::uint32_t slot) noexcept {
  const BoxPack& pack = boxes.packs()[slot / width];
  const std::uint32_t lane = slot % width;
  const auto at = [lane](const float(&of)[3][width]) {
    return Vec3(of[0][lane], of[1][lane], of[2][lane]);
  };
  MovedBox box{at(pack.centre), {}, {}};
  for (int k = 0; k < 3; ++k) {
    box.axis[k] = at(pack.axis[k]);
    box.half[k] = pack.half[k][lane];
  }
  return box;
}

/// Computes lower bounds on the squared distance of each lane's box from another box. Along each of
/// three orthogonal axes, points of two boxes are at least as far apart as the boxes.
void squaredGaps(const BoxPack& pack, const MovedBox& box, Real (&out)[width]) noexcept {
  for (std::uint32_t lane = 0; lane < width; ++lane) {
    const Real x = box.centre.x - pack.centre[0][lane], y = box.centre.y - pack.centre[1][lane],
               z = box.centre.z - pack.centre[2][lane];
    Real reach[3] = {box.half[0], box.half[1], box.half[2]};
    Real own = 0.0, other = 0.0;
    for (int i = 0; i < 3; ++i) {
      const Real u = pack.axis[i][0][lane], v = pack.axis[i][1][lane], w = pack.axis[i][2][lane];
      const Real half = pack.half[i][lane];
      Real along = half;
      for (int j = 0; j < 3; ++j) {
        const Real cosine = std::fabs(u * box.axis[j].x + v * box.axis[j].y + w * box.axis[j].z);
        along += box.half[j] * cosine;
        reach[j] += half * cosine;
      }
      const Real gap = std::fabs(u * x + v * y + w * z) - along;
      own += gap > 0.0 ? gap * gap : 0.0;
    }
    for (int j = 0; j < 3; ++j) {
      const Real gap =
          std::fabs(box.axis[j].x * x + box.axis[j].y * y + box.axis[j].z * z) - reach[j];
      other += gap > 0.0 ? gap * gap : 0.0;
    }
    out[lane] = own > other ? own : other;
  }
}

/// Returns the distance of two boxes along the line between their centres.
Real gapAlongLine(const MovedBox& p, const MovedBox& q) noexcept {
  const Vec3 way = q.centre - p.centre;
  const Real length = glm::length(way);
  if (!(length > 0.0)) return 0.0;
  Real gap = length;
  for (int k = 0; k < 3; ++k)
    gap -= (p.half[k] * std::fabs(glm::dot(p.axis[k], way)) +
            q.half[k] * std::fabs(glm::dot(q.axis[k], way))) /
           length;
  return gap;
}

}  // namespace

void DistanceSearch::begin(const Polyhedron& a, const BoxHierarchy& boxesA, const Polyhedron& b,
                           const BoxHierarchy& boxesB, const Pose& bToA) {
  a_ = &a;
  b_ = &b;
  boxesA_ = &boxesA;
  boxesB_ = &boxesB;
  bToA_ = bToA;
  slack_ = slackOf(a, b, bToA);
  heap_.clear();
  known_ = {};
  dived_ = begun_ = false;
  pieces_.begin(a, b, bToA);
  meter_.reset();
}

bool DistanceSearch::areLeaves(const Pair& pair) const noexcept {
  return isLeaf(*boxesA_, pair.a) && isLeaf(*boxesB_, pair.b);
}

/// At least one of the two is not a leaf.
DistanceSearch::Parts DistanceSearch::split(const Pair& pair) {
  const bool ofA =
      isLeaf(*boxesB_, pair.b) ||
      (!isLeaf(*boxesA_, pair.a) && longestHalf(*boxesA_, pair.a) >= longestHalf(*boxesB_, pair.b));
  const BoxHierarchy &own = ofA ? *boxesA_ : *boxesB_, &others = ofA ? *boxesB_ : *boxesA_;
  const Quat& turn = bToA_.rotation;
  const Quat toOwn = ofA ? turn : glm::conjugate(turn);
  MovedBox other = boxOf(others, ofA ? pair.b : pair.a);
  other.centre = ofA ? transformed(bToA_, other.centre) : toOwn * (other.centre - bToA_.position);
  for (Vec3& axis : other.axis) axis = toOwn * axis;

  const std::uint32_t node = childOf(own, ofA ? pair.a : pair.b);
  const BoxPack& pack = own.packs()[node];
  Real squared[width];
  squaredGaps(pack, other, squared);
  meter_.open().boundTests += width;
  const bool far = glm::length(bToA_.position) > farAway * (a_->radius() + b_->radius());
  Parts parts;
  for (std::uint32_t lane = 0; lane < width; ++lane) {
    if (pack.child[lane] == SphereLinks::none) continue;
    const std::uint32_t slot = width * node + lane;
    Real gap = std::sqrt(squared[lane]) * (1.0 - axisError);
    if (far) gap = std::max(gap, gapAlongLine(boxOf(own, slot), other));
    const Real lower = std::max({gap - slack_, pair.lower, 0.0});
    parts.pairs[parts.count++] = ofA ? Pair{lower, slot, pair.b} : Pair{lower, pair.a, slot};
  }
  return parts;
}

/// Descends to one pair of leaves, always to the nearest part, for a first upper bound.
void DistanceSearch::dive() {
  Pair at{0.0, 0, 0};
  while (!areLeaves(at)) {
    const Parts parts = split(at);
    at = *std::ranges::min_element(parts.all(), {}, &Pair::lower);
  }
  compareLeaves(at);
}

void DistanceSearch::compareLeaves(const Pair& pair) {
  const WideBoxes &treeA = surfaceOf(*a_).boxes(), &treeB = surfaceOf(*b_).boxes();
  const std::uint32_t leafA = childOf(*boxesA_, pair.a), leafB = childOf(*boxesB_, pair.b);
  const auto trianglesA = treeA.itemsOf(leafA), trianglesB = treeB.itemsOf(leafB);
  const auto countA = static_cast<std::size_t>(std::popcount(treeA.lanesOf(leafA)));
  const auto countB = static_cast<std::size_t>(std::popcount(treeB.lanesOf(leafB)));
  std::array<Triangle, width> ofA;
  std::array<Box, width> around;
  for (std::size_t i = 0; i < countA; ++i) {
    ofA[i] = a_->mesh().corners(trianglesA[i]);
    around[i] = nearmiss::boxOf(ofA[i]);
  }
  Real least = known_.upper * known_.upper;
  for (std::size_t j = 0; j < countB; ++j) {
    const Triangle ofB = moved(b_->mesh(), trianglesB[j], bToA_);
    const Box boxB = nearmiss::boxOf(ofB);
    for (std::size_t i = 0; i < countA; ++i) {
      ++meter_.open().boundTests;
      if (squaredDistance(around[i], boxB) >= least) continue;
      // Rounding must not discard a nearer pair
      const Real enough = known_.upper + slack_;
      if (gapFromPlane(ofA[i], ofB) > enough || gapFromPlane(ofB, ofA[i]) > enough) continue;
      ++meter_.open().triangleTests;
      const Real squared = squaredDistance(ofA[i], ofB);
      if (!(squared < least)) continue;
      least = squared;
      known_.upper = std::sqrt(squared);
      known_.triangleA = trianglesA[i];
      known_.triangleB = trianglesB[j];
    }
  }
}

/// Returns true if no remaining pair can be nearer than the best.
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
  known_.lower = std::max(known_.upper - slack_, 0.0);
}

/// Returns false if time ran out, or if one solid is inside the other, which is contact wherever
/// the surfaces are.
bool DistanceSearch::seekPieces(const TimeBudget& budget) {
  bool late = false;
  while (!pieces_.ended() && !late) {
    pieces_.step(meter_.open().boundTests);
    late = meter_.outOfTime(budget);
  }
  return pieces_.ended() && !pieces_.found();
}

/// For bodies that intersect, one of which has a vertex inside the other. Depth first, because any
/// common point suffices.
void DistanceSearch::seekMeeting(const TimeBudget& budget) {
  known_ = {};
  if (!std::exchange(begun_, true)) heap_.assign(1, Pair{0.0, 0, 0});
  bool met = false;
  while (!met && !heap_.empty() && !meter_.outOfTime(budget)) {
    const Pair at = heap_.back();
    heap_.pop_back();
    if (areLeaves(at)) {
      compareLeaves(at);
      met = known_.upper == 0.0;
    } else {
      Parts parts = split(at);
      // The nearest comes last. Ties are decided by slot, the same everywhere
      std::ranges::sort(std::span(parts.pairs).first(parts.count), std::greater(),
                        [](const Pair& part) { return std::tuple(part.lower, part.a, part.b); });
      for (const Pair& part : parts.all())
        if (part.lower <= slack_) heap_.push_back(part);
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
  // Points are found even if the budget is exhausted
  if (!std::exchange(dived_, true)) dive();
  if (!apart) {
    takePoints();
    return meter_.settle(budget);
  }
  if (!std::exchange(begun_, true)) heap_.assign(1, Pair{0.0, 0, 0});
  const auto isDecided = [&] { return tolerance && known_.isWithin(*tolerance).has_value(); };
  while (!exhausted()) {
    known_.lower = std::max(known_.lower, heap_.front().lower);
    if (isDecided() || meter_.outOfTime(budget)) break;
    std::pop_heap(heap_.begin(), heap_.end());
    const Pair at = heap_.back();
    heap_.pop_back();
    if (areLeaves(at)) {
      compareLeaves(at);
      continue;
    }
    for (const Pair& part : split(at).all()) {
      if (part.lower >= known_.upper) continue;
      heap_.push_back(part);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
  meter_.settle(budget);
  settle();
}

}  // namespace nearmiss
