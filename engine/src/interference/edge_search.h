// SPDX-License-Identifier: MIT
/// How far the edges of one body are from the surface of another, inside of it or outside.
#pragma once

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

/// Each edge of the triangles once, as two vertices.
[[nodiscard]] MeshEdges edgesOf(const TriangleMesh& mesh);

enum class SurfaceSide : std::uint8_t { Inside, Outside };

/// Vertices and edges of `own`, seen from `other`. What is no solid has an outside alone. All must
/// outlive this. Once the clock is cancelled, answers are quick and of no use.
class EdgeSearch {
 public:
  /// @param limit metres, above 0: what is nearer to the surface is on neither side
  EdgeSearch(const Polyhedron& own, const MeshEdges& edges, const Polyhedron& other,
             const Pose& ownToOther, Real limit,
             const CancellationClock& clock = CancellationClock(nullptr)) noexcept
      : own_(own),
        edges_(edges),
        other_(other),
        toOther_(ownToOther),
        limit_(limit),
        clock_(clock) {}

  /// True if some point is farther than the limit from the surface, on that side; what is farther
  /// by less than a quarter of it may be missed.
  [[nodiscard]] bool reaches(SurfaceSide side);

  struct Point {
    Real away = 0.0;  ///< metres from the surface
    Vec3 at{0.0};     ///< frame of `other`
  };
  /// The farthest point on that side, if one is beyond the limit; others are farther by at most 1 %
  /// and a quarter of the limit.
  [[nodiscard]] std::optional<Point> farthest(SurfaceSide side);

  /// A deep point of a face, for bodies whose edges all are flush with those of `other`; nothing
  /// where none of some hundred points of each triangle is deeper than the limit.
  [[nodiscard]] std::optional<Point> deepOnFace();

  /// True if the middle of a triangle of `own` is deeper inside than the limit.
  [[nodiscard]] bool holdsFace() const;

 private:
  struct Look {
    Real away;               ///< below 0 on the other side
    std::uint32_t triangle;  ///< the nearest of `other`
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
  std::vector<Vec3> crossings_;  ///< of one triangle with others
};

}  // namespace nearmiss::engine
