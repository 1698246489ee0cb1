// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "geometry/box_measures.h"
#include "geometry/box_search.h"
#include "geometry/closest_points.h"
#include "geometry/mesh_check.h"
#include "geometry/nearest_probe.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

WideBoxes pointsOf(const TriangleMesh& mesh, const SurfacePieces& pieces) {
  std::vector<Box> points;
  if (pieces.components.size() > 1)
    for (const SurfaceComponent& piece : pieces.components)
      points.push_back({mesh.positions[piece.vertex], mesh.positions[piece.vertex]});
  return WideBoxes(points);
}

/// As checkTriangles(), but also accepts a mesh that was scaled down for a build, from the maximum
/// size to about 1. Its smallest coordinates shrink too; predicates are still exact.
[[maybe_unused]] bool isUsable(TriangleMesh mesh) {
  constexpr Real least = 0x1p-50 * minMagnitude;
  for (Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis)
      if (std::fabs(p[axis]) >= least && std::fabs(p[axis]) < minMagnitude) p[axis] = 0.0;
  return bool(checkTriangles(mesh));
}

}  // namespace

Polyhedron::Parts::Parts(TriangleMesh&& taken, const std::atomic<bool>* cancelled, int workers)
    : mesh(std::move(taken)),
      surface(mesh, workers),
      pieces(piecesOf(mesh)),
      piecePoints(pointsOf(mesh, pieces)),
      report(checkMesh(mesh, surface.boxes(), pieces, cancelled, &meeting, {.workers = workers})),
      bounds(boundingBox(mesh)),
      radius(radiusAboutOrigin(mesh)),
      hash(hashOf(mesh)) {}

Polyhedron::Polyhedron(TriangleMesh mesh) : Polyhedron(std::move(mesh), nullptr, 1) {}
Polyhedron::Polyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled, int workers) {
  NEARMISS_DEMAND(!mesh.triangles.empty());
  NEARMISS_ASSERT(isUsable(mesh));
  parts_ = std::make_unique<Parts>(std::move(mesh), cancelled, workers);
}
Result<Polyhedron> polyhedronUnlessCancelled(TriangleMesh mesh, const std::atomic<bool>* cancelled,
                                             int workers) {
  Polyhedron made(std::move(mesh), cancelled, workers);
  if (wasCancelled(cancelled))
    return Error{ErrorCode::Cancelled, "preparing the mesh was cancelled"};
  return made;
}
Polyhedron::Polyhedron(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
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
  parts_->surface.boxes().anyOverlapping(count.region(), [&](std::uint32_t t) {
    count.add(parts_->mesh.corners(t));
    return count.onSurface();
  });
  return count.inside();
}

const SurfaceBoxes& surfaceOf(const Polyhedron& polyhedron) noexcept {
  return polyhedron.parts_->surface;
}

namespace {

SurfacePoint found(NearestProbe& probe, const SurfaceBoxes& surface) {
  BoxSearch<NearestProbe> search;
  search.begin(surface.boxes());
  search.run(probe, TimeBudget::unlimited());
  return {probe.nearest(), probe.distance(), probe.triangle()};
}

}  // namespace

SurfacePoint Polyhedron::nearest(const Vec3& point) const { return nearest(point, 0.0); }

SurfacePoint Polyhedron::nearest(const Vec3& point, Real enough) const {
  NearestProbe probe(point, std::numeric_limits<Real>::infinity(), parts_->surface, enough);
  return found(probe, parts_->surface);
}

SurfacePoint Polyhedron::nearestFrom(const Vec3& point, std::uint32_t guess) const {
  NearestProbe probe(point, std::numeric_limits<Real>::infinity(), parts_->surface);
  probe.compare(guess);
  return found(probe, parts_->surface);
}

bool Polyhedron::hasTriangleIn(const Box& box) const noexcept {
  return parts_->surface.boxes().anyOverlapping(
      box, [&](std::uint32_t t) { return overlap(box, boxOf(parts_->mesh.corners(t))); });
}

void Polyhedron::visitTrianglesIn(const Box& box, void (*call)(void*, std::uint32_t),
                                  void* visitor) const {
  parts_->surface.boxes().anyOverlapping(box, [&](std::uint32_t t) {
    if (overlap(box, boxOf(parts_->mesh.corners(t)))) call(visitor, t);
    return false;
  });
}

namespace {

/// Descends two hierarchies at once to find the nearest pair of triangles.
class NearestPair {
 public:
  NearestPair(const SurfaceBoxes& a, const SurfaceBoxes& b, const Pose& bToA, Real slack)
      : a_(a), b_(b), bToA_(bToA), toA_(bToA), slack_(slack) {}

  /// Returns the squared distance of the surfaces if it is below `least`; otherwise `least`.
  Real squaredBelow(Real least) {
    least_ = least;
    waiting_.assign(1, {0, 0, 0.0});
    while (!waiting_.empty() && least_ > 0.0) {
      const Pair at = waiting_.back();
      waiting_.pop_back();
      if (at.squared >= least_) continue;
      const std::uint32_t childA = a_.boxes().childOf(at.a), childB = b_.boxes().childOf(at.b);
      const bool leafA = (childA & WideBoxes::isLeaf) != 0,
                 leafB = (childB & WideBoxes::isLeaf) != 0;
      if (leafA && leafB)
        compare(childA, childB);
      else
        divide(at, leafB || (!leafA && sizeOf(a_, at.a) > sizeOf(b_, at.b)));
    }
    return least_;
  }

 private:
  struct Pair {
    std::uint32_t a, b;
    Real squared;
  };

  static Real sizeOf(const SurfaceBoxes& surface, std::uint32_t slot) noexcept {
    const Vec3 extent = surface.boxes().boxOf(slot).extent();
    return glm::dot(extent, extent);
  }
  /// Returns a lower bound that allows for rounding.
  Real squaredOf(std::uint32_t a, std::uint32_t b) const noexcept {
    const Box boxB = toA_(b_.boxes().boxOf(b));
    const Real bound = std::sqrt(squaredDistance(a_.boxes().boxOf(a), boxB)) - slack_;
    return bound > 0.0 ? bound * bound : 0.0;
  }
  /// Nearest pairs come first.
  void divide(const Pair& at, bool ofA) {
    const WideBoxes& boxes = (ofA ? a_ : b_).boxes();
    const std::uint32_t node = boxes.childOf(ofA ? at.a : at.b);
    const std::size_t first = waiting_.size();
    for (std::uint32_t lane = 0; lane < boxes.node(node).count; ++lane) {
      const std::uint32_t slot = WideBoxes::width * node + lane;
      Pair part{ofA ? slot : at.a, ofA ? at.b : slot, 0.0};
      part.squared = squaredOf(part.a, part.b);
      waiting_.push_back(part);
    }
    std::ranges::sort(std::span(waiting_).subspan(first), std::greater(),
                      [](const Pair& part) { return std::tuple(part.squared, part.a, part.b); });
  }
  void compare(std::uint32_t leafA, std::uint32_t leafB) {
    b_.boxes().anyIn(leafB, [&](std::uint32_t j, unsigned) {
      const Triangle triangleB = moved(b_.mesh(), j, bToA_);
      const Box boxB = boxOf(triangleB);
      return a_.boxes().anyIn(leafA, [&](std::uint32_t i, unsigned) {
        const Triangle triangleA = a_.mesh().corners(i);
        if (squaredDistance(boxOf(triangleA), boxB) > least_) return false;
        // Rounding must not prune a pair that intersects
        const Real enough = std::sqrt(least_) + slack_;
        if (gapFromPlane(triangleA, triangleB) > enough ||
            gapFromPlane(triangleB, triangleA) > enough)
          return false;
        least_ = std::min(least_, squaredDistance(triangleA, triangleB));
        return false;
      });
    });
  }

  const SurfaceBoxes &a_, &b_;
  const Pose& bToA_;
  BoxMotion toA_;
  Real slack_;
  Real least_ = 0.0;
  std::vector<Pair> waiting_;
};

}  // namespace

Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  // Start with nearest points found alternately on both surfaces: with a small distance, most of
  // both hierarchies is pruned
  const Quat toB = glm::conjugate(bToA.rotation);
  Vec3 onB = transformed(bToA, b.mesh().positions.front());
  Real start = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < 6; ++i) {
    const SurfacePoint onA = a.nearest(onB);
    onB = transformed(bToA, b.nearest(toB * (onA.position - bToA.position)).position);
    start = std::min(start, glm::distance(onA.position, onB));
  }
  NearestPair search(surfaceOf(a), surfaceOf(b), bToA, slackOf(a, b, bToA));
  const Real squared = search.squaredBelow(start * start * (1.0 + 1e-9));
  return squared > 0.0 && !oneInsideOther(a, b, bToA) ? std::sqrt(squared) : 0.0;
}

}  // namespace nearmiss
