// SPDX-License-Identifier: MIT
/// Vertices and edges of a solid that have passed through a surface without an inside, such as
/// terrain, and the way back for them.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <vector>

#include "query/contact_body.h"
#include "query/edge_contact.h"

namespace nearmiss {

/// Collects them; keeps its memory. A surface has two sides: the solid is on the one where it was
/// last seen apart from the surface, or else where it reaches farther.
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
  /// @param again they are those of before: their side is remembered
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real slack,
             bool again) noexcept;

  /// True if one is a solid and the other a surface of which all triangles wind alike.
  [[nodiscard]] bool possible() const noexcept { return own_ != nullptr; }
  [[nodiscard]] bool ofB() const noexcept { return ofB_; }  ///< b is the solid
  /// True if this is possible for vertices of b, or of a.
  [[nodiscard]] bool possible(bool forB) const noexcept { return possible() && forB == ofB_; }

  /// Forgets everything, the side too: the bodies are far apart.
  void clear() noexcept;

  /// Takes note of a vertex of either body that is apart from the other one.
  /// @param side above 0: the solid is before the surface there; below 0: behind
  void seeGap(Real side) noexcept { seen_ = side; }
  /// Takes note of a vertex of the surface that lies inside the solid.
  /// @param side that on which the solid would be if the vertex moved out
  void seeInside(Real side) noexcept { inside_ += side; }
  /// Remembers the side of those vertices for bodies that do not cross.
  void keepSide() noexcept { side_ = seen_; }

  [[nodiscard]] bool sideIsKnown() const noexcept { return side_ != 0.0; }

  /// Takes note of a point where the surfaces cross, frame of a, and the surface's normal there.
  void addCrossing(const Vec3& at, const Vec3& normal) noexcept;
  /// Decides on which side the solid is, unless that is remembered. Adds the work, in tests of
  /// bounds, to `work`.
  /// @pre addCrossing() was called.
  void chooseSide(std::uint64_t& work);

  /// Keeps a vertex of the solid if it is beyond the surface and its body goes through that there.
  /// False if it is not beyond. Adds the work likewise.
  /// @pre chooseSide() was called.
  bool look(std::uint32_t vertex, std::uint64_t& work);

  /// Keeps the crossing of an edge of each body if that of the solid is beyond that of the surface,
  /// across it. False if not. Adds the work likewise.
  /// @param crossing frame of a, as the edges
  bool look(const FacedEdge& a, const FacedEdge& b, const ManifoldPoint& crossing,
            std::uint64_t& work);

  /// True if moving the bodies apart along a normal, frame of a and from b to a, leads the solid to
  /// its side of a vertex of the surface.
  [[nodiscard]] bool leadsBack(std::uint32_t vertex, const Vec3& normal) const;

  [[nodiscard]] const std::vector<Vertex>& vertices() const noexcept { return vertices_; }
  [[nodiscard]] const std::vector<ManifoldPoint>& crossingsBeyond() const;
  [[nodiscard]] bool someFound() const noexcept {
    return !vertices_.empty() || !behind_.empty() || !before_.empty();
  }

 private:
  [[nodiscard]] Real sideOf(const Vec3& point, const SurfacePoint& nearest) const;

  const ContactBody *own_ = nullptr, *other_ = nullptr;
  bool ofB_ = false;
  Pose toOther_;
  Real slack_ = 0.0;
  Real side_ = 0.0;             ///< of the solid: above 0 before the surface; 0: not known
  Real seen_ = 0.0;             ///< likewise, of vertices that are apart from it
  Real inside_ = 0.0;           ///< sum over vertices of the surface inside the solid
  Vec3 at_{0.0}, normal_{0.0};  ///< sums over the crossings
  std::uint32_t count_ = 0;     ///< of them
  std::vector<Vertex> vertices_;
  std::vector<ManifoldPoint> behind_, before_;  ///< crossings of edges there
};

}  // namespace nearmiss
