// SPDX-License-Identifier: MIT
#include <nearmiss/assertion.h>
#include <nearmiss/mesh_input.h>
#include <nearmiss/polyhedron.h>

#include <cmath>
#include <utility>
#include <vector>

#include "exact/winding.h"
#include "geometry/box_tree.h"
#include "geometry/closest_points.h"
#include "mesh/mesh_check.h"
#include "mesh/polyhedron_parts.h"

namespace nearmiss {
namespace {

BoxTree pointsOf(const TriangleMesh& mesh, const SurfacePieces& pieces) {
  if (pieces.components.size() < 2) return {};
  TriangleMesh points{mesh.positions, {}};
  for (const SurfaceComponent& piece : pieces.components)
    points.triangles.push_back({piece.vertex, piece.vertex, piece.vertex});
  return BoxTree(points);
}

}  // namespace

Polyhedron::Parts::Parts(TriangleMesh&& taken)
    : mesh(std::move(taken)),
      tree(mesh),
      pieces(piecesOf(mesh)),
      piecePoints(pointsOf(mesh, pieces)),
      report(checkMesh(mesh, tree, pieces)),
      bounds(boundingBox(mesh)),
      radius(radiusAboutOrigin(mesh)),
      hash(hashOf(mesh)) {}

Polyhedron::Polyhedron(TriangleMesh mesh) {
  NEARMISS_DEMAND(!mesh.triangles.empty());
  NEARMISS_ASSERT(checkTriangles(mesh));
  parts_ = std::make_unique<Parts>(std::move(mesh));
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
  const BoxTree& tree = parts_->tree;
  SurfacePoint best;
  Real least = std::numeric_limits<Real>::infinity();
  const Real goal = enough * enough;

  // Depth first, the nearer child first; what waits is farther than its sibling was
  struct Waiting {
    std::uint32_t node;
    Real squared;
  };
  std::array<Waiting, BoxTree::maxDepth> stack;
  std::size_t size = 0;
  stack[size++] = {0, squaredDistance(tree.nodes[0].box, point)};
  while (size > 0 && least > goal) {
    Waiting at = stack[--size];
    while (at.squared < least && tree.nodes[at.node].count == 0) {
      const std::uint32_t second = tree.nodes[at.node].offset;
      Waiting near{at.node + 1, squaredDistance(tree.nodes[at.node + 1].box, point)};
      Waiting far{second, squaredDistance(tree.nodes[second].box, point)};
      if (far.squared < near.squared) std::swap(near, far);
      stack[size++] = far;
      at = near;
    }
    if (at.squared >= least) continue;
    for (const std::uint32_t t : tree.trianglesOf(tree.nodes[at.node])) {
      const Vec3 position = closestOnTriangle(point, parts_->mesh.corners(t));
      const Real squared = squaredDistance(position, point);
      if (squared < least) {
        least = squared;
        best.position = position;
        best.triangle = t;
      }
    }
  }
  best.distance = std::sqrt(least);
  return best;
}

void Polyhedron::visitTrianglesIn(const Box& box, void (*call)(void*, std::uint32_t),
                                  void* visitor) const {
  parts_->tree.anyOf([&box](const Box& other) { return overlap(box, other); },
                     [&](std::uint32_t t) {
                       if (overlap(box, boxOf(parts_->mesh.corners(t)))) call(visitor, t);
                       return false;
                     });
}

}  // namespace nearmiss
