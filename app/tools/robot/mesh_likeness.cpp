// SPDX-License-Identifier: MIT
#include "tools/robot/mesh_likeness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <unordered_map>

namespace nearmiss::app::robot {
namespace {

/// Maximum deviation, relative to the size of the mesh.
constexpr Real likeness = 1e-6;

/// A grid of a mesh's vertices for nearest-vertex queries.
class VertexCells {
 public:
  VertexCells(const TriangleMesh& mesh, const Vec3& middle, Real reach)
      : mesh_(mesh), middle_(middle), reach_(reach) {
    for (std::uint32_t i = 0; i < mesh.positions.size(); ++i)
      if (const std::uint64_t key = keyOf(cellOf(mesh.positions[i])); cells_.count(key) < maxKept)
        cells_.emplace(key, i);
  }

  /// Distance to the nearest stored vertex; infinite beyond the reach.
  [[nodiscard]] Real distance(const Vec3& point) const {
    Real least = std::numeric_limits<Real>::infinity();
    const Cell at = cellOf(point);
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const auto [first, end] = cells_.equal_range(keyOf({at[0] + x, at[1] + y, at[2] + z}));
          for (auto each = first; each != end; ++each)
            least = std::min(least, glm::distance(mesh_.positions[each->second], point));
        }
    return least <= reach_ ? least : std::numeric_limits<Real>::infinity();
  }

 private:
  /// Maximum number of stored vertices per cell. With all vertices in one cell the search would be
  /// quadratic; skipping vertices can only make meshes seem less alike.
  static constexpr std::size_t maxKept = 8;
  using Cell = std::array<std::int64_t, 3>;
  /// Relative to the centre of the mesh, so that cell indices do not overflow far from the origin.
  [[nodiscard]] Cell cellOf(const Vec3& p) const {
    const Vec3 at = (p - middle_) / reach_;
    return {std::llround(at.x), std::llround(at.y), std::llround(at.z)};
  }
  static std::uint64_t keyOf(const Cell& cell) {
    std::uint64_t key = 0;
    for (const std::int64_t c : cell)
      key = (key ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15u;
    return key;
  }

  const TriangleMesh& mesh_;
  Vec3 middle_;
  Real reach_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> cells_;
};

/// All rotations by right angles, with and without mirroring: the identity, then mirrors in one
/// axis.
std::vector<glm::dmat3> axisMaps() {
  std::vector<glm::dmat3> maps;
  for (const std::array<int, 3>& order : std::to_array<std::array<int, 3>>(
           {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}}))
    for (const int signs : {0, 1, 2, 4, 3, 5, 6, 7}) {
      glm::dmat3 map(0.0);
      for (int axis = 0; axis < 3; ++axis)
        map[axis][order[static_cast<std::size_t>(axis)]] = signs >> axis & 1 ? -1.0 : 1.0;
      maps.push_back(map);
    }
  return maps;
}

/// Maximum distance of the mapped vertices from those of the other mesh; infinite beyond the reach.
Real deviationOf(const TriangleMesh& from, const MeshLikeness& map, const VertexCells& to) {
  Real most = 0.0;
  for (const Vec3& p : from.positions) {
    most = std::max(most, to.distance(map(p)));
    if (!std::isfinite(most)) break;
  }
  return most;
}

}  // namespace

std::optional<MeshLikeness> likenessOf(const TriangleMesh& from, const TriangleMesh& to) {
  if (from.positions.size() != to.positions.size() ||
      from.triangles.size() != to.triangles.size() || from.triangles.empty())
    return std::nullopt;
  const Box boxFrom = boundingBox(from), boxTo = boundingBox(to);
  const Vec3 extent = boxTo.extent();
  const Real reach = likeness * std::max({extent.x, extent.y, extent.z});
  if (!(reach > 0.0)) return std::nullopt;
  std::optional<VertexCells> cellsTo, cellsFrom;
  for (const glm::dmat3& axes : axisMaps()) {
    // The boxes must map to each other
    const Vec3 off = glm::abs(glm::abs(axes * boxFrom.extent()) - extent);
    if (std::max({off.x, off.y, off.z}) > 2.0 * reach) continue;
    if (!cellsTo) {
      cellsTo.emplace(to, boxTo.centre(), reach);
      cellsFrom.emplace(from, boxFrom.centre(), reach);
    }
    MeshLikeness map{axes, boxTo.centre() - axes * boxFrom.centre(), 0.0};
    const glm::dmat3 back = glm::transpose(axes);
    const MeshLikeness inverse{back, -(back * map.shift), 0.0};
    map.deviation =
        std::max(deviationOf(from, map, *cellsTo), deviationOf(to, inverse, *cellsFrom));
    if (std::isfinite(map.deviation)) return map;
  }
  return std::nullopt;
}

std::vector<Sphere> mapped(const MeshLikeness& map, std::span<const Sphere> spheres) {
  std::vector<Sphere> all(spheres.begin(), spheres.end());
  for (Sphere& sphere : all) {
    sphere.centre = map(sphere.centre);
    sphere.radius += map.deviation;
  }
  return all;
}

}  // namespace nearmiss::app::robot
