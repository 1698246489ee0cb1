// SPDX-License-Identifier: MIT
/// One of two bodies, as the search for contacts sees it.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include "query/surface_edges.h"

namespace nearmiss {

/// A view of a shape, which must outlive it.
class ContactBody {
 public:
  ContactBody() = default;
  ContactBody(const Shape& shape, const SurfaceEdges& edges) noexcept
      : polyhedron_(&shape.polyhedron()), edges_(&edges) {}

  [[nodiscard]] const Polyhedron& polyhedron() const noexcept { return *polyhedron_; }
  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return polyhedron_->mesh(); }
  [[nodiscard]] const SurfaceEdges& edges() const noexcept { return *edges_; }
  [[nodiscard]] bool hasInside() const noexcept { return polyhedron_->report().solid(); }
  /// Body frame. False for a surface without an inside.
  [[nodiscard]] bool contains(const Vec3& point) const { return polyhedron_->contains(point); }
  /// The nearest point of the boundary.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const {
    return polyhedron_->nearest(point);
  }

 private:
  const Polyhedron* polyhedron_ = nullptr;
  const SurfaceEdges* edges_ = nullptr;
};

}  // namespace nearmiss
