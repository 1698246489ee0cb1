// SPDX-License-Identifier: MIT
/// Splits convex polygons by planes, the basic operation of building and querying BSP trees.
#pragma once

#include <nearmiss/advanced/bsp_tree.h>

#include <glm/geometric.hpp>
#include <span>
#include <vector>

namespace nearmiss {

/// Returns the signed distance; positive in front.
[[nodiscard]] inline Real distanceTo(const BspNode& plane, const Vec3& point) noexcept {
  return glm::dot(plane.normal, point) - plane.offset;
}

/// The extents of a polygon on the two sides of a plane, metres, both at least 0.
struct PlaneReach {
  Real front = 0.0;
  Real back = 0.0;
};

/// Computes the extents. Also writes the signed distance of each corner to `distances`, which is
/// cleared first.
[[nodiscard]] inline PlaneReach reachAcross(const BspNode& plane, std::span<const Vec3> polygon,
                                            std::vector<Real>& distances) {
  PlaneReach reach;
  distances.clear();
  for (const Vec3& corner : polygon) {
    const Real d = distanceTo(plane, corner);
    distances.push_back(d);
    if (d > reach.front) reach.front = d;
    if (-d > reach.back) reach.back = -d;
  }
  return reach;
}

/// Appends the part of a convex polygon in front of a plane to `front` and the part behind it to
/// `back`. Corners within `snap` metres of the plane belong to both parts, unmoved. An edge is cut
/// from its front end, so that the two polygons at an edge get the same new corner.
inline void splitPolygon(std::span<const Vec3> polygon, std::span<const Real> distances, Real snap,
                         std::vector<Vec3>& front, std::vector<Vec3>& back) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t next = i + 1 == polygon.size() ? 0 : i + 1;
    const Real here = distances[i];
    const Real there = distances[next];
    if (here >= -snap) front.push_back(polygon[i]);
    if (here <= snap) back.push_back(polygon[i]);
    const bool crosses = (here > snap && there < -snap) || (here < -snap && there > snap);
    if (!crosses) continue;
    const Vec3& from = here > 0.0 ? polygon[i] : polygon[next];
    const Vec3& to = here > 0.0 ? polygon[next] : polygon[i];
    const Real depth = here > 0.0 ? here : there;
    const Vec3 cut = from + (to - from) * (depth / (glm::abs(here) + glm::abs(there)));
    front.push_back(cut);
    back.push_back(cut);
  }
}

}  // namespace nearmiss
