// SPDX-License-Identifier: MIT
/// How the triangles of a mesh are connected: edges, pieces, closed surfaces, winding numbers of
/// points, and triangles that intersect where they should not.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "geometry/vertex_corners.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// The part of checkTriangles() that checks coordinates. Errors: BadFormat.
[[nodiscard]] Result<Success> checkPositions(std::span<const Vec3> positions);

/// One side of a triangle, directed from its low to its high vertex or back.
struct EdgeUse {
  std::uint32_t low, high;
  std::uint32_t triangle;
  bool backward;
};

/// Returns all edges. Uses of the same edge are contiguous, in the order of their triangles.
[[nodiscard]] std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh, int workers = 1);
[[nodiscard]] std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh,
                                               const VertexCorners& corners, int workers);

/// Calls visit for each run of uses of one edge.
void forEachEdge(const std::vector<EdgeUse>& edges, const auto& visit) {
  for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
    end = begin + 1;
    while (end < edges.size() && edges[end].low == edges[begin].low &&
           edges[end].high == edges[begin].high)
      ++end;
    visit(std::span(edges).subspan(begin, end - begin));
  }
}

/// Counts how often the ray from a point towards +x leaves a surface, minus how often it enters.
/// For a closed surface this is the winding number. The ray counts as shifted by an infinitesimal
/// along y and a far smaller one along z. So each crossing of an edge or a vertex is counted once,
/// and no direction is degenerate.
class WindingCount {
 public:
  explicit WindingCount(const Vec3& point) noexcept : point_(point) {}

  /// The ray as a box: only triangles whose boxes meet it matter.
  [[nodiscard]] Box region() const noexcept {
    return {point_, {std::numeric_limits<Real>::infinity(), point_.y, point_.z}};
  }

  void add(const Triangle& triangle) noexcept;

  [[nodiscard]] int winding() const noexcept { return winding_; }
  /// Returns true if one of the triangles contains the point.
  [[nodiscard]] bool onSurface() const noexcept { return onSurface_; }
  [[nodiscard]] bool inside() const noexcept { return onSurface_ || winding_ > 0; }

 private:
  [[nodiscard]] int sideOfEdge(const Vec3& p, const Vec3& q) const noexcept;

  Vec3 point_;
  int winding_ = 0;
  bool onSurface_ = false;
};

/// The connected pieces of a surface, ordered by their first triangles.
struct SurfacePieces {
  static constexpr std::uint32_t noVertex = 0xffffffff;

  std::vector<SurfaceComponent> components;
  std::vector<std::uint32_t> ofTriangle;  ///< per triangle: index into `components`
  /// Volume of the whole surface. Its sign is exact if all pieces are closed; so is the sign of
  /// each closed piece.
  Real volume = 0.0;
  Real largest = 0.0;  ///< upper bound of the volume of each piece
};

/// Returns an upper bound of the rounding error in the volume of a piece of a surface with
/// `triangles` triangles. Each triangle contributes a few ulps of a product of three lengths, and
/// each addition one ulp.
[[nodiscard]] inline Real volumeError(std::size_t triangles, const Box& piece) noexcept {
  const auto count = static_cast<Real>(triangles);
  const Vec3 extent = piece.extent();
  return 0x1p-52 * count * (count + 4.0) * extent.x * extent.y * extent.z;
}

/// Returns the pieces connected by shared vertices.
[[nodiscard]] SurfacePieces piecesOf(const TriangleMesh& mesh);
/// Recomputes the volumes and boxes of the same pieces after their vertices have moved. Allocates
/// only if a volume is too close to 0 for its sign to be certain.
void measureAgain(const TriangleMesh& mesh, SurfacePieces& pieces);

/// Returns the patches connected by shared edges. The vertex of each patch belongs to no other
/// patch; it is noVertex if all its vertices are shared.
/// @param edges of the mesh
[[nodiscard]] SurfacePieces patchesOf(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges);

/// Winding numbers of closed pieces of a surface about each other.
class PieceWindings {
 public:
  /// All arguments must outlive this.
  PieceWindings(const TriangleMesh& mesh, const WideBoxes& boxes, const SurfacePieces& pieces);

  /// Returns the winding number of all other pieces about the vertex of a piece, or nothing if it
  /// has no vertex of its own. Examines only pieces that extend to the left of it.
  /// @param cornersOf(t) returns the corners of a triangle of another piece
  [[nodiscard]] std::optional<int> ofOthers(std::uint32_t piece, const auto& cornersOf) const {
    const std::uint32_t vertex = pieces_.components[piece].vertex;
    if (vertex == SurfacePieces::noVertex) return std::nullopt;
    if (begins_.empty()) return 0;
    const Vec3& point = mesh_.positions[vertex];
    WindingCount others(point);
    const WideBoxes::Query ray(boxes_, others.region());
    boxes_.anyOf(
        [&](std::uint32_t at) {
          return begins_[at] <= point.x ? ray.lanesOf(boxes_.node(at)) : 0u;
        },
        [&](std::uint32_t t) {
          if (pieces_.ofTriangle[t] != piece && beginOf(t) <= point.x) others.add(cornersOf(t));
          return false;
        });
    return others.winding();
  }

 private:
  [[nodiscard]] Real beginOf(std::uint32_t triangle) const noexcept {
    return pieces_.components[pieces_.ofTriangle[triangle]].bounds.low.x;
  }

  const TriangleMesh& mesh_;
  const WideBoxes& boxes_;
  const SurfacePieces& pieces_;
  std::vector<Real> begins_;  ///< by node: the lowest x of all pieces with triangles below it
};

/// Pairs of triangles, the lower index first.
using MeetingTriangles = std::vector<std::array<std::uint32_t, 2>>;

/// As checkMesh(mesh), with boxes and pieces computed before.
/// @param cancelled once set, returns soon with a meaningless report; null: never
/// @param meeting if not null, receives the pairs of triangles of a closed surface that intersect;
/// none if there are maxSelfIntersections
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh, const WideBoxes& boxes,
                                   const SurfacePieces& pieces,
                                   const std::atomic<bool>* cancelled = nullptr,
                                   MeetingTriangles* meeting = nullptr,
                                   const MeshCheckSettings& settings = {});

// The parts of checkMesh(), for lists in addition to the report.
void countEdges(const std::vector<EdgeUse>& edges, MeshReport& report);
/// Adds the components and which of them face the wrong way. Call after everything else was
/// counted.
void addPieces(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges, const WideBoxes& boxes,
               const SurfacePieces& pieces, const std::atomic<bool>* cancelled, MeshReport& report);

/// Per component, whether each of its edges has exactly two triangles, with opposite directions.
[[nodiscard]] std::vector<bool> closedComponents(const TriangleMesh& mesh,
                                                 const SurfacePieces& pieces);

/// As Polyhedron(mesh), for a mesh that needs no check. Errors: Cancelled.
/// @param cancelled once set, ends soon; null: never
[[nodiscard]] Result<Polyhedron> polyhedronUnlessCancelled(TriangleMesh mesh,
                                                           const std::atomic<bool>* cancelled,
                                                           int workers = 1);

struct ClosedSurfaces {
  std::vector<Polyhedron> surfaces;
  /// closed components left out, including those below the size of a mesh
  std::size_t leftOut = 0;
};
/// Returns the closed components as separate surfaces, at most `most`, sorted by the volume of
/// their boxes, the largest first.
/// @param cancelled once set, returns those found so far; null: never
[[nodiscard]] ClosedSurfaces closedSurfaces(const TriangleMesh& mesh, std::size_t most,
                                            const std::atomic<bool>* cancelled = nullptr);

/// Returns the mesh after repeatedly removing triangles with an edge that no other triangle has.
/// This removes fins, loose triangles at a closed surface, and all open surfaces.
[[nodiscard]] TriangleMesh withoutOpenEdges(const TriangleMesh& mesh);

/// Returns the exact winding number of a surface about `point` (body frame); 0 on the surface
/// itself. Meaningful only if the surface is closed.
[[nodiscard]] int windingAbout(const Polyhedron& surface, const Vec3& point);

/// What repairWinding() did.
struct WindingRepair {
  std::size_t triangles = 0;  ///< triangles that were turned
  bool facedInwards = false;  ///< closed pieces of the surface faced inwards, and were turned
};
inline constexpr std::size_t mostForWindingRepair = 1'000'000'000;
/// As repairWinding().
/// @param cancelled once set, returns soon with the mesh repaired in part; null: never
/// @param most maximum number of triangles examined to find which pieces lie inside others
/// @param workers threads; the mesh is the same for any number
[[nodiscard]] WindingRepair repairedWinding(TriangleMesh& mesh,
                                            const std::atomic<bool>* cancelled = nullptr,
                                            std::size_t most = mostForWindingRepair,
                                            int workers = 1);

/// The numbers that triangles had before cleaning; each list is ascending.
struct CleanedTriangles {
  std::vector<std::uint32_t> kept;  ///< by new number
  std::vector<std::uint32_t> degenerate, duplicate;
};
/// The part of cleanMesh() before the winding is repaired. If cancelled, the mesh is cleaned in
/// part.
/// @param record if not null, receives the triangles
MeshCleaning cleanUnlessCancelled(TriangleMesh& mesh, Real weldDistance,
                                  const std::atomic<bool>* cancelled, int workers = 1,
                                  CleanedTriangles* record = nullptr);
/// Checks for the errors that cleanMesh() reports before any work.
Result<Success> checkWelding(const TriangleMesh& mesh, Real weldDistance);
/// As cleanMesh() after checkWelding(), but in place: after an error the mesh may be cleaned in
/// part. Throws if memory is short.
Result<MeshCleaning> cleanAndRepair(TriangleMesh& mesh, Real weldDistance,
                                    const std::atomic<bool>* cancelled, int workers);

/// Pairs of triangles of one mesh that intersect where they should not.
struct SelfIntersections {
  std::size_t pairs = 0;     ///< pairs that intersect away from shared features
  std::size_t compared = 0;  ///< pairs that were compared exactly to find them
};

/// Counts exactly, and stops at `most` pairs. Slivers whose boxes all overlap, and fans of any size
/// about one vertex, cost little more than other triangles.
/// @param boxes of the same mesh
/// @param cancelled once set, returns the count so far; null: never
/// @param meeting if not null, receives the counted pairs, in an order that depends only on the
/// mesh
/// @param corners of the same mesh; null: computed here
/// @param workers threads; the pairs are the same for any number
SelfIntersections countSelfIntersections(const TriangleMesh& mesh, const WideBoxes& boxes,
                                         std::size_t most,
                                         const std::atomic<bool>* cancelled = nullptr,
                                         MeetingTriangles* meeting = nullptr,
                                         const VertexCorners* corners = nullptr, int workers = 1);

}  // namespace nearmiss
