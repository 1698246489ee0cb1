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
  /// True if this is possible for vertices of b, or of a.
  [[nodiscard]] bool possible(bool forB) const noexcept { return possible() && forB == ofB_; }

  /// Keeps a vertex of the solid if its body goes through the surface there, along the normal. Adds
  /// the work, in tests of bounds, to `work`.
  /// @pre possible()
  void look(std::uint32_t vertex, std::uint64_t& work);

  /// Keeps the crossing of an edge of each body if that of the solid is beyond that of the surface,
  /// across it. False if not. Adds the work likewise.
  /// @param crossing frame of a, as the edges
  bool look(const FacedEdge& a, const FacedEdge& b, const ManifoldPoint& crossing,
            std::uint64_t& work);

  struct Side {
    std::vector<Vertex> vertices;
    std::vector<ManifoldPoint> crossings;
    Real reach = 0.0;  ///< metres, of all vertices there
  };
  /// The side on which the solid reaches less far: that beyond the surface, where both cross.
  [[nodiscard]] const Side& beyond() const noexcept {
    return behind_.reach <= before_.reach ? behind_ : before_;
  }
  [[nodiscard]] bool someFound() const noexcept {
    return !behind_.vertices.empty() || !before_.vertices.empty() || !behind_.crossings.empty() ||
           !before_.crossings.empty();
  }
  /// The side beyond before all vertices were looked at: the side on which the middle of the solid
  /// is not.
  [[nodiscard]] const Side& likelyBeyond() const;

 private:
  [[nodiscard]] Real sideOf(const Vec3& point, const SurfacePoint& nearest) const;

  const Polyhedron *own_ = nullptr, *other_ = nullptr;
  bool ofB_ = false;
  Pose toOther_;
  Real slack_ = 0.0;
  Side behind_, before_;  ///< the normals of the surface
};

}  // namespace nearmiss
