// SPDX-License-Identifier: MIT
/// One of two bodies in a contact search.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "geometry/winding_inside.h"
#include "pair/convex_solid.h"
#include "pair/surface_edges.h"

namespace nearmiss {

enum class ContactKind : std::uint8_t { VertexOfA, VertexOfB, Edges, Depth };

/// @param first, second indices below 2^31
[[nodiscard]] constexpr std::uint64_t contactId(ContactKind kind, std::uint64_t first,
                                                std::uint64_t second) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << 62 | first << 31 | second;
}
[[nodiscard]] constexpr std::uint64_t contactIdOfVertex(bool ofB, std::uint32_t vertex) noexcept {
  return contactId(ofB ? ContactKind::VertexOfB : ContactKind::VertexOfA, 0, vertex);
}
/// @param pair a's edge in the upper half
[[nodiscard]] constexpr std::uint64_t contactIdOfEdges(std::uint64_t pair) noexcept {
  return contactId(ContactKind::Edges, pair >> 32, pair & 0xffffffff);
}

[[nodiscard]] constexpr ContactKind contactKindOf(std::uint64_t id) noexcept {
  return static_cast<ContactKind>(id >> 62);
}
[[nodiscard]] constexpr std::uint32_t contactVertexOf(std::uint64_t id) noexcept {
  return static_cast<std::uint32_t>(id & 0x7fffffff);
}
/// Returns the pair given to contactIdOfEdges().
[[nodiscard]] constexpr std::uint64_t contactEdgesOf(std::uint64_t id) noexcept {
  return (id >> 31 & 0x7fffffff) << 32 | (id & 0x7fffffff);
}

/// A view of a shape, which must outlive it. The shape is a solid, a closed surface that intersects
/// itself (winding numbers define its inside), or a surface without an inside.
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
  /// Returns faceNormalOf() a triangle.
  [[nodiscard]] const Vec3& normalOf(std::uint32_t triangle) const noexcept {
    return edges_->normalOf(triangle);
  }
  [[nodiscard]] const SurfaceEdges& edges() const noexcept { return *edges_; }
  /// Returns null unless the body is a convex solid with few faces.
  [[nodiscard]] const ConvexSolid* convex() const noexcept { return convex_; }
  [[nodiscard]] bool hasInside() const noexcept {
    return winding_ || polyhedron_->report().solid();
  }
  /// Returns true if a triangle lies inside its own body, where nothing touches it.
  [[nodiscard]] bool buried(std::uint32_t triangle) const noexcept {
    return winding_ && winding_->buried(triangle);
  }
  /// Tests a point in the body frame. Always false for a surface without an inside.
  [[nodiscard]] bool contains(const Vec3& point) const {
    return winding_ ? winding_->contains(point) : polyhedron_->contains(point);
  }
  /// Returns the nearest point of the boundary.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const {
    return winding_ ? winding_->nearestBoundary(point) : polyhedron_->nearest(point);
  }
  /// As above, and sets `inside`.
  /// @param guess a triangle that may be near
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, std::uint32_t guess, bool& inside) const {
    if (winding_ || !polyhedron_->report().solid()) {
      inside = contains(point);
      return winding_ ? winding_->nearestBoundary(point) : polyhedron_->nearestFrom(point, guess);
    }
    const SurfacePoint found = polyhedron_->nearestFrom(point, guess);
    // If the point is straight above or below a face, the face's side decides
    const Vec3 way = point - found.position;
    const Real along = glm::dot(normalOf(found.triangle), way);
    constexpr Real straight = 1.0 - 1e-9;
    const bool clear = found.distance > 1e-9 * polyhedron_->radius();
    inside = clear && std::abs(along) > straight * found.distance ? along < 0.0 : contains(point);
    return found;
  }
  /// Returns the depth below the boundary, metres; for a point outside, minus its distance.
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
