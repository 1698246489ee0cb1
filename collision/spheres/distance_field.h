// SPDX-License-Identifier: MIT
/// Fast distances from a surface, for the many candidates of a search. Final bounds are measured
/// elsewhere.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "spheres/facet_bounds.h"

namespace nearmiss {

/// Distances in float. Uses a hierarchy of boxes over the triangles, four per node, with cylinders
/// where these are thinner; for a crowd of large triangles, uses a grid. For successive nearby
/// queries, the caller keeps a witness: the index of the nearest triangle of the last query.
class DistanceField {
 public:
  explicit DistanceField(const TriangleMesh& mesh);

  /// Returns the distance of `point` (frame of the mesh) from the surface, metres. If the distance
  /// is below `enough`, may return any value below `enough`. If it is beyond `limit`, returns any
  /// value from `limit` on, and no witness.
  /// `witness` is an index in this structure, initially 0. On input it is a triangle near the
  /// point; on output, the nearest one found.
  [[nodiscard]] float distance(
      const Vec3& point, std::uint32_t& witness, float enough,
      float limit = std::numeric_limits<float>::infinity()) const noexcept {
    return std::sqrt(squaredDistance(local(point), enough, limit, witness));
  }

  /// Returns true if a triangle stored next to `witness` is within `reach` of `point`.
  [[nodiscard]] bool isNear(std::uint32_t witness, const Vec3& point, float reach) const noexcept {
    const FourFloats squared = groups_[witness / FacetGroup::width].squaredDistances(local(point));
    const float square = reach * reach;
    return squared[0] <= square || squared[1] <= square || squared[2] <= square ||
           squared[3] <= square;
  }

  /// Returns true if `point` lies behind the triangle nearest to it: on the inner side of a closed
  /// surface.
  [[nodiscard]] bool isBehind(std::uint32_t nearest, const Vec3& point) const noexcept {
    return groups_[nearest / FacetGroup::width].isBehind(nearest % FacetGroup::width, local(point));
  }

  /// Returns the index in the mesh of a witness.
  [[nodiscard]] std::uint32_t triangleOf(std::uint32_t witness) const noexcept {
    return triangles_[witness];
  }

 private:
  /// Boxes of four parts of the surface. Unused boxes are infinitely far away.
  struct Node {
    FourVectors low, high;
    std::array<std::uint32_t, 4> children;  ///< a group if `isGroup` is set
    std::uint32_t cylinders = none;  ///< cylinders around the same parts, if they are tighter
  };
  static constexpr std::uint32_t isGroup = 0x80000000u;
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Part {
    Triangle facet;
    Box box;
    std::uint32_t number = 0;
  };
  [[nodiscard]] float squaredDistance(const FourVectors& p, float enough, float limit,
                                      std::uint32_t& witness) const noexcept;
  std::uint32_t addNode(std::span<Part> parts, int depth);
  std::uint32_t addGroup(std::span<const Part> parts);
  void addCylinders(std::span<const std::span<const Part>> parts, Node& node);
  void addCells(std::span<const Part> whole);
  [[nodiscard]] FourVectors local(const Vec3& point) const noexcept {
    return {four(static_cast<float>(point.x - origin_.x)),
            four(static_cast<float>(point.y - origin_.y)),
            four(static_cast<float>(point.z - origin_.z))};
  }

  Vec3 origin_{0.0};  ///< floats are relative to it, for precision far from the origin
  std::vector<Node> nodes_;
  std::vector<FacetGroup> groups_;
  std::vector<BoundingCylinders> cylinders_;
  std::vector<std::uint32_t> triangles_;  ///< index in the mesh, by index in the groups
  std::optional<FacetCells> cells_;       ///< used if triangles are large and crowded
  std::uint32_t whole_ = 0;  ///< the first group of triangles in the numbering of the cells
};

}  // namespace nearmiss
