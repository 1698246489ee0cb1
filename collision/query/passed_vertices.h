// SPDX-License-Identifier: MIT
/// Vertices of a solid that have passed through a surface without an inside, such as terrain, and
/// the way back for them.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <vector>

#include "query/two_bodies.h"

namespace nearmiss {

/// Collects them; keeps its memory. A surface has two sides, and the solid came from the one on
/// which it reaches farther.
class PassedVertices {
 public:
  struct Passed {
    std::uint32_t vertex = 0;
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

  /// Those of the side on which the solid reaches less far; none where it only touches.
  [[nodiscard]] const std::vector<Passed>& beyond() const noexcept {
    return (behind_.reach <= before_.reach ? behind_ : before_).passed;
  }

 private:
  struct Side {
    std::vector<Passed> passed;
    Real reach = 0.0;  ///< metres, of all vertices there
  };
  [[nodiscard]] Real sideOf(const Vec3& point, const SurfacePoint& nearest) const;

  const Polyhedron *own_ = nullptr, *other_ = nullptr;
  bool ofB_ = false;
  Pose toOther_;
  Real slack_ = 0.0;
  Side behind_, before_;  ///< the normals of the surface
};

}  // namespace nearmiss
