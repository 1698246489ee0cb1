// SPDX-License-Identifier: MIT
/// Quick distances from a surface, for the many candidates of a search; final bounds are measured
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

/// Distances in float from a hierarchy of boxes, and of cylinders where these are thinner, over the
/// triangles, four to a node; of large triangles in a heap from a grid. For neighbouring queries a
/// caller keeps the witness: the index of the nearest triangle of the last one.
class DistanceField {
 public:
  explicit DistanceField(const TriangleMesh& mesh);

  /// The distance of `point` (frame of the mesh) from the surface, in metres; or, where that is
  /// less than `enough`, any distance below it. `witness` is an index in this structure, 0 at
  /// first: a triangle near the point at the start, the nearest one found in the end. For a
  /// distance beyond `limit` any value from `limit` on is returned, and no witness.
  [[nodiscard]] float distance(
      const Vec3& point, std::uint32_t& witness, float enough,
      float limit = std::numeric_limits<float>::infinity()) const noexcept {
    return std::sqrt(squaredDistance(local(point), enough, limit, witness));
  }

  /// True if a triangle that lies together with `witness` is within `reach` of `point`.
  [[nodiscard]] bool isNear(std::uint32_t witness, const Vec3& point, float reach) const noexcept {
    const FourFloats squared = groups_[witness / FacetGroup::width].squaredDistances(local(point));
    const float square = reach * reach;
    return squared[0] <= square || squared[1] <= square || squared[2] <= square ||
           squared[3] <= square;
  }

  /// True if `point` lies behind the triangle nearest to it: on the inner side of a closed surface.
  [[nodiscard]] bool isBehind(std::uint32_t nearest, const Vec3& point) const noexcept {
    return groups_[nearest / FacetGroup::width].isBehind(nearest % FacetGroup::width, local(point));
  }

  /// The number of a witness in the mesh.
  [[nodiscard]] std::uint32_t triangleOf(std::uint32_t witness) const noexcept {
    return triangles_[witness];
  }

 private:
  /// Boxes of four parts of the surface. Unused ones are infinitely far away.
  struct Node {
    FourVectors low, high;
    std::array<std::uint32_t, 4> children;  ///< a group where `isGroup` is set
    std::uint32_t cylinders = none;         ///< around the same parts, where they are tighter
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

  Vec3 origin_{0.0};  ///< floats are relative to it, or they would be coarse far from the origin
  std::vector<Node> nodes_;
  std::vector<FacetGroup> groups_;
  std::vector<BoundingCylinders> cylinders_;
  std::vector<std::uint32_t> triangles_;  ///< of the mesh, by their indices in the groups
  std::optional<FacetCells> cells_;       ///< where triangles are large and crowded
  std::uint32_t whole_ = 0;               ///< the first group of triangles as the cells number them
};

}  // namespace nearmiss
