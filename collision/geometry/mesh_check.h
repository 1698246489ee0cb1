// SPDX-License-Identifier: MIT
/// How the triangles of a mesh are connected: edges, pieces, closed surfaces, windings about
/// points, and triangles that meet where they should not.
#pragma once

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

/// The part of checkTriangles() about coordinates. Errors: BadFormat.
[[nodiscard]] Result<Success> checkPositions(std::span<const Vec3> positions);

/// One side of a triangle, run from its low to its high vertex or back.
struct EdgeUse {
  std::uint32_t low, high;
  std::uint32_t triangle;
  bool backward;
};

/// All edges, the uses of each side by side in the order of their triangles.
[[nodiscard]] std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh, int workers = 1);
[[nodiscard]] std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh,
                                               const VertexCorners& corners, int workers);

/// Calls visit with each run of uses of one edge.
void forEachEdge(const std::vector<EdgeUse>& edges, const auto& visit) {
  for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
    end = begin + 1;
    while (end < edges.size() && edges[end].low == edges[begin].low &&
           edges[end].high == edges[begin].high)
      ++end;
    visit(std::span(edges).subspan(begin, end - begin));
  }
}

/// Counts how often the ray from a point towards +x leaves a surface, less how often it enters: the
/// winding number of a closed surface. Where the ray meets an edge or a vertex, it counts as if it
/// ran an infinitesimal step further along y and a far smaller one along z, so that each crossing
/// is counted once and no direction is ever degenerate.
class WindingCount {
 public:
  explicit WindingCount(const Vec3& point) noexcept : point_(point) {}

  /// The ray: only triangles whose boxes meet it matter.
  [[nodiscard]] Box region() const noexcept {
    return {point_, {std::numeric_limits<Real>::infinity(), point_.y, point_.z}};
  }

  void add(const Triangle& triangle) noexcept;

  [[nodiscard]] int winding() const noexcept { return winding_; }
  /// True if one of the triangles holds the point.
  [[nodiscard]] bool onSurface() const noexcept { return onSurface_; }
  [[nodiscard]] bool inside() const noexcept { return onSurface_ || winding_ > 0; }

 private:
  [[nodiscard]] int sideOfEdge(const Vec3& p, const Vec3& q) const noexcept;

  Vec3 point_;
  int winding_ = 0;
  bool onSurface_ = false;
};

/// The connected pieces of a surface, in the order of their first triangles.
struct SurfacePieces {
  static constexpr std::uint32_t noVertex = 0xffffffff;

  std::vector<SurfaceComponent> components;
  std::vector<std::uint32_t> ofTriangle;  ///< index in components, per triangle
  /// Of the whole surface. Its sign is exact where all pieces are closed; so is that of each closed
  /// piece.
  Real volume = 0.0;
  Real largest = 0.0;  ///< no piece has a larger volume, for certain
};

/// More than rounding moves the volume of a piece of a surface with `triangles`: that of each
/// triangle by a few ulps of a product of three lengths, and their sum by one ulp a triangle.
[[nodiscard]] inline Real volumeError(std::size_t triangles, const Box& piece) noexcept {
  const auto count = static_cast<Real>(triangles);
  const Vec3 extent = piece.extent();
  return 0x1p-52 * count * (count + 4.0) * extent.x * extent.y * extent.z;
}

/// Triangles that are connected over shared vertices.
[[nodiscard]] SurfacePieces piecesOf(const TriangleMesh& mesh);
/// Measures the same pieces after their vertices have moved. Allocates only where a volume is too
/// close to 0 for its sign to be certain.
void measureAgain(const TriangleMesh& mesh, SurfacePieces& pieces);

/// Triangles that are connected over shared edges. The vertex of each is one that no other patch
/// has, or noVertex if it shares them all.
/// @param edges of the mesh
[[nodiscard]] SurfacePieces patchesOf(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges);

/// How often closed pieces of a surface wind about each other.
class PieceWindings {
 public:
  /// All must outlive it.
  PieceWindings(const TriangleMesh& mesh, const WideBoxes& boxes, const SurfacePieces& pieces);

  /// Of all others about the vertex of a piece; nothing if it has none. Looks only at pieces that
  /// begin to the left of it.
  /// @param cornersOf(t) the corners of a triangle of another piece
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
  std::vector<Real> begins_;  ///< by node: the lowest x of all pieces with triangles below
};

/// Two triangles, the lower number first.
using MeetingTriangles = std::vector<std::array<std::uint32_t, 2>>;

/// As checkMesh(mesh), with boxes and pieces computed before.
/// @param cancelled once set, a meaningless report is returned soon; null: never
/// @param meeting gets the pairs of triangles of a closed surface that intersect, if it is not
/// null; none where there are maxSelfIntersections
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh, const WideBoxes& boxes,
                                   const SurfacePieces& pieces,
                                   const std::atomic<bool>* cancelled = nullptr,
                                   MeetingTriangles* meeting = nullptr,
                                   const MeshCheckSettings& settings = {});

// The parts of checkMesh(), for lists beside the report.
void countEdges(const std::vector<EdgeUse>& edges, MeshReport& report);
/// After all else was counted: adds the components and which of them face the wrong way.
void addPieces(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges, const WideBoxes& boxes,
               const SurfacePieces& pieces, const std::atomic<bool>* cancelled, MeshReport& report);

/// Per component, whether each of its edges has two triangles that run it in opposite directions.
[[nodiscard]] std::vector<bool> closedComponents(const TriangleMesh& mesh,
                                                 const SurfacePieces& pieces);

/// As Polyhedron(mesh), of a mesh that needs no check. Errors: Cancelled.
/// @param cancelled once set, it ends soon; null: never
[[nodiscard]] Result<Polyhedron> polyhedronUnlessCancelled(TriangleMesh mesh,
                                                           const std::atomic<bool>* cancelled,
                                                           int workers = 1);

struct ClosedSurfaces {
  std::vector<Polyhedron> surfaces;
  std::size_t leftOut = 0;  ///< of them, those below the size of a mesh among them
};
/// The closed components as surfaces of their own, at most `most`, the largest by the volume of
/// their boxes first.
/// @param cancelled once set, what is found by then is returned; null: never
[[nodiscard]] ClosedSurfaces closedSurfaces(const TriangleMesh& mesh, std::size_t most,
                                            const std::atomic<bool>* cancelled = nullptr);

/// The mesh without triangles that have an edge to themselves, over and over: a fin or a loose
/// triangle at a closed surface is gone, and so is every open surface.
[[nodiscard]] TriangleMesh withoutOpenEdges(const TriangleMesh& mesh);

/// How often a surface winds about `point` (body frame), counted exactly; 0 on the surface itself.
/// Only meaningful where the surface is closed.
[[nodiscard]] int windingAbout(const Polyhedron& surface, const Vec3& point);

/// What repairWinding() did.
struct WindingRepair {
  std::size_t triangles = 0;  ///< that were turned
  bool facedInwards = false;  ///< closed pieces of the surface did, and were turned
};
inline constexpr std::size_t mostForWindingRepair = 1'000'000'000;
/// As repairWinding().
/// @param cancelled once set, the mesh comes soon, repaired in part; null: never
/// @param most triangles that are looked at to see which pieces lie inside of others
/// @param workers threads; the mesh is the same for any number
[[nodiscard]] WindingRepair repairedWinding(TriangleMesh& mesh,
                                            const std::atomic<bool>* cancelled = nullptr,
                                            std::size_t most = mostForWindingRepair,
                                            int workers = 1);

/// The numbers that triangles had before a cleaning, each list ascending.
struct CleanedTriangles {
  std::vector<std::uint32_t> kept;  ///< by new number
  std::vector<std::uint32_t> degenerate, duplicate;
};
/// The part of cleanMesh() before the winding is repaired. Once cancelled, the mesh is cleaned in
/// part.
/// @param record of the triangles, if it is not null
MeshCleaning cleanUnlessCancelled(TriangleMesh& mesh, Real weldDistance,
                                  const std::atomic<bool>* cancelled, int workers = 1,
                                  CleanedTriangles* record = nullptr);
/// The errors of cleanMesh() that come before any work.
Result<Success> checkWelding(const TriangleMesh& mesh, Real weldDistance);
/// As cleanMesh() after checkWelding(), without a copy: after an error the mesh may be
/// cleaned in part. Throws where memory is short.
Result<MeshCleaning> cleanAndRepair(TriangleMesh& mesh, Real weldDistance,
                                    const std::atomic<bool>* cancelled, int workers);

/// Pairs of triangles of one mesh that meet where they should not.
struct SelfIntersections {
  std::size_t pairs = 0;     ///< pairs that meet away from shared features
  std::size_t compared = 0;  ///< pairs that were compared exactly, to find them
};

/// Counts exactly, and stops at `most` pairs. Slivers whose boxes all overlap, and fans of any
/// number about one vertex, cost little more than other triangles.
/// @param boxes of the same mesh
/// @param cancelled once set, what is counted by then is returned; null: never
/// @param meeting gets the pairs that are counted, in an order that depends on the mesh alone, if
/// it is not null
/// @param corners of the same mesh; null: computed here
/// @param workers threads; the pairs are the same for any number
SelfIntersections countSelfIntersections(const TriangleMesh& mesh, const WideBoxes& boxes,
                                         std::size_t most,
                                         const std::atomic<bool>* cancelled = nullptr,
                                         MeetingTriangles* meeting = nullptr,
                                         const VertexCorners* corners = nullptr, int workers = 1);

}  // namespace nearmiss
