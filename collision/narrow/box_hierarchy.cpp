// SPDX-License-Identifier: MIT
#include "narrow/box_hierarchy.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "geometry/box_measures.h"
#include "geometry/equal_items.h"
#include "geometry/surface_boxes.h"
#include "geometry/triangle_normal.h"
#include "spheres/node_boxes.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

static_assert(WideBoxes::width == SpherePack::width);
/// Position of unused lanes: far away, but squares and products stay finite.
constexpr float outOfReach = 1e18f;
/// Boxes around more triangles are fitted to a sample, and then enlarged to contain all.
constexpr std::size_t fittedTriangles = 64;

BoxPack unusedBoxes() noexcept {
  BoxPack pack{};
  for (auto& coordinate : pack.centre) std::ranges::fill(coordinate, outOfReach);
  std::ranges::fill(pack.child, SphereLinks::none);
  return pack;
}

/// The corners of the triangles of a leaf, side by side so that eight lanes are computed at once.
using Lanes = std::array<Real, SpherePack::width>;
using CornerLanes = std::array<std::array<Lanes, 3>, 3>;  ///< corner, axis

/// @param triangles the last one is repeated in unused lanes
CornerLanes gathered(const TriangleMesh& mesh,
                     std::span<const std::uint32_t, SpherePack::width> triangles) noexcept {
  CornerLanes corners;
  for (std::size_t lane = 0; lane < SpherePack::width; ++lane)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Vec3& p = mesh.positions[mesh.triangles[triangles[lane]][corner]];
      for (std::size_t axis = 0; axis < 3; ++axis)
        corners[corner][axis][lane] = p[static_cast<int>(axis)];
    }
  return corners;
}

/// Calls work(lane) for all eight lanes, which may be vectorised.
void forLanes(const auto& work) {
  for (std::size_t lane = 0; lane < SpherePack::width; ++lane) work(lane);
}

/// Sets balls about the centres of the boxes of the corners.
void putBalls(const CornerLanes& corners, TriangleGroup& made) noexcept {
  std::array<Lanes, 3> centre;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& [p, q, r] = corners;
    float* own = axis == 0 ? made.x : axis == 1 ? made.y : made.z;
    forLanes([&](std::size_t lane) {
      const Real low = std::min(std::min(p[axis][lane], q[axis][lane]), r[axis][lane]);
      const Real high = std::max(std::max(p[axis][lane], q[axis][lane]), r[axis][lane]);
      own[lane] = static_cast<float>(0.5 * (low + high));
    });
    forLanes([&](std::size_t lane) { centre[axis][lane] = own[lane]; });
  }
  Lanes square{};
  for (const auto& corner : corners)
    forLanes([&](std::size_t lane) {
      const Real x = corner[0][lane] - centre[0][lane], y = corner[1][lane] - centre[1][lane],
                 z = corner[2][lane] - centre[2][lane];
      square[lane] = std::max(square[lane], x * x + y * y + z * z);
    });
  Lanes radius;
  forLanes([&](std::size_t lane) { radius[lane] = std::sqrt(square[lane]) * (1.0 + 1e-12); });
  forLanes([&](std::size_t lane) { made.r[lane] = floatAtLeast(radius[lane]); });
}

/// Sets the planes of the corners.
void putPlanes(const CornerLanes& corners, TriangleGroup& made) noexcept {
  const auto& [p, q, r] = corners;
  std::array<Lanes, 3> normal;
  Lanes length, longest;
  forLanes([&](std::size_t lane) {
    const Vec3 u(q[0][lane] - p[0][lane], q[1][lane] - p[1][lane], q[2][lane] - p[2][lane]);
    const Vec3 v(r[0][lane] - p[0][lane], r[1][lane] - p[1][lane], r[2][lane] - p[2][lane]);
    const Vec3 w = v - u;
    const Vec3 usual(u.y * v.z - v.y * u.z, u.z * v.x - v.z * u.x, u.x * v.y - v.x * u.y);
    for (std::size_t axis = 0; axis < 3; ++axis) normal[axis][lane] = usual[static_cast<int>(axis)];
    length[lane] = std::sqrt(usual.x * usual.x + usual.y * usual.y + usual.z * usual.z);
    longest[lane] = std::max({u.x * u.x + u.y * u.y + u.z * u.z, v.x * v.x + v.y * v.y + v.z * v.z,
                              w.x * w.x + w.y * w.y + w.z * w.z});
  });
  // Inaccurate ones are few
  std::array<bool, SpherePack::width> isThin;
  forLanes(
      [&](std::size_t lane) { isThin[lane] = !(length[lane] > 2.0 * thinSine * longest[lane]); });
  for (auto& along : normal) forLanes([&](std::size_t lane) { along[lane] *= 1.0 / length[lane]; });
  for (std::size_t lane = 0; lane < SpherePack::width; ++lane) {
    if (!isThin[lane]) continue;
    Triangle triangle;
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (std::size_t axis = 0; axis < 3; ++axis)
        triangle[corner][static_cast<int>(axis)] = corners[corner][axis][lane];
    const Vec3 precise = unitNormalOf(triangle);
    for (std::size_t axis = 0; axis < 3; ++axis)
      normal[axis][lane] = precise[static_cast<int>(axis)];
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    forLanes(
        [&](std::size_t lane) { made.plane[axis][lane] = static_cast<float>(normal[axis][lane]); });
  forLanes([&](std::size_t lane) {
    made.plane[3][lane] = static_cast<float>(Real{made.plane[0][lane]} * p[0][lane] +
                                             Real{made.plane[1][lane]} * p[1][lane] +
                                             Real{made.plane[2][lane]} * p[2][lane]);
  });
  // The height of corners above the stored plane is a few ulps of their distance, which the slack
  // of searches covers. Without a plane nothing is pruned
  constexpr Real ulps = 0x1p-21;
  Lanes farthest{}, height{};
  for (const auto& corner : corners)
    forLanes([&](std::size_t lane) {
      const Real x = corner[0][lane], y = corner[1][lane], z = corner[2][lane];
      farthest[lane] = std::max(farthest[lane], x * x + y * y + z * z);
      height[lane] = std::max(
          height[lane], std::abs(Real{made.plane[0][lane]} * x + Real{made.plane[1][lane]} * y +
                                 Real{made.plane[2][lane]} * z - Real{made.plane[3][lane]}));
    });
  forLanes([&](std::size_t lane) {
    const float kept = height[lane] <= ulps * std::sqrt(farthest[lane]) ? 1.0f : 0.0f;
    for (auto& plane : made.plane) plane[lane] = kept == 1.0f ? plane[lane] : 0.0f;
  });
}

void putGroup(const TriangleMesh& mesh, std::span<const std::uint32_t, SpherePack::width> triangles,
              TriangleGroup& made) noexcept {
  const CornerLanes corners = gathered(mesh, triangles);
  putBalls(corners, made);
  putPlanes(corners, made);
  for (std::size_t corner = 0; corner < 3; ++corner)
    for (std::size_t axis = 0; axis < 3; ++axis)
      forLanes([&](std::size_t lane) {
        made.corner[corner][axis][lane] = static_cast<float>(corners[corner][axis][lane]);
      });
  for (std::size_t lane = 0; lane < SpherePack::width; ++lane) {
    made.triangle[lane] = triangles[lane];
    if (lane == 0 || triangles[lane] != triangles[lane - 1]) continue;
    // An unused lane
    made.triangle[lane] = 0;
    made.x[lane] = std::numeric_limits<float>::infinity();
    made.y[lane] = made.z[lane] = 0.0f;
    made.r[lane] = -1.0f;
    for (auto& plane : made.plane) plane[lane] = 0.0f;
    for (auto& corner : made.corner)
      for (auto& coordinate : corner) coordinate[lane] = 0.0f;
  }
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

/// The slabs between two planes along each of the axes of a box.
class Slabs {
 public:
  explicit Slabs(const BoxPack& pack, std::uint32_t lane) noexcept {
    for (std::size_t k = 0; k < 3; ++k)
      axes_[k] = {pack.axis[k][0][lane], pack.axis[k][1][lane], pack.axis[k][2][lane]};
  }
  void include(const Vec3& point) noexcept {
    for (std::size_t k = 0; k < 3; ++k) {
      const Real at = glm::dot(axes_[k], point);
      low_[k] = std::min(low_[k], at);
      high_[k] = std::max(high_[k], at);
    }
  }
  /// Includes a whole box.
  void include(const BoxPack& pack, std::uint32_t lane) noexcept {
    const Vec3 centre(pack.centre[0][lane], pack.centre[1][lane], pack.centre[2][lane]);
    for (std::size_t k = 0; k < 3; ++k) {
      Real reach = 0.0, size = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 axis(pack.axis[i][0][lane], pack.axis[i][1][lane], pack.axis[i][2][lane]);
        reach += std::abs(glm::dot(axes_[k], axis)) * pack.half[i][lane];
        size += pack.half[i][lane];
      }
      // Axes are of unit length and at right angles within 2^-22
      reach += 0x1p-19 * size;
      const Real at = glm::dot(axes_[k], centre);
      low_[k] = std::min(low_[k], at - reach);
      high_[k] = std::max(high_[k], at + reach);
    }
  }
  /// The box around everything included.
  /// @param rounding error of a product with an axis, metres
  [[nodiscard]] NodeBox box(Real rounding) const noexcept {
    Vec3 centre(0.0);
    for (std::size_t k = 0; k < 3; ++k) centre += 0.5 * (low_[k] + high_[k]) * axes_[k];
    centre = roundedToFloat(centre);
    std::array<Real, 3> half;
    for (std::size_t k = 0; k < 3; ++k) {
      const Real at = glm::dot(axes_[k], centre);
      half[k] = std::max(high_[k] - at, at - low_[k]) + rounding;
    }
    return orderedBox(axes_, centre, half);
  }

 private:
  std::array<Vec3, 3> axes_;
  std::array<Real, 3> low_{infinite, infinite, infinite}, high_{-infinite, -infinite, -infinite};
  static constexpr Real infinite = std::numeric_limits<Real>::infinity();
};

Real areaOf(const BoxPack& pack, std::uint32_t lane) noexcept {
  const Real x = pack.half[0][lane], y = pack.half[1][lane], z = pack.half[2][lane];
  return 8.0 * (x * y + y * z + z * x);
}

}  // namespace

BoxHierarchy::BoxHierarchy(const Polyhedron& polyhedron, int workers) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const WideBoxes& boxes = surfaceOf(polyhedron).boxes();
  packs_.assign(boxes.nodeCount(), unusedBoxes());
  groups_.resize(boxes.leafCount());
  // Top nodes take longest, so each is a separate task
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
        putGroup(mesh, boxes.itemsOf(child), groups_[child & ~WideBoxes::isLeaf]);
    }
  });
}

void BoxHierarchy::refit(const Polyhedron& body, const PolyhedronMotion& motion) noexcept {
  const TriangleMesh& mesh = body.mesh();
  const WideBoxes& boxes = surfaceOf(body).boxes();
  const Real rounding = 0x1p-48 * largestCoordinate(boxes.bounds());
  const auto includeLeaf = [&](Slabs& slabs, std::uint32_t leaf) {
    for (const std::uint32_t v : motion.verticesOf(leaf)) slabs.include(mesh.positions[v]);
  };
  // Children come after their parents in the list
  for (std::size_t at = packs_.size(); at-- > 0;) {
    const WideBoxes::Node& node = boxes.node(static_cast<std::uint32_t>(at));
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const std::uint32_t child = node.child[lane];
      Slabs slabs(packs_[at], lane);
      if ((child & WideBoxes::isLeaf) != 0) {
        const std::uint32_t leaf = child & ~WideBoxes::isLeaf;
        putGroup(mesh, boxes.itemsOf(child), groups_[leaf]);
        includeLeaf(slabs, leaf);
      } else {
        // Boxes around vertices are smaller than boxes around boxes
        const WideBoxes::Node& below = boxes.node(child);
        for (std::uint32_t k = 0; k < below.count; ++k)
          if ((below.child[k] & WideBoxes::isLeaf) != 0)
            includeLeaf(slabs, below.child[k] & ~WideBoxes::isLeaf);
          else
            slabs.include(packs_[child], k);
      }
      put(slabs.box(rounding), packs_[at], lane);
    }
  }
}

Real BoxHierarchy::leafArea() const noexcept {
  Real area = 0.0;
  for (std::size_t at = packs_.size(); at-- > 0;)
    for (std::uint32_t lane = 0; lane < SpherePack::width; ++lane) {
      const std::uint32_t child = packs_[at].child[lane];
      if (child != SphereLinks::none && (child & BoxPack::isLeaf) != 0)
        area += areaOf(packs_[at], lane);
    }
  return area;
}

const BoxHierarchy& boxHierarchyOf(const Shape& shape, int workers) {
  return KeptWithShape::ofMesh(shape).get<BoxHierarchy>(
      [&shape, workers] { return BoxHierarchy(shape.polyhedron(), workers); });
}

}  // namespace nearmiss
