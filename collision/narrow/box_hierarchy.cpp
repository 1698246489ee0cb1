// SPDX-License-Identifier: MIT
#include "narrow/box_hierarchy.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

#include "spheres/node_boxes.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

constexpr std::size_t laneCount = SpherePack::width;
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

TriangleGroup groupOf(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<LeafPiece> whole;
  for (const std::uint32_t t : triangles) {
    Sphere ball = ballAround(mesh.corners(t));
    ball.radius *= 1.0 + 1e-12;
    whole.push_back({t, ball});
  }
  return triangleGroup(mesh, whole);
}

/// Sorts the triangles by their middles across the longest extent of these. Whole groups are on the
/// left, so that few are left half empty.
std::size_t sortIntoHalves(const TriangleMesh& mesh, std::span<std::uint32_t> triangles) {
  Box box;
  const auto middle = [&mesh](std::uint32_t t) {
    const Triangle corners = mesh.corners(t);
    return corners[0] + corners[1] + corners[2];
  };
  for (const std::uint32_t t : triangles) box.include(middle(t));
  const int axis = longestAxis(box);
  const std::size_t groups = (triangles.size() + laneCount - 1) / laneCount;
  const std::size_t half = (groups + 1) / 2 * laneCount;
  std::ranges::nth_element(triangles, triangles.begin() + static_cast<std::ptrdiff_t>(half),
                           [&](std::uint32_t p, std::uint32_t q) {
                             const Real at = middle(p)[axis], other = middle(q)[axis];
                             return at < other || (at == other && p < q);
                           });
  return half;
}

/// Axes that fit some of the triangles.
NodeBox orientedBox(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<Triangle> some;
  const std::size_t step = std::max<std::size_t>(1, triangles.size() / fittedTriangles);
  for (std::size_t i = 0; i < triangles.size(); i += step)
    some.push_back(mesh.corners(triangles[i]));
  return fitBoxRoughly(some, 0.0);
}

}  // namespace

BoxHierarchy::BoxHierarchy(const Polyhedron& polyhedron) {
  std::vector<std::uint32_t> triangles(polyhedron.mesh().triangles.size());
  std::iota(triangles.begin(), triangles.end(), 0u);
  packs_.push_back(unusedBoxes());
  put(polyhedron, triangles, 0, 0);
  packs_[0].child[0] = add(polyhedron, triangles);
}

/// A group of up to eight, or a pack of up to eight parts.
std::uint32_t BoxHierarchy::add(const Polyhedron& polyhedron, std::span<std::uint32_t> triangles) {
  if (triangles.size() <= laneCount) {
    groups_.push_back(groupOf(polyhedron.mesh(), triangles));
    return SearchTree::group | static_cast<std::uint32_t>(groups_.size() - 1);
  }
  const auto parts = eightParts(triangles, laneCount, [&](std::span<std::uint32_t> part) {
    return sortIntoHalves(polyhedron.mesh(), part);
  });
  const auto pack = static_cast<std::uint32_t>(packs_.size());
  packs_.push_back(unusedBoxes());
  for (std::size_t lane = 0; lane < parts.size(); ++lane) {
    put(polyhedron, parts[lane], pack, lane);
    const std::uint32_t below = add(polyhedron, parts[lane]);
    packs_[pack].child[lane] = below;
  }
  return pack;
}

/// A box that holds the corners whatever rounding did to its axes: they are rounded first.
void BoxHierarchy::put(const Polyhedron& polyhedron, std::span<const std::uint32_t> triangles,
                       std::uint32_t pack, std::size_t lane) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const NodeBox fitted = orientedBox(mesh, triangles);
  std::array<Real, 3> low, high;
  low.fill(std::numeric_limits<Real>::infinity());
  high.fill(-std::numeric_limits<Real>::infinity());
  for (const std::uint32_t t : triangles)
    for (const Vec3& corner : mesh.corners(t))
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        const Real at = glm::dot(fitted.direction(k), corner);
        low[axis] = std::min(low[axis], at);
        high[axis] = std::max(high[axis], at);
      }
  // The middle is rounded as well, and the half extents make up for it
  Vec3 middle(0.0);
  for (int k = 0; k < 3; ++k)
    middle += 0.5 * (low[static_cast<std::size_t>(k)] + high[static_cast<std::size_t>(k)]) *
              fitted.direction(k);
  const Vec3 centre = roundedToFloat(middle);
  std::array<Real, 3> half;
  std::array<int, 3> order{0, 1, 2};
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const Real at = glm::dot(fitted.direction(k), centre);
    half[axis] = std::max(high[axis] - at, at - low[axis]);
  }
  std::ranges::sort(order, [&](int p, int q) {
    return half[static_cast<std::size_t>(p)] < half[static_cast<std::size_t>(q)];
  });
  BoxPack& boxes = packs_[pack];
  for (std::size_t k = 0; k < 3; ++k) {
    const int from = order[k];
    boxes.centre[k][lane] = static_cast<float>(centre[static_cast<int>(k)]);
    for (int coordinate = 0; coordinate < 3; ++coordinate)
      boxes.axis[k][coordinate][lane] = fitted.axis[from][coordinate];
    boxes.half[k][lane] = floatAtLeast(half[static_cast<std::size_t>(from)]);
  }
}

const BoxHierarchy& boxHierarchyOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<BoxHierarchy>(
      [&shape] { return BoxHierarchy(shape.polyhedron()); });
}

}  // namespace nearmiss
