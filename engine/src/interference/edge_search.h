// SPDX-License-Identifier: MIT
/// Distance of the edges of one body from the surface of another, inside and outside.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interference/cancellation_clock.h"

namespace nearmiss::engine {

using MeshEdges = std::vector<std::array<std::uint32_t, 2>>;

/// Returns each edge of the triangles once, as two vertex indices.
[[nodiscard]] MeshEdges edgesOf(const TriangleMesh& mesh);

enum class SurfaceSide : std::uint8_t { Inside, Outside };

/// Searches vertices and edges of `own` relative to `other`. If `other` is not a solid, every point
/// is outside. All arguments must outlive the search. After cancellation of the clock, results are
/// invalid.
class EdgeSearch {
 public:
  /// @param limit metres, above 0; points closer to the surface are on neither side
  EdgeSearch(const Polyhedron& own, const MeshEdges& edges, const Polyhedron& other,
             const Pose& ownToOther, Real limit,
             const CancellationClock& clock = CancellationClock(nullptr)) noexcept
      : own_(own),
        edges_(edges),
        other_(other),
        toOther_(ownToOther),
        limit_(limit),
        clock_(clock) {}

  /// Returns true if a point on that side is farther than the limit from the surface. May miss
  /// points that exceed the limit by less than a quarter.
  [[nodiscard]] bool reaches(SurfaceSide side);

  struct Point {
    Real away = 0.0;  ///< metres from the surface
    Vec3 at{0.0};     ///< frame of `other`
  };
  /// Returns the farthest point on that side if one is beyond the limit. The true maximum may be
  /// larger by 1 % plus a quarter of the limit.
  [[nodiscard]] std::optional<Point> farthest(SurfaceSide side);

  /// Returns a deep point of a face, for bodies with all edges flush with those of `other`. Samples
  /// about a hundred points per triangle; `nullopt` if none is deeper than the limit.
  [[nodiscard]] std::optional<Point> deepOnFace();

  /// Returns true if the centre of a triangle of `own` is deeper inside than the limit.
  [[nodiscard]] bool holdsFace() const;

 private:
  struct Look {
    Real away;               ///< negative on the other side
    std::uint32_t triangle;  ///< nearest triangle of `other`
  };
  [[nodiscard]] Look lookAt(const Vec3& point, SurfaceSide side) const;
  void search(SurfaceSide side, bool first);
  bool walk(const Vec3& from, const Vec3& to, SurfaceSide side, bool first);
  void findCrossings(const Triangle& triangle);
  void quarter(const Triangle& whole);
  [[nodiscard]] bool liesOn(std::uint32_t triangle, const Vec3& from, const Vec3& to,
                            Real most) const;

  const Polyhedron& own_;
  const MeshEdges& edges_;
  const Polyhedron& other_;
  Pose toOther_;
  Real limit_;
  CancellationClock clock_;
  Point best_;
  struct Piece {
    Vec3 from, to;
  };
  std::vector<Piece> open_;
  std::vector<Triangle> openFaces_;
  std::vector<Vec3> crossings_;  ///< of one triangle with the triangles of the other body
};

}  // namespace nearmiss::engine
