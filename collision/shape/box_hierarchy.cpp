// SPDX-License-Identifier: MIT
#include "shape/box_hierarchy.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "base/equal_items.h"
#include "geometry/box_measures.h"
#include "geometry/surface_boxes.h"
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

Real areaOfBox(const BoxPack& pack, std::uint32_t lane) noexcept {
  const Real x = pack.half[0][lane], y = pack.half[1][lane], z = pack.half[2][lane];
  return 8.0 * (x * y + y * z + z * x);
}

}  // namespace

BoxHierarchy::BoxHierarchy(const Polyhedron& polyhedron, int workers) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const WideBoxes& boxes = surfaceOf(polyhedron).boxes();
  packs_.assign(boxes.nodeCount(), unusedBoxes());
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
        includeLeaf(slabs, child & ~WideBoxes::isLeaf);
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
        area += areaOfBox(packs_[at], lane);
    }
  return area;
}

const BoxHierarchy& boxHierarchyOf(const Shape& shape, int workers) {
  return KeptWithShape::ofMesh(shape).get<BoxHierarchy>(
      [&shape, workers] { return BoxHierarchy(shape.polyhedron(), workers); });
}

}  // namespace nearmiss
