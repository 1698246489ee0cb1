// SPDX-License-Identifier: MIT
#include "measure/farthest_point.h"

#include "geometry/closest_points.h"

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

/// Covers the rounding of a few operations on lengths, with room.
constexpr Real roundUp = 1.0 + 1e-12;

/// Shrinks `box` to the part that can hold points of `ball`; false where there is none.
bool clipToBall(const Sphere& ball, Box& box) noexcept {
  const Real square = ball.radius * ball.radius * roundUp;
  for (int axis = 0; axis < 3; ++axis) {
    Real left = square;
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      const Real c = ball.centre[other];
      const Real gap = std::max({box.low[other] - c, c - box.high[other], 0.0});
      left -= gap * gap;
    }
    if (left < 0.0) return false;
    const Real half = std::sqrt(left) * roundUp;
    box.low[axis] = std::max(box.low[axis], ball.centre[axis] - half);
    box.high[axis] = std::min(box.high[axis], ball.centre[axis] + half);
    if (box.low[axis] > box.high[axis]) return false;
  }
  return true;
}

/// An upper bound of |x - p| over the points x of `ball` in `box`, the lesser of two:
/// the farthest corner of the box; and, with c and r of the ball,
/// |x - p|^2 = |x - c|^2 + 2 (x - c).(c - p) + |c - p|^2 <= r^2 + 2 max (x - c).(c - p) + |c -
/// p|^2. The second keeps the corners of boxes on the rim from sticking out of the ball.
Real farthestFrom(const Vec3& p, const Sphere& ball, const Box& box) noexcept {
  Real corner = 0.0;
  Real along = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real low = box.low[axis];
    const Real high = box.high[axis];
    const Real reach = std::max(std::abs(low - p[axis]), std::abs(high - p[axis]));
    corner += reach * reach;
    const Real w = ball.centre[axis] - p[axis];
    along += std::max((low - ball.centre[axis]) * w, (high - ball.centre[axis]) * w);
  }
  const Real d = glm::distance(ball.centre, p);
  const Real r = ball.radius;
  const Real rim = r * r + d * d + 2.0 * std::min(along, r * d);
  return std::sqrt(std::max(0.0, std::min(corner, rim))) * roundUp;
}

/// The point of the ball that stands for the box: its middle, drawn to the ball if it lies outside.
Vec3 middleWithin(const Sphere& ball, const Box& box) noexcept {
  const Vec3 from = box.centre() - ball.centre;
  const Real distance = glm::length(from);
  if (distance <= ball.radius) return box.centre();
  return ball.centre + from * (ball.radius / (distance * roundUp));
}

}  // namespace

/// The nearest point of the surface, or any that is nearer than `enough`.
SurfacePoint FarthestPointSearch::nearest(const Vec3& point, Real enough,
                                          std::uint32_t& witness) const {
  if (!field_) return polyhedron_->nearest(point, enough);
  (void)field_->distance(point, witness, static_cast<float>(enough));
  SurfacePoint found;
  found.triangle = field_->triangleOf(witness);
  found.position = closestOnTriangle(point, polyhedron_->mesh().corners(found.triangle));
  found.distance = glm::distance(found.position, point);
  return found;
}

DistanceRange FarthestPointSearch::search(const Sphere& ball, Real tolerance, Real enough,
                                          std::size_t mostQueries) {
  open_.clear();
  range_ = {};
  discarded_ = 0.0;
  queries_ = 0;
  Cell whole;
  whole.box = {ball.centre - ball.radius, ball.centre + ball.radius};
  // The middle of the ball bounds all points at once: none is farther than its distance + r
  const SurfacePoint middle = nearest(ball.centre, 0.0, whole.witness);
  range_.atLeast = counts(ball.centre) ? middle.distance : 0.0;
  whole.allCounts = part_ == BallPart::Whole;
  whole.atMost = (middle.distance + ball.radius) * roundUp;
  whole.near = middle.position;
  open_.add(whole);

  // Split the cell that could hold the farthest point, until its bound is within the tolerance
  const auto settled = [&] {
    return open_.first().atMost <= std::max(range_.atLeast + tolerance, enough);
  };
  while (!open_.empty() && !settled() && queries_ < mostQueries) {
    const Cell cell = open_.takeFirst();
    const Vec3 half = cell.box.centre();
    for (int octant = 0; octant < 8; ++octant) {
      Cell part = cell;
      for (int axis = 0; axis < 3; ++axis)
        (octant >> axis & 1 ? part.box.low : part.box.high)[axis] = half[axis];
      if (clipToBall(ball, part.box)) look(ball, part, tolerance, enough);
    }
  }
  range_.atMost = std::max(discarded_, open_.empty() ? 0.0 : open_.first().atMost);
  range_.atMost = std::max(range_.atMost, range_.atLeast);
  return range_;
}

/// Decided exactly; a point of the surface that the field knows spares most of the looking.
bool FarthestPointSearch::isSurfaceWithin(const Vec3& point, Real reach,
                                          std::uint32_t witness) const {
  if (!field_) return polyhedron_->nearest(point, reach).distance <= reach;
  if (nearest(point, reach, witness).distance <= reach) return true;
  bool within = false;
  const Real beside = reach * roundUp;
  polyhedron_->forEachTriangleIn({point - beside, point + beside}, [&](std::uint32_t t) {
    if (within) return;
    const Vec3 at = closestOnTriangle(point, polyhedron_->mesh().corners(t));
    within = glm::distance(at, point) <= reach;
  });
  return within;
}

/// Without surface in it a cell lies on one side: whether that is the inside, or else notes that it
/// is the outside.
bool FarthestPointSearch::liesInside(const Sphere& ball, Cell& cell, const Vec3& point,
                                     const SurfacePoint& found) {
  const Real reach = farthestFrom(point, ball, cell.box);
  if (found.distance <= reach || isSurfaceWithin(point, reach, cell.witness)) return false;
  cell.allCounts = counts(point);
  return !cell.allCounts;
}

void FarthestPointSearch::look(const Sphere& ball, Cell cell, Real tolerance, Real enough) {
  // Any surface point this near proves that the cell does not matter: no need for the nearest, and
  // none to look if the one near the parent does
  const Real matters = std::max(range_.atLeast + tolerance, enough);
  cell.atMost = std::min(cell.atMost, farthestFrom(cell.near, ball, cell.box));
  if (cell.atMost <= matters) {
    discarded_ = std::max(discarded_, cell.atMost);
    return;
  }
  const Vec3 point = middleWithin(ball, cell.box);
  const Real idle = matters - glm::length(cell.box.extent());
  const SurfacePoint found = nearest(point, std::max(idle, 0.0), cell.witness);
  if (!cell.allCounts && liesInside(ball, cell, point, found)) return;
  if (found.distance > idle && found.distance > range_.atLeast && (cell.allCounts || counts(point)))
    range_.atLeast = found.distance;
  cell.atMost = std::min(cell.atMost, farthestFrom(found.position, ball, cell.box));
  cell.near = found.position;
  cell.sequence = ++queries_;
  // A cell that cannot matter any more is dropped, but its bound is kept
  if (cell.atMost <= std::max(range_.atLeast + tolerance, enough)) {
    discarded_ = std::max(discarded_, cell.atMost);
    return;
  }
  open_.add(cell);
}

}  // namespace nearmiss
