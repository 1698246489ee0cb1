// SPDX-License-Identifier: MIT
/// Vertices and edges of a solid that have passed through a surface without an inside, such as
/// terrain or an open crate, and the way back for them.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <vector>

#include "query/contact_body.h"
#include "query/edge_contact.h"

namespace nearmiss {

/// Collects them; keeps its memory. Each vertex of the solid has a side of its own: the one that it
/// came from when it last moved through the surface. A solid may lie astride a rim, with vertices
/// on both sides. In the first search of two bodies nothing is known of before: a vertex has passed
/// the surface if the solid goes on at least as far on the other side.
class PassedFeatures {
 public:
  struct Vertex {
    std::uint32_t index = 0;
    Vec3 onSurface{0.0};  ///< nearest to it, frame of the surface
    Vec3 back{0.0};       ///< unit, from the vertex to there
    Real depth = 0.0;     ///< metres
  };
  /// A vertex of the solid beyond the surface, whether it is a contact or not. Or one that was
  /// beside a rim: it may get beyond the surface around that.
  struct Beyond {
    std::uint32_t vertex = 0;
    int side = 0;  ///< that it came from: 1 before the surface, -1 behind; 0: not known
  };

  /// Starts a search of two bodies, which must outlive the last use.
  /// @param reach metres: of a contact with a gap
  /// @param slack metres: nearer than this is on the surface
  /// @param again the bodies are those of before: their sides are remembered
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real reach, Real slack,
             bool again) noexcept;

  /// Ends a complete search: remembers the pose, and which vertices are beyond the surface.
  /// @param cross the surfaces cross; if not, no vertex is beyond
  void remember(bool cross) noexcept;

  /// True if one is a solid and the other a surface of which all triangles wind alike.
  [[nodiscard]] bool possible() const noexcept { return own_ != nullptr; }
  [[nodiscard]] bool ofB() const noexcept { return ofB_; }  ///< b is the solid
  /// True if this is possible for vertices of b, or of a.
  [[nodiscard]] bool possible(bool forB) const noexcept { return possible() && forB == ofB_; }

  /// True if an earlier search was complete, so that sides are known.
  [[nodiscard]] bool sidesAreKnown() const noexcept { return known_; }
  /// Vertices beyond the surface, or beside a rim, at the end of the last complete search,
  /// ascending.
  [[nodiscard]] const std::vector<Beyond>& before() const noexcept { return before_; }

  /// Returns true if a vertex of the solid is beyond the surface. Keeps it as a contact if its body
  /// crosses the surface there. `work` counts tests of bounds.
  /// @param gap metres: the vertex is at least that far from the surface
  /// @param guess a triangle of the surface that may be near
  bool look(std::uint32_t vertex, Real gap, std::uint32_t guess, std::uint64_t& work);

  /// Takes note of a vertex of the surface inside the solid. Returns false if its contact would
  /// move the solid to another side than that on which it was when the vertex came in.
  /// @param contact null if there is none
  bool keepInside(std::uint32_t vertex, const ManifoldPoint* contact);

  /// Keeps the crossing of an edge of each body if that of the surface is inside the solid. Returns
  /// false if not. Adds the work likewise.
  /// @param crossing frame of a, as the edges
  bool look(const FacedEdge& a, const FacedEdge& b, const ManifoldPoint& crossing,
            std::uint64_t& work);

  [[nodiscard]] const std::vector<Vertex>& vertices() const noexcept { return vertices_; }
  [[nodiscard]] const std::vector<ManifoldPoint>& edges() const noexcept { return edges_; }
  [[nodiscard]] bool someFound() const noexcept { return !vertices_.empty() || !edges_.empty(); }

 private:
  [[nodiscard]] Vec3 positionOf(std::uint32_t vertex, const Pose& toOther) const noexcept {
    return transformed(toOther, own_->mesh().positions[vertex]);
  }
  [[nodiscard]] static const Beyond* find(const std::vector<Beyond>& all,
                                          std::uint32_t vertex) noexcept;
  [[nodiscard]] int sideOfContact(const Vec3& ofVertex, const ManifoldPoint& contact) const;
  [[nodiscard]] bool atRim(std::uint32_t triangle) const noexcept;
  [[nodiscard]] int sideNow(std::uint32_t vertex, const SurfacePoint& nearest, const Beyond* before,
                            std::uint64_t& work) const;
  [[nodiscard]] int sideByReach(std::uint32_t vertex, const SurfacePoint& nearest, Real before,
                                std::uint64_t& work) const;
  [[nodiscard]] bool endsInside(const Vec3& at, Real distance) const;
  [[nodiscard]] Real sideOf(const Vec3& point, const SurfacePoint& nearest) const;

  const ContactBody *own_ = nullptr, *other_ = nullptr;
  bool ofB_ = false;
  bool known_ = false;
  Pose toOther_, toOtherBefore_;  ///< moves the solid into the frame of the surface
  Real reach_ = 0.0, slack_ = 0.0;
  std::vector<Beyond> before_, now_;              ///< vertices of the solid
  std::vector<Beyond> insideBefore_, insideNow_;  ///< of the surface; the side is the solid's
  std::vector<Vertex> vertices_;
  std::vector<ManifoldPoint> edges_;
};

}  // namespace nearmiss
