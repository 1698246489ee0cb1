// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "geometry/box_tree.h"
#include "geometry/closest_points.h"
#include "geometry/mesh_check.h"
#include "geometry/nearest_on_mesh.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

BoxTree pointsOf(const TriangleMesh& mesh, const SurfacePieces& pieces) {
  if (pieces.components.size() < 2) return {};
  TriangleMesh points{mesh.positions, {}};
  for (const SurfaceComponent& piece : pieces.components)
    points.triangles.push_back({piece.vertex, piece.vertex, piece.vertex});
  return BoxTree(points);
}

/// As checkTriangles(), but also true of a mesh that was scaled down for a build, from the largest
/// size to about 1: its smallest coordinates shrink too. Predicates are exact there as well.
[[maybe_unused]] bool isUsable(TriangleMesh mesh) {
  constexpr Real least = 0x1p-50 * minMagnitude;
  for (Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis)
      if (std::fabs(p[axis]) >= least && std::fabs(p[axis]) < minMagnitude) p[axis] = 0.0;
  return bool(checkTriangles(mesh));
}

}  // namespace

Polyhedron::Parts::Parts(TriangleMesh&& taken, const std::atomic<bool>* cancelled)
    : mesh(std::move(taken)),
      tree(mesh),
      rounded(mesh, tree),
      pieces(piecesOf(mesh)),
      piecePoints(pointsOf(mesh, pieces)),
      report(checkMesh(mesh, tree, pieces, cancelled, &meeting)),
      bounds(boundingBox(mesh)),
      radius(radiusAboutOrigin(mesh)),
      hash(hashOf(mesh)) {}

Polyhedron::Polyhedron(TriangleMesh mesh) : Polyhedron(std::move(mesh), nullptr) {}
Polyhedron::Polyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled) {
  NEARMISS_DEMAND(!mesh.triangles.empty());
  NEARMISS_ASSERT(isUsable(mesh));
  parts_ = std::make_unique<Parts>(std::move(mesh), cancelled);
}
Result<Polyhedron> polyhedronUnlessCancelled(TriangleMesh mesh,
                                             const std::atomic<bool>* cancelled) {
  Polyhedron made(std::move(mesh), cancelled);
  if (wasCancelled(cancelled))
    return Error{ErrorCode::Cancelled, "preparing the mesh was cancelled"};
  return made;
}
Polyhedron::Polyhedron(Polyhedron&&) noexcept = default;
Polyhedron& Polyhedron::operator=(Polyhedron&&) noexcept = default;
Polyhedron::~Polyhedron() = default;

const TriangleMesh& Polyhedron::mesh() const noexcept { return parts_->mesh; }
const MeshReport& Polyhedron::report() const noexcept { return parts_->report; }
std::span<const SurfaceComponent> Polyhedron::components() const noexcept {
  return parts_->pieces.components;
}
const Box& Polyhedron::bounds() const noexcept { return parts_->bounds; }
Real Polyhedron::radius() const noexcept { return parts_->radius; }
std::uint64_t Polyhedron::hash() const noexcept { return parts_->hash; }

bool Polyhedron::contains(const Vec3& point) const {
  if (!parts_->report.solid() || !parts_->bounds.contains(point)) return false;
  WindingCount count(point);
  parts_->tree.anyOf([&count](const Box& box) { return count.mayCross(box); },
                     [&](std::uint32_t t) {
                       count.add(parts_->mesh.corners(t));
                       return count.onSurface();
                     });
  return count.inside();
}

SurfacePoint Polyhedron::nearest(const Vec3& point) const { return nearest(point, 0.0); }

SurfacePoint Polyhedron::nearest(const Vec3& point, Real enough) const {
  return nearestOn(parts_->mesh, parts_->tree, point, enough);
}

SurfacePoint Polyhedron::nearestFrom(const Vec3& point, std::uint32_t guess) const {
  return nearestOn(parts_->mesh, parts_->tree, point, 0.0, guess);
}

bool Polyhedron::hasTriangleIn(const Box& box) const noexcept {
  return parts_->tree.anyOf(
      [&box](const Box& other) { return overlap(box, other); },
      [&](std::uint32_t t) { return overlap(box, boxOf(parts_->mesh.corners(t))); });
}

void Polyhedron::visitTrianglesIn(const Box& box, void (*call)(void*, std::uint32_t),
                                  void* visitor) const {
  parts_->tree.anyOf([&box](const Box& other) { return overlap(box, other); },
                     [&](std::uint32_t t) {
                       if (overlap(box, boxOf(parts_->mesh.corners(t)))) call(visitor, t);
                       return false;
                     });
}

namespace {

/// Descends two hierarchies at once for the nearest pair of triangles.
class NearestPair {
 public:
  NearestPair(const TriangleMesh& a, const BoxTree& treeA, const TriangleMesh& b,
              const BoxTree& treeB, const Pose& bToA, Real slack)
      : a_(a), b_(b), treeA_(treeA), treeB_(treeB), bToA_(bToA), toA_(bToA), slack_(slack) {}

  /// The square of the distance of the surfaces, if below that of `least`.
  Real squaredBelow(Real least) {
    least_ = least;
    stack_.clear();
    push(0, 0);
    while (!stack_.empty() && least_ > 0.0) {
      const Pair at = stack_.back();
      stack_.pop_back();
      if (at.squared >= least_) continue;
      const BoxNode& nodeA = treeA_.nodes[at.a];
      const BoxNode& nodeB = treeB_.nodes[at.b];
      if (nodeA.count != 0 && nodeB.count != 0) {
        compare(nodeA, nodeB);
      } else if (nodeB.count != 0 || (nodeA.count == 0 && larger(nodeA.box, nodeB.box))) {
        pushNearerLast({at.a + 1, at.b, 0.0}, {nodeA.offset, at.b, 0.0});
      } else {
        pushNearerLast({at.a, at.b + 1, 0.0}, {at.a, nodeB.offset, 0.0});
      }
    }
    return least_;
  }

 private:
  struct Pair {
    std::uint32_t a, b;
    Real squared;
  };

  /// A lower bound, less what rounding may have added.
  Real squaredOf(std::uint32_t a, std::uint32_t b) const noexcept {
    const Box boxB = toA_(treeB_.nodes[b].box);
    const Real bound = std::sqrt(squaredDistance(treeA_.nodes[a].box, boxB)) - slack_;
    return bound > 0.0 ? bound * bound : 0.0;
  }
  void push(std::uint32_t a, std::uint32_t b) { stack_.push_back({a, b, squaredOf(a, b)}); }
  void pushNearerLast(Pair first, Pair second) {
    first.squared = squaredOf(first.a, first.b);
    second.squared = squaredOf(second.a, second.b);
    if (first.squared < second.squared) std::swap(first, second);
    stack_.push_back(first);
    stack_.push_back(second);
  }
  void compare(const BoxNode& nodeA, const BoxNode& nodeB) {
    for (const std::uint32_t j : treeB_.trianglesOf(nodeB)) {
      const Triangle triangleB = moved(b_, j, bToA_);
      const Box boxB = boxOf(triangleB);
      for (const std::uint32_t i : treeA_.trianglesOf(nodeA)) {
        const Triangle triangleA = a_.corners(i);
        if (squaredDistance(boxOf(triangleA), boxB) > least_) continue;
        // Rounding must not pass over a pair that meets
        const Real enough = std::sqrt(least_) + slack_;
        if (gapFromPlane(triangleA, triangleB) > enough ||
            gapFromPlane(triangleB, triangleA) > enough)
          continue;
        least_ = std::min(least_, squaredDistance(triangleA, triangleB));
      }
    }
  }

  const TriangleMesh& a_;
  const TriangleMesh& b_;
  const BoxTree& treeA_;
  const BoxTree& treeB_;
  const Pose& bToA_;
  BoxMotion toA_;
  Real slack_;
  Real least_ = 0.0;
  std::vector<Pair> stack_;
};

}  // namespace

Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  // Start with nearest points found in turn on either surface: with a small distance most of both
  // hierarchies is skipped
  const Quat toB = glm::conjugate(bToA.rotation);
  Vec3 onB = transformed(bToA, b.mesh().positions.front());
  Real start = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < 6; ++i) {
    const SurfacePoint onA = a.nearest(onB);
    onB = transformed(bToA, b.nearest(toB * (onA.position - bToA.position)).position);
    start = std::min(start, glm::distance(onA.position, onB));
  }
  NearestPair search(a.mesh(), a.parts_->tree, b.mesh(), b.parts_->tree, bToA, slackOf(a, b, bToA));
  const Real squared = search.squaredBelow(start * start * (1.0 + 1e-9));
  return squared > 0.0 && !oneInsideOther(a, b, bToA) ? std::sqrt(squared) : 0.0;
}

}  // namespace nearmiss
