// SPDX-License-Identifier: MIT
/// Triangle meshes: cleaning, checking and exact triangle tests. Also the polyhedron, a mesh
/// prepared for exact queries: whether it is a solid, whether a point is inside, and the nearest
/// surface point.
///
/// Thread-safe: polyhedra may be made concurrently, and one polyhedron may be queried concurrently.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nearmiss {

using Triangle = std::array<Vec3, 3>;

/// Returns true iff the closed triangles share a point. Touching and coplanar overlap count; a
/// degenerate triangle is the segment or point to which it collapses. Exact: a floating-point
/// filter decides nearly all cases, exact arithmetic the rest.
/// @pre coordinates are finite and within 1e±60, so that no product overflows or underflows.
[[nodiscard]] bool trianglesMeet(const Triangle& a, const Triangle& b) noexcept;

/// Returns the sign of the volume of (a, b, c, d), exactly. Positive if d sees a, b, c clockwise,
/// that is, lies on the side away from the normal (b - a) x (c - a); zero if coplanar. (orient3d in
/// the literature: det[a-d; b-d; c-d].)
[[nodiscard]] int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

/// A triangle mesh; triangles are counter-clockwise seen from outside. Plain data; see cleanMesh()
/// and checkMesh().
struct TriangleMesh {
  std::vector<Vec3> positions;                          ///< metres, body frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices in `positions`

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    const auto& i = triangles[t];
    return {positions[i[0]], positions[i[1]], positions[i[2]]};
  }
};

/// Changes made to a mesh before trees were built around it.
struct MeshCleaning {
  std::size_t weldedVertices = 0;
  Real weldedDistance = 0.0;  ///< maximum distance that a vertex moved, metres
  std::size_t unusedVertices = 0;
  std::size_t degenerateTriangles = 0;  ///< with two equal or three collinear corners
  Real longestDegenerate = 0.0;         ///< the longest edge of these, metres
  std::size_t keptApart = 0;            ///< vertices not welded, because that would lose triangles
  std::size_t duplicateTriangles = 0;   ///< same three corners and winding as an earlier one
  std::size_t turnedTriangles = 0;      ///< by repairWinding()
  /// Closed pieces were given with faces that point inwards, like the walls of a room, and were
  /// turned. The space that they enclose is solid.
  bool facedInwards = false;
};

/// Returns the combined record of two cleanings, one after the other.
[[nodiscard]] MeshCleaning joined(const MeshCleaning& first, const MeshCleaning& second) noexcept;

/// Welds vertices closer than `weldDistance` (metres; 0 welds equal positions only), and removes
/// degenerate triangles (decided exactly), duplicates and unused vertices. Keeps the order. Then
/// repairs the winding as repairWinding() does.
///
/// A triangle that becomes degenerate by welding must lie within that distance of other triangles.
/// Otherwise, as in a thin spike or a tiny part, its vertices are not welded. This is decided in
/// rounds; if 64 do not suffice, only equal positions are welded.
///
/// Accepts any mesh. After an error, the mesh is unchanged. Returns soon after `cancelled` is set,
/// if it is not null. The result is the same for any number of `workers` (threads). Errors: those
/// of checkTriangles(); Unsupported (a distance below 0 or not finite); Cancelled; OutOfMemory.
Result<MeshCleaning> cleanMesh(TriangleMesh& mesh, Real weldDistance,
                               const std::atomic<bool>* cancelled = nullptr, int workers = 1);

/// Makes the winding of a mesh consistent and returns the number of triangles turned. A triangle is
/// turned by swapping its last two corners.
///
/// 1. In each patch connected over edges, turns the smaller group of triangles, so that neighbours
///    wind alike.
/// 2. If the surface is then closed and consistent, and its volume is negative, turns all
///    triangles.
/// 3. Then turns patches that face inwards and lie inside no other patch.
///
/// Leaves unchanged:
/// - patches with one side only, such as a Moebius strip
/// - neighbours across edges with more than two triangles
/// - in step 3, patches that share each vertex with other patches
/// - in step 3, the smallest patches, once 1e9 triangles have been examined in containment tests
/// @pre the mesh was cleaned.
std::size_t repairWinding(TriangleMesh& mesh);

/// Properties of a mesh as a surface. Edges are identified by shared vertices, so clean the mesh
/// first.
struct MeshReport {
  std::size_t boundaryEdges = 0;        ///< edges with one triangle
  std::size_t nonManifoldEdges = 0;     ///< edges with three triangles or more
  std::size_t misorientedEdges = 0;     ///< edges that two triangles traverse in the same direction
  std::size_t nonManifoldVertices = 0;  ///< vertices whose triangles form more than one fan
  /// Pairs of triangles that intersect away from shared vertices.
  std::size_t selfIntersections = 0;
  bool selfIntersectionsCounted = true;  ///< see MeshCheckSettings; if false, 0 is assumed
  std::size_t components = 0;            ///< connected over shared vertices
  /// Patches, connected over edges, that face inwards outside all others or outwards inside
  /// another. Includes patches that share each vertex with others, because their orientation is
  /// unknown. Counted only if the surface is closed and does not intersect itself.
  std::size_t misorientedComponents = 0;
  Real volume = 0.0;  ///< signed volume of a closed surface, cubic metres
  [[nodiscard]] bool closed() const noexcept {
    return boundaryEdges == 0 && nonManifoldEdges == 0 && misorientedEdges == 0;
  }
  /// Returns true if inside and outside are defined everywhere, with normals pointing outwards.
  [[nodiscard]] bool solid() const noexcept {
    return closed() && selfIntersections == 0 && misorientedComponents == 0 && volume > 0.0;
  }
  /// Returns true for a closed surface that intersects itself and encloses a volume. For contacts,
  /// points with a nonzero winding number are inside.
  [[nodiscard]] bool hasWindingInside() const noexcept {
    return closed() && selfIntersections > 0 && volume > 0.0;
  }
};

/// Returns the reasons why a surface is not a solid, one phrase each, such as "not closed (3
/// boundary edges)". Empty for a solid.
[[nodiscard]] std::vector<std::string> solidFaults(const MeshReport& report);

/// Returns one sentence that says why a surface is not a solid and how it collides as a result.
/// Empty for a solid.
[[nodiscard]] std::string describe(const MeshReport& report);

/// Settings of checkMesh(). Plain data.
struct MeshCheckSettings {
  /// Counts self-intersections, which takes most of the time. If false, the report assumes that
  /// there are none, also in solid().
  bool selfIntersections = true;
  int workers = 1;  ///< threads; the report is the same for any number
};

/// Returns the properties of a mesh. Self-intersection is decided exactly on the given doubles.
/// findMeshFaults() in mesh_faults.h lists the faults that this counts.
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh);

/// Computes the convex hull of points, as a solid. Errors: EmptyMesh (all lie in one plane),
/// TooLarge, BadFormat (a coordinate out of the range of a mesh), OutOfMemory.
Result<TriangleMesh> convexHullMesh(std::span<const Vec3> points);

[[nodiscard]] Box boundingBox(const TriangleMesh& mesh) noexcept;

/// Returns the maximum distance of a vertex from the origin of the body frame, rounded up.
[[nodiscard]] Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept;

/// Returns a 64-bit fingerprint of positions and triangles, the same on every machine. File names
/// do not enter.
[[nodiscard]] std::uint64_t hashOf(const TriangleMesh& mesh) noexcept;

/// Range of coordinate magnitudes, metres; 0 is also valid. Products of three differences of such
/// numbers neither overflow nor underflow, so predicates are exact. The same holds for the fourth
/// powers of lengths in distance computations.
inline constexpr Real minMagnitude = 1e-60;
inline constexpr Real maxMagnitude = 1e60;

/// Range of the largest coordinate magnitude of any mesh, metres. Trees are searched in float,
/// which can represent squares of such lengths.
inline constexpr Real minMeshSize = 1e-15;
inline constexpr Real maxMeshSize = 1e15;

/// Maximum count in MeshReport::selfIntersections. In an unstructured heap of triangles nearly all
/// pairs intersect.
inline constexpr std::size_t maxSelfIntersections = 1000000;

/// Checks that a mesh can be used: it has at least one triangle, every index refers to a vertex,
/// every coordinate is 0 or of a magnitude from minMagnitude to maxMeshSize, and at least one
/// magnitude is minMeshSize or more. Errors: EmptyMesh, TooLarge, BadFormat, in one sentence that
/// names the first invalid triangle or vertex.
Result<Success> checkTriangles(const TriangleMesh& mesh);

/// As checkMesh(), but polls `cancelled`, above all during the search for self-intersections.
/// Errors: Cancelled.
/// @pre the mesh was cleaned.
Result<MeshReport> checkMesh(const TriangleMesh& mesh, const std::atomic<bool>& cancelled,
                             const MeshCheckSettings& settings = {});

/// A connected piece of the surface.
struct SurfaceComponent {
  std::uint32_t vertex = 0;  ///< one of its vertices
  Real volume = 0.0;         ///< enclosed, signed, cubic metres; meaningless if not closed
  Box bounds;                ///< body frame
};

class SurfaceBoxes;

/// The surface point nearest to a query point.
struct SurfacePoint {
  Vec3 position{0.0};
  Real distance = 0.0;         ///< metres, within rounding
  std::uint32_t triangle = 0;  ///< index in mesh().triangles
};

/// A mesh with a hierarchy of boxes over its triangles. Immutable; cheap to move, expensive to
/// copy. Moved-from objects can only be assigned to or destroyed.
class Polyhedron {
 public:
  /// @pre `mesh` has at least one triangle, is finite and was cleaned.
  explicit Polyhedron(TriangleMesh mesh);
  Polyhedron(Polyhedron&&) noexcept;
  Polyhedron& operator=(Polyhedron&&) noexcept;
  ~Polyhedron();

  [[nodiscard]] const TriangleMesh& mesh() const noexcept;
  [[nodiscard]] const MeshReport& report() const noexcept;
  [[nodiscard]] std::span<const SurfaceComponent> components() const noexcept;
  [[nodiscard]] const Box& bounds() const noexcept;
  [[nodiscard]] Real radius() const noexcept;  ///< about the origin of the body frame, rounded up
  [[nodiscard]] std::uint64_t hash() const noexcept;

  /// Returns true if `point` (body frame) lies inside or on the surface, decided exactly. Always
  /// false if the mesh is not a solid, because inside is then undefined.
  [[nodiscard]] bool contains(const Vec3& point) const;

  /// Returns the nearest surface point, at any distance.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const;

  /// As nearest(), but may stop as soon as it finds a surface point within `enough` metres.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, Real enough) const;

  /// As nearest(), but faster if triangle `guess` is near the point. The result does not depend on
  /// the guess; ties go to the triangle of lowest index.
  [[nodiscard]] SurfacePoint nearestFrom(const Vec3& point, std::uint32_t guess) const;

  /// Calls visit(triangle) for every triangle whose box intersects `box` (body frame).
  void forEachTriangleIn(const Box& box, const auto& visit) const {
    visitTrianglesIn(
        box, [](void* f, std::uint32_t t) { (*static_cast<decltype(&visit)>(f))(t); },
        const_cast<void*>(static_cast<const void*>(&visit)));
  }
  /// Returns true if forEachTriangleIn() would visit any triangle. Stops at the first.
  [[nodiscard]] bool hasTriangleIn(const Box& box) const noexcept;

 private:
  friend class SolidCells;
  friend class TrianglePairs;
  friend const SurfaceBoxes& surfaceOf(const Polyhedron& polyhedron) noexcept;
  friend class PiecesInside;
  friend class PolyhedronMotion;
  friend class WindingInside;
  friend Result<Polyhedron> polyhedronUnlessCancelled(TriangleMesh mesh,
                                                      const std::atomic<bool>* cancelled,
                                                      int workers);
  void visitTrianglesIn(const Box& box, void (*call)(void*, std::uint32_t), void* visitor) const;
  struct Parts;
  explicit Polyhedron(std::unique_ptr<Parts> parts) noexcept;
  /// If cancelled, the report is meaningless.
  Polyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled, int workers);
  std::unique_ptr<Parts> parts_;
};

/// Makes the polyhedron of an unchecked mesh, cleaned or not. Returns soon after `cancelled` is
/// set, also during the search for self-intersections. The result is the same for any number of
/// `workers` (threads). Errors: those of checkTriangles(); Cancelled; OutOfMemory.
Result<Polyhedron> makePolyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled = nullptr,
                                  int workers = 1);

/// Returns true if a component of one body lies inside the other. `bToA` transforms `b` into the
/// frame of `a`; the test is exact on the transformed doubles. Compares extents and volumes first,
/// so that most pairs are rejected quickly.
/// @pre The two surfaces do not intersect. The outer body must be a solid.
[[nodiscard]] bool oneInsideOther(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

/// Returns false if, by extents and volumes, no component of `inner` can lie inside `outer` in any
/// pose. oneInsideOther() is then unnecessary. Linear in the components of both.
[[nodiscard]] bool mayHold(const Polyhedron& outer, const Polyhedron& inner) noexcept;

/// Returns the distance of two surfaces in metres, 0 if they intersect or one solid contains the
/// other. Exact within rounding errors. Separation bounds are compared with this true distance.
[[nodiscard]] Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

}  // namespace nearmiss
