// SPDX-License-Identifier: MIT
#include "narrow/box_hierarchy.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/box_measures.h"
#include "geometry/equal_items.h"
#include "geometry/surface_boxes.h"
#include "geometry/triangle_normal.h"
#include "spheres/node_boxes.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

static_assert(WideBoxes::width == SpherePack::width);
/// Where unused lanes are: far, but squares and products stay finite.
constexpr float outOfReach = 1e18f;
/// Boxes around more triangles are fitted to a sample of them, and then grown to hold all.
constexpr std::size_t fittedTriangles = 64;

BoxPack unusedBoxes() noexcept {
  BoxPack pack{};
  for (auto& coordinate : pack.centre) std::ranges::fill(coordinate, outOfReach);
  std::ranges::fill(pack.child, SphereLinks::none);
  return pack;
}

/// A ball about the middle of the box of the corners, rounded to float.
Sphere ballAround(const Triangle& corners) noexcept {
  Sphere ball{roundedToFloat(boxOf(corners).centre()), 0.0};
  for (const Vec3& corner : corners)
    ball.radius = std::max(ball.radius, glm::distance(ball.centre, corner));
  return ball;
}

/// The height of corners over the plane as it is kept is a few ulps of their distance: the slack of
/// those who ask holds it. Without a plane nothing is passed over.
bool liesOn(const Triangle& corners, const Vec3& normal, Real offset) noexcept {
  constexpr Real ulps = 0x1p-21;
  Real farthest = 0.0, height = 0.0;
  for (const Vec3& corner : corners) {
    farthest = std::max(farthest, glm::length(corner));
    height = std::max(height, std::abs(glm::dot(normal, corner) - offset));
  }
  return height <= ulps * farthest;
}

TriangleGroup groupOf(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles) {
  TriangleGroup made{};
  std::ranges::fill(made.x, std::numeric_limits<float>::infinity());
  std::ranges::fill(made.r, -1.0f);
  for (std::size_t lane = 0; lane < triangles.size(); ++lane) {
    made.triangle[lane] = triangles[lane];
    const Triangle corners = mesh.corners(triangles[lane]);
    const Sphere ball = ballAround(corners);
    made.x[lane] = static_cast<float>(ball.centre.x);
    made.y[lane] = static_cast<float>(ball.centre.y);
    made.z[lane] = static_cast<float>(ball.centre.z);
    made.r[lane] = floatAtLeast(ball.radius * (1.0 + 1e-12));
    const Vec3 normal = roundedToFloat(unitNormalOf(corners));
    const Real offset = static_cast<float>(glm::dot(normal, corners[0]));
    if (liesOn(corners, normal, offset)) {
      for (int axis = 0; axis < 3; ++axis)
        made.plane[axis][lane] = static_cast<float>(normal[axis]);
      made.plane[3][lane] = static_cast<float>(offset);
    }
    for (int corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis)
        made.corner[corner][axis][lane] =
            static_cast<float>(corners[static_cast<std::size_t>(corner)][axis]);
  }
  return made;
}

NodeBox boxAround(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles) {
  const std::size_t step = std::max<std::size_t>(1, triangles.size() / fittedTriangles);
  std::vector<Triangle> some;
  for (std::size_t i = 0; i < triangles.size(); i += step)
    some.push_back(mesh.corners(triangles[i]));
  const NodeBox fitted = fitBoxRoughly(some, 0.0);
  if (step == 1) return fitted;
  std::vector<Vec3> corners;
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : mesh.corners(t)) corners.push_back(corner);
  return boxAlong(fitted, corners);
}

void put(const NodeBox& box, BoxPack& pack, std::uint32_t lane) noexcept {
  for (int k = 0; k < 3; ++k) {
    pack.centre[k][lane] = box.centre[k];
    pack.half[k][lane] = box.half[k];
    for (int i = 0; i < 3; ++i) pack.axis[k][i][lane] = box.axis[k][i];
  }
}

}  // namespace

BoxHierarchy::BoxHierarchy(const Polyhedron& polyhedron, int workers) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const WideBoxes& boxes = surfaceOf(polyhedron).boxes();
  packs_.assign(boxes.nodeCount(), unusedBoxes());
  groups_.resize(boxes.leafCount());
  // Top nodes take longest, so each is a task of its own
  parallelFor(packs_.size(), workersFor(mesh.triangles.size(), workers), [&](std::size_t at, int) {
    const WideBoxes::Node& node = boxes.node(static_cast<std::uint32_t>(at));
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const std::uint32_t child = node.child[lane];
      triangles.clear();
      boxes.addItemsBelow(child, triangles);
      put(boxAround(mesh, triangles), packs_[at], lane);
      packs_[at].child[lane] = child;
      if ((child & WideBoxes::isLeaf) != 0)
        groups_[child & ~WideBoxes::isLeaf] = groupOf(mesh, triangles);
    }
  });
}

const BoxHierarchy& boxHierarchyOf(const Shape& shape, int workers) {
  return KeptWithShape::ofMesh(shape).get<BoxHierarchy>(
      [&shape, workers] { return BoxHierarchy(shape.polyhedron(), workers); });
}

}  // namespace nearmiss
