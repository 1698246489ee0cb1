// SPDX-License-Identifier: MIT
/// Vertices and edges of a solid that have crossed a surface without an inside, such as terrain or
/// an open crate, and the way back for them.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>

#include <cstdint>
#include <vector>

#include "contact/contact_body.h"
#include "contact/edge_contact.h"

namespace nearmiss {

/// Returns the side of the last triangle on the way from which the line passes through it: 1 in
/// front, -1 behind, 0 if it passes through none. A line that ends on a triangle has not passed it.
/// Body frame.
[[nodiscard]] int lastSideLeft(const ContactBody& body, const Vec3& from, const Vec3& to);

/// Returns true if a whole line lies inside a solid. Body frame.
/// @pre `from` is inside.
[[nodiscard]] bool holdsLine(const ContactBody& solid, const Vec3& from, const Vec3& to);

/// Collects these features; reuses its memory. Each vertex of the solid has its own side: the one
/// from which it last moved through the surface. A solid may straddle a rim, with vertices on both
/// sides. In the first search of two bodies nothing is known of earlier poses: a vertex then has
/// passed the surface if the solid extends at least as far on the other side.
class SurfaceSides {
 public:
  struct Vertex {
    std::uint32_t index = 0;
    Vec3 onSurface{0.0};  ///< nearest point, frame of the surface
    Vec3 back{0.0};       ///< unit, from the vertex to that point
    Real depth = 0.0;     ///< metres
  };
  /// A vertex of the solid beyond the surface, whether it is a contact or not. Or one that was next
  /// to a rim, and may get beyond the surface around the rim.
  struct Beyond {
    std::uint32_t vertex = 0;
    int side = 0;  ///< where it came from: 1 in front of the surface, -1 behind; 0: unknown
  };

  /// Starts a search of two bodies, which must outlive the last use.
  /// @param reach metres: maximum gap of a contact
  /// @param slack metres: nearer than this is on the surface
  /// @param again the bodies are the same as before, so their sides are remembered
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real reach, Real slack,
             bool again) noexcept;

  /// Ends a complete search: records the pose, and which vertices are beyond the surface.
  /// @param cross whether the surfaces intersect; if not, no vertex is beyond
  void remember(bool cross) noexcept;

  /// Returns true if one body is a solid and the other a surface with consistent winding.
  [[nodiscard]] bool possible() const noexcept { return own_ != nullptr; }
  [[nodiscard]] bool ofB() const noexcept { return ofB_; }  ///< b is the solid
  /// Returns true if this is possible for vertices of b, or else of a.
  [[nodiscard]] bool possible(bool forB) const noexcept { return possible() && forB == ofB_; }

  /// Returns true if an earlier search was complete, so that sides are known.
  [[nodiscard]] bool sidesAreKnown() const noexcept { return known_; }
  /// Returns the vertices beyond the surface, or next to a rim, at the end of the last complete
  /// search, ascending.
  [[nodiscard]] const std::vector<Beyond>& before() const noexcept { return before_; }

  /// Returns true if a vertex of the solid is beyond the surface. Keeps it as a contact if its body
  /// intersects the surface there. `work` counts bound tests.
  /// @param gap metres: minimum distance of the vertex from the surface
  /// @param guess a triangle of the surface that may be near
  bool look(std::uint32_t vertex, Real gap, std::uint32_t guess, std::uint64_t& work);

  /// Records a vertex of the surface inside the solid. Returns false if its contact would move the
  /// solid to another side than the one on which it was when the vertex entered.
  /// @param contact null if there is none
  bool keepInside(std::uint32_t vertex, const ManifoldPoint* contact);

  /// Keeps the crossing of an edge of each body if the surface's edge is inside the solid;
  /// otherwise returns false. Adds the work to `work`.
  /// @param crossing frame of a, like the edges
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
  Pose toOther_, toOtherBefore_;  ///< transforms the solid into the frame of the surface
  Real reach_ = 0.0, slack_ = 0.0;
  std::vector<Beyond> before_, now_;              ///< vertices of the solid
  std::vector<Beyond> insideBefore_, insideNow_;  ///< of the surface; the side is the solid's
  std::vector<Vertex> vertices_;
  std::vector<ManifoldPoint> edges_;
};

}  // namespace nearmiss
