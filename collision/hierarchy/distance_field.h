// SPDX-License-Identifier: MIT
/// Quick distances from a surface, for the many guesses of a search; what is promised in the end is
/// measured by others.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_mesh.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Distances in float from a hierarchy of boxes over the triangles. Neighbouring questions help
/// each other: a caller keeps the triangle that answered the last one.
class DistanceField {
 public:
  explicit DistanceField(const TriangleMesh& mesh);

  /// The distance of `point` (frame of the mesh) from the surface, in metres; or, where that is
  /// less than `enough`, any distance below it. `witness` is a place in this structure, 0 at first:
  /// a triangle near the point at the start, the nearest one found in the end.
  [[nodiscard]] float distance(const Vec3& point, std::uint32_t& witness,
                               float enough) const noexcept {
    return std::sqrt(squaredDistance(local(point), enough, witness));
  }

  /// Whether `point` lies behind the triangle nearest to it: on the inner side of a closed surface.
  [[nodiscard]] bool isBehind(std::uint32_t nearest, const Vec3& point) const noexcept;

  /// The distance of `point` from one triangle: an upper bound of the distance.
  [[nodiscard]] float distanceFrom(std::uint32_t witness, const Vec3& point) const noexcept {
    const Point v = towards(facets_[witness], local(point));
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  }

 private:
  struct Point {
    float x, y, z;
  };
  /// An inner node's first child follows it and `count` is 0; a leaf's triangles begin at `place`.
  struct Node {
    float low[3], high[3];
    std::uint32_t place, count;
  };
  struct Facet {
    Point corner, edge1, edge2;
  };
  [[nodiscard]] float squaredDistance(const Point& p, float enough,
                                      std::uint32_t& witness) const noexcept;
  static Point towards(const Facet& facet, const Point& p) noexcept;
  struct Part {
    Box box;
    Facet facet;
    std::uint32_t number = 0;
  };
  void build(std::span<Part> parts, int depth);
  static std::size_t bestSplit(std::span<Part> parts, const Box& middles);
  [[nodiscard]] Point local(const Vec3& point) const noexcept {
    return {static_cast<float>(point.x - origin_.x), static_cast<float>(point.y - origin_.y),
            static_cast<float>(point.z - origin_.z)};
  }

  Vec3 origin_{0.0};  ///< floats are relative to it, or they would be coarse far from the origin
  std::vector<Node> nodes_;
  std::vector<Facet> facets_;
};

}  // namespace nearmiss
