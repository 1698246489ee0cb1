// SPDX-License-Identifier: MIT
#include "geometry/pieces_inside.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "geometry/box_search.h"
#include "geometry/closest_points.h"
#include "geometry/mesh_check.h"
#include "geometry/nearest_probe.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/solid_cells.h"

namespace nearmiss {
namespace {

/// The ray from a point of frame a towards +x, in the frame of b, to reject boxes.
class RayInFrame {
 public:
  RayInFrame(const Vec3& point, const Pose& bToA, Real slack) noexcept : slack_(slack) {
    const Quat toB = glm::conjugate(bToA.rotation);
    start_ = toB * (point - bToA.position);
    const Vec3 direction = toB * Vec3(1.0, 0.0, 0.0);
    for (int axis = 0; axis < 3; ++axis)
      inverse_[axis] = std::fabs(direction[axis]) < 1e-12 ? 0.0 : 1.0 / direction[axis];
  }

  /// Returns false only if the point is outside `box` by more than rounding errors.
  [[nodiscard]] bool mayStartIn(const Box& box) const noexcept {
    for (int axis = 0; axis < 3; ++axis)
      if (start_[axis] < box.low[axis] - slack_ || start_[axis] > box.high[axis] + slack_)
        return false;
    return true;
  }

  /// Returns false only if the ray misses `box` by more than rounding errors.
  [[nodiscard]] bool mayCross(const Box& box) const noexcept {
    Real enter = 0.0;
    Real leave = std::numeric_limits<Real>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      const Real low = box.low[axis] - slack_ - start_[axis];
      const Real high = box.high[axis] + slack_ - start_[axis];
      if (inverse_[axis] == 0.0) {
        if (low > 0.0 || high < 0.0) return false;
        continue;
      }
      const Real first = low * inverse_[axis], last = high * inverse_[axis];
      enter = std::max(enter, std::min(first, last));
      leave = std::min(leave, std::max(first, last));
    }
    return enter <= leave;
  }

 private:
  Vec3 start_{0.0};
  /// inverse of the direction; 0 along axes to which the ray is nearly perpendicular
  Vec3 inverse_{0.0};
  Real slack_;
};

/// Returns true if a piece of `inner` is too large to lie inside `outer` in any rotation.
bool tooLarge(const Polyhedron& inner, const SurfaceComponent& piece,
              const Polyhedron& outer) noexcept {
  const Vec3 extent = piece.bounds.extent();
  const Real longest = std::max(extent.x, std::max(extent.y, extent.z));
  if (longest > glm::length(outer.bounds().extent()) * (1.0 + 1e-9)) return true;
  // If a surface overlaps or nests within itself, its volume counts some regions more than once
  const MeshReport& report = inner.report();
  const bool countsOnce =
      report.closed() && report.selfIntersections == 0 && report.nonManifoldVertices == 0;
  return countsOnce &&
         std::fabs(piece.volume) - volumeError(inner.mesh().triangles.size(), piece.bounds) >
             PiecesInside::largestPiece(outer) * (1.0 + 1e-9);
}

/// Returns true if `point` of frame a lies inside b. Triangles of b are moved one by one as needed,
/// and the rounded results decide, as in the comparison of surfaces.
bool movedContains(const SurfaceBoxes& b, const Pose& bToA, Real slack, const Vec3& point) {
  const RayInFrame ray(point, bToA, slack);
  if (!ray.mayStartIn(b.boxes().bounds())) return false;
  WindingCount count(point);
  b.boxes().anyWhere([&ray](const Box& box) { return ray.mayCross(box); },
                     [&](std::uint32_t t) {
                       count.add(moved(b.mesh(), t, bToA));
                       return count.onSurface();
                     });
  return count.inside();
}

bool surfaceWithin(const Polyhedron& body, const Vec3& centre, Real reach) {
  NearestProbe probe(centre, reach, surfaceOf(body), reach);
  BoxSearch<NearestProbe> search;
  search.begin(surfaceOf(body).boxes());
  search.run(probe, TimeBudget::unlimited());
  return probe.found();
}

/// Returns the side of all points within `reach` of `centre`, whose error may be up to `slack`.
SolidCells::Side sideIn(const Polyhedron& outer, Real slack, const Vec3& centre,
                        Real reach) noexcept {
  // Far from the surface, rounding moves no point to its other side
  const SolidCells& cells = SolidCells::of(outer);
  return cells.allowsFor(slack) ? cells.sideOf(centre, reach) : SolidCells::Side::Unknown;
}

}  // namespace

Real PiecesInside::largestPiece(const Polyhedron& body) noexcept {
  return body.parts_->pieces.largest;
}

void PiecesInside::begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  toB_ = glm::conjugate(bToA.rotation);
  slack_ = slackOf(a, b, bToA);
  found_ = false;
  enter(Search::OfB);
}

void PiecesInside::enter(Search search) noexcept {
  search_ = search;
  if (search_ == Search::OfB && !a_->report().solid()) search_ = Search::OfA;
  if (search_ == Search::OfA && !b_->report().solid()) search_ = Search::Ended;
  waiting_[0] = 0;
  size_ = 1;
}

void PiecesInside::finish() noexcept {
  found_ = true;
  search_ = Search::Ended;
}

Vec3 PiecesInside::toOuter(const Vec3& own) const noexcept {
  return search_ == Search::OfB ? transformed(bToA_, own) : toB_ * (own - bToA_.position);
}

/// Returns whether a point of the inner body lies inside the outer one, exactly.
bool PiecesInside::holds(const Vec3& own) const {
  if (search_ == Search::OfB) return a_->contains(toOuter(own));
  return movedContains(surfaceOf(*b_), bToA_, slack_, own);
}

bool PiecesInside::inside(std::uint32_t index) const {
  const SurfaceComponent& piece = inner().components()[index];
  const Vec3& own = inner().mesh().positions[piece.vertex];
  const SolidCells::Side side = sideIn(outer(), slack_, toOuter(own), 0.0);
  if (side == SolidCells::Side::Outside || tooLarge(inner(), piece, outer())) return false;
  return side == SolidCells::Side::Inside || holds(own);
}

/// Returns true if the search must descend below the slot. Finishes if a piece is inside.
bool PiecesInside::look(std::uint32_t slot, std::uint64_t& tests) {
  using Side = SolidCells::Side;
  const WideBoxes& points = inner().parts_->piecePoints;
  std::uint32_t child = points.childOf(slot);
  const Box box = points.boxOf(slot);
  const Vec3 centre = toOuter(box.centre());
  const Real reach = 0.5 * glm::length(box.extent()) + slack_;
  tests += pointPrice;
  if (squaredDistance(outer().bounds(), centre) > reach * reach) return false;
  if ((child & WideBoxes::isLeaf) != 0) {
    const bool found = points.anyIn(child, [&](std::uint32_t piece, unsigned) {
      tests += pointPrice;
      return inside(piece);
    });
    if (found) finish();
    return false;
  }
  // All points in a ball without surface lie on one side, so one of them decides for all
  const Side side = sideIn(outer(), slack_, centre, reach);
  if (side == Side::Inside) {
    finish();
  } else if (side == Side::Unknown) {
    if (surfaceWithin(outer(), centre, reach)) return true;
    while ((child & WideBoxes::isLeaf) == 0) child = points.node(child).child[0];
    const std::uint32_t piece = points.itemsOf(child)[0];
    if (holds(inner().mesh().positions[inner().components()[piece].vertex])) finish();
  }
  return false;
}

/// @pre the surfaces do not intersect
void PiecesInside::step(std::uint64_t& tests) {
  const WideBoxes& points = inner().parts_->piecePoints;
  if (points.empty()) return inside(0) ? finish() : leave();
  const std::uint32_t slot = waiting_[--size_];
  std::uint64_t looked = 0;
  const bool free = inner().components().size() <= freePieces;
  const bool deeper = look(slot, looked);
  if (!free) tests += looked;
  if (deeper) {
    const std::uint32_t node = points.childOf(slot);
    for (std::uint32_t lane = points.node(node).count; lane-- > 0;)
      waiting_[size_++] = WideBoxes::width * node + lane;
  } else if (!found_ && size_ == 0) {
    leave();
  }
}

bool mayHold(const Polyhedron& outer, const Polyhedron& inner) noexcept {
  if (!outer.report().solid()) return false;
  return std::ranges::any_of(inner.components(), [&](const SurfaceComponent& piece) {
    return !tooLarge(inner, piece, outer);
  });
}

bool oneInsideOther(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  PiecesInside pieces;
  std::uint64_t tests = 0;
  pieces.begin(a, b, bToA);
  while (!pieces.ended()) pieces.step(tests);
  return pieces.found();
}

}  // namespace nearmiss
