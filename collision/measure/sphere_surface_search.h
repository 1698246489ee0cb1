// SPDX-License-Identifier: MIT
/// How far the points of a sphere, not of its ball, can be from a surface: the measure of the
/// paper [H96 §9.2].
#pragma once

#include "measure/farthest_point.h"
#include "measure/open_parts.h"

#include <nearmiss/polyhedron.h>

#include <cstddef>
#include <cstdint>

namespace nearmiss {

/// Branch and bound over patches of the sphere: the faces of a cube about it, halved both ways and
/// seen from the centre. A patch lies in a cap, whose farthest point from a given point is known.
class SphereSurfaceSearch {
 public:
  /// @param polyhedron must outlive this
  explicit SphereSurfaceSearch(const Polyhedron& polyhedron) noexcept : polyhedron_(&polyhedron) {}

  /// Searches until the range is no wider than `tolerance` or `mostQueries` points were looked at.
  /// @param outsideOnly points inside of the solid count 0; without meaning for what is no solid
  [[nodiscard]] DistanceRange search(const Sphere& sphere, Real tolerance, bool outsideOnly,
                                     std::size_t mostQueries = 20000);

 private:
  struct Patch {
    int face = 0;                                   ///< axis * 2, and 1 for the far side
    Real u0 = -1.0, u1 = 1.0, v0 = -1.0, v1 = 1.0;  ///< on the face, which spans -1 to 1
    Real atMost = 0.0;
    std::uint32_t sequence = 0;  ///< decides ties
  };
  void look(const Sphere& sphere, Patch patch, bool outsideOnly);

  const Polyhedron* polyhedron_;
  OpenParts<Patch> open_;
  DistanceRange range_;
  std::uint32_t queries_ = 0;
};

}  // namespace nearmiss
