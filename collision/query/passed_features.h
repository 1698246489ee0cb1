// SPDX-License-Identifier: MIT
/// Vertices and edges of a solid that have passed through a surface without an inside, such as
/// terrain, and the way back for them.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <vector>

#include "query/edge_contact.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// Collects them; keeps its memory. A surface has two sides, and the solid came from the one on
/// which it reaches farther.
class PassedFeatures {
 public:
  struct Vertex {
    std::uint32_t index = 0;
    Vec3 onSurface{0.0};  ///< nearest to it, frame of the surface
    Vec3 back{0.0};       ///< unit, from the vertex to there
    Real depth = 0.0;     ///< metres
  };

  /// Takes up two bodies, which must outlive the last use.
  /// @param slack metres: nearer than this is on the surface
  void begin(const TwoBodies& bodies, Real slack) noexcept;

  /// True if one is a solid and the other a surface of which all triangles wind alike.
  [[nodiscard]] bool possible() const noexcept { return own_ != nullptr; }
  [[nodiscard]] bool ofB() const noexcept { return ofB_; }  ///< b is the solid

  /// True if the body of a vertex goes through the surface at its point nearest to that.
  /// @pre possible()
  [[nodiscard]] bool passed(std::uint32_t vertex, const SurfacePoint& nearest) const;

  /// Keeps a vertex of the solid if it has passed, along the normal of the surface. Returns the
  /// work, in tests of bounds.
  /// @pre possible()
  std::uint64_t look(std::uint32_t vertex);

  /// Keeps the crossing of an edge of each body if that of the solid is beyond that of the surface,
  /// across it. False if not. Adds the work, in tests of bounds, to `work`.
  /// @param crossing frame of a, as the edges
  bool look(const FacedEdge& a, const FacedEdge& b, const ManifoldPoint& crossing,
            std::uint64_t& work);

  struct Side {
    std::vector<Vertex> vertices;
    std::vector<ManifoldPoint> crossings;
    Real reach = 0.0;  ///< metres, of all vertices there
  };
  /// The side on which the solid reaches less far; without vertices where that only touches.
  /// @param crosses the surfaces cross: else it is on one side
  [[nodiscard]] const Side& beyond(bool crosses) const noexcept {
    return !crosses ? nothing_ : behind_.reach <= before_.reach ? behind_ : before_;
  }

 private:
  [[nodiscard]] Real sideOf(const Vec3& point, const SurfacePoint& nearest) const;

  const Polyhedron *own_ = nullptr, *other_ = nullptr;
  bool ofB_ = false;
  Pose toOther_;
  Real slack_ = 0.0;
  Side behind_, before_;  ///< the normals of the surface
  Side nothing_;
};

}  // namespace nearmiss
