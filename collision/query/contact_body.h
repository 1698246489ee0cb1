// SPDX-License-Identifier: MIT
/// One of two bodies, as the search for contacts sees it.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "geometry/winding_inside.h"
#include "query/convex_solid.h"
#include "query/surface_edges.h"

namespace nearmiss {

/// A view of a shape, which must outlive it. A solid, a closed surface that intersects itself,
/// which has an inside by its winding numbers, or a surface without an inside.
class ContactBody {
 public:
  ContactBody() = default;
  explicit ContactBody(const Shape& shape)
      : polyhedron_(&shape.polyhedron()),
        edges_(&surfaceEdgesOf(shape)),
        winding_(windingInsideOf(shape)),
        convex_(convexSolidOf(shape)) {}

  [[nodiscard]] const Polyhedron& polyhedron() const noexcept { return *polyhedron_; }
  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return polyhedron_->mesh(); }
  /// faceNormalOf() a triangle.
  [[nodiscard]] const Vec3& normalOf(std::uint32_t triangle) const noexcept {
    return edges_->normalOf(triangle);
  }
  [[nodiscard]] const SurfaceEdges& edges() const noexcept { return *edges_; }
  /// Null unless the body is a convex solid of few faces.
  [[nodiscard]] const ConvexSolid* convex() const noexcept { return convex_; }
  [[nodiscard]] bool hasInside() const noexcept {
    return winding_ || polyhedron_->report().solid();
  }
  /// True if a triangle lies within its own body, where nothing touches it.
  [[nodiscard]] bool buried(std::uint32_t triangle) const noexcept {
    return winding_ && winding_->buried(triangle);
  }
  /// Body frame. False for a surface without an inside.
  [[nodiscard]] bool contains(const Vec3& point) const {
    return winding_ ? winding_->contains(point) : polyhedron_->contains(point);
  }
  /// The nearest point of the boundary.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const {
    return winding_ ? winding_->nearestBoundary(point) : polyhedron_->nearest(point);
  }
  /// The same, and whether the point is inside.
  /// @param guess a triangle that may be near
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, std::uint32_t guess, bool& inside) const {
    if (winding_ || !polyhedron_->report().solid()) {
      inside = contains(point);
      return winding_ ? winding_->nearestBoundary(point) : polyhedron_->nearestFrom(point, guess);
    }
    const SurfacePoint found = polyhedron_->nearestFrom(point, guess);
    // Straight above or below a face, its side is that of the solid
    const Vec3 way = point - found.position;
    const Real along = glm::dot(normalOf(found.triangle), way);
    constexpr Real straight = 1.0 - 1e-9;
    const bool clear = found.distance > 1e-9 * polyhedron_->radius();
    inside = clear && std::abs(along) > straight * found.distance ? along < 0.0 : contains(point);
    return found;
  }
  /// Metres below the boundary, or less than 0 by the distance of a point outside.
  [[nodiscard]] Real depthOf(const Vec3& point) const {
    const Real distance = nearest(point).distance;
    return contains(point) ? distance : -distance;
  }

 private:
  const Polyhedron* polyhedron_ = nullptr;
  const SurfaceEdges* edges_ = nullptr;
  const WindingInside* winding_ = nullptr;
  const ConvexSolid* convex_ = nullptr;
};

}  // namespace nearmiss
