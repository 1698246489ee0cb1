// SPDX-License-Identifier: MIT
/// Triangle meshes: their cleaning and checking, exact tests of triangles, and the polyhedron, a
/// mesh made ready for exact questions: whether it is a solid, whether a point is inside, how far
/// its surface is, along which normal two solids touch.
///
/// Any number of threads may make polyhedra at once, and ask one.
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

/// True iff the closed triangles share a point: touching counts, coplanar overlap counts, and a
/// triangle without area is the segment or point that it is. A floating-point filter decides almost
/// always; exact arithmetic decides the rest.
/// @pre coordinates are finite and within 1e±60, so that no product overflows or underflows.
[[nodiscard]] bool trianglesMeet(const Triangle& a, const Triangle& b) noexcept;

/// The sign of the volume of (a, b, c, d): positive when d sees a, b, c clockwise, that is, lies on
/// the side away from the normal (b - a) x (c - a); zero when coplanar. Exact. (As the literature's
/// orient3d: det[a-d; b-d; c-d].)
[[nodiscard]] int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

/// Counter-clockwise triangles seen from outside. Plain data; see cleanMesh() and checkMesh().
struct TriangleMesh {
  std::vector<Vec3> positions;                          ///< metres, body frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices in `positions`

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    const auto& i = triangles[t];
    return {positions[i[0]], positions[i[1]], positions[i[2]]};
  }
};

/// What was done to a mesh before anything was built around it.
struct MeshCleaning {
  std::size_t weldedVertices = 0;
  Real weldedDistance = 0.0;  ///< the farthest that one of them moved, metres
  std::size_t unusedVertices = 0;
  std::size_t degenerateTriangles = 0;  ///< without area: two equal corners, or three in a line
  Real longestDegenerate = 0.0;         ///< the longest edge of these, metres
  std::size_t keptApart = 0;  ///< vertices that stayed, because welding them would lose triangles
  std::size_t duplicateTriangles = 0;  ///< same three corners as an earlier one, same winding
  std::size_t turnedTriangles = 0;     ///< by repairWinding()
  /// Closed pieces faced inwards, as the walls of a room do, and were turned: what they enclose is
  /// the solid now.
  bool facedInwards = false;
};

/// What two cleanings did, one after the other.
[[nodiscard]] MeshCleaning joined(const MeshCleaning& first, const MeshCleaning& second) noexcept;

/// Welds vertices closer than `weldDistance` (metres; 0 welds equal positions only), drops
/// triangles without area (decided exactly), duplicates and unused vertices. Order is kept. A
/// triangle that welding leaves without area lies on others then, within that distance: where it
/// would not, as in a thin spike or a tiny part, its vertices stay apart. That is found out round
/// by round; where 64 are too few, only equal positions are welded. Then repairs the winding, as
/// repairWinding() does.
///
/// Takes any mesh, and leaves it unchanged after an error. Ends soon once `cancelled` is set, if it
/// is not null. The result is the same for any number of `workers` (threads). Errors: those of
/// checkTriangles(); Unsupported (a distance below 0 or not finite); Cancelled; OutOfMemory.
Result<MeshCleaning> cleanMesh(TriangleMesh& mesh, Real weldDistance,
                               const std::atomic<bool>* cancelled = nullptr, int workers = 1);

/// Turns triangles until those that share an edge wind alike, the fewer of each connected patch; of
/// a closed surface then all, if its volume is negative, and patches that face inwards outside of
/// all others. What has one side only, or more than two triangles at an edge, is left there; so are
/// patches that share each vertex with others, and the smallest of many that lie within each other,
/// once 1e9 triangles were looked at to see which lie inside of others. A swap of the last two
/// corners; returns how many triangles were turned.
/// @pre the mesh was cleaned.
std::size_t repairWinding(TriangleMesh& mesh);

/// The properties of a mesh as a surface. Edges are counted over shared vertices, so clean the mesh
/// first.
struct MeshReport {
  std::size_t boundaryEdges = 0;         ///< edges with one triangle
  std::size_t nonManifoldEdges = 0;      ///< edges with three triangles or more
  std::size_t misorientedEdges = 0;      ///< edges run twice in the same direction
  std::size_t nonManifoldVertices = 0;   ///< vertices whose triangles form more than one fan
  std::size_t selfIntersections = 0;     ///< pairs of triangles that meet away from what they share
  bool selfIntersectionsCounted = true;  ///< see MeshCheckSettings; if false, 0 is assumed
  std::size_t components = 0;            ///< connected over shared vertices
  /// Patches, connected over edges, that face inwards outside of all others or outwards inside of
  /// one, and those that share each vertex with others, of which that is not known; counted only
  /// where the surface is closed and does not meet itself.
  std::size_t misorientedComponents = 0;
  Real volume = 0.0;  ///< cubic metres, signed; of a closed surface
  [[nodiscard]] bool closed() const noexcept {
    return boundaryEdges == 0 && nonManifoldEdges == 0 && misorientedEdges == 0;
  }
  /// Inside and outside are defined everywhere, and outward is the side of the normals.
  [[nodiscard]] bool solid() const noexcept {
    return closed() && selfIntersections == 0 && misorientedComponents == 0 && volume > 0.0;
  }
  /// True for a closed surface that intersects itself and encloses a volume: points about which it
  /// winds are inside for contacts.
  [[nodiscard]] bool hasWindingInside() const noexcept {
    return closed() && selfIntersections > 0 && volume > 0.0;
  }
};

/// Returns why a surface is not a solid, one phrase for each reason, such as "not closed (3
/// boundary edges)". Empty for a solid.
[[nodiscard]] std::vector<std::string> solidFaults(const MeshReport& report);

/// Returns one sentence that says why a surface is not a solid and how it collides therefore. Empty
/// for a solid.
[[nodiscard]] std::string describe(const MeshReport& report);

/// Plain data.
struct MeshCheckSettings {
  /// Counting self-intersections takes most of the time. If false, the report assumes that there
  /// are none, also in solid().
  bool selfIntersections = true;
  int workers = 1;  ///< threads; the report is the same for any number
};

/// Self-intersection is decided exactly on the given doubles. findMeshFaults() in mesh_faults.h
/// lists what this counts.
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh);

/// The convex hull of points, as a solid. Errors: EmptyMesh (all lie in one plane), TooLarge,
/// BadFormat (a coordinate out of the range of a mesh), out of memory.
Result<TriangleMesh> convexHullMesh(std::span<const Vec3> points);

[[nodiscard]] Box boundingBox(const TriangleMesh& mesh) noexcept;

/// The greatest distance of a vertex from the origin of the body frame, rounded up.
[[nodiscard]] Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept;

/// A 64-bit fingerprint of positions and triangles, the same on every machine; never of file names.
[[nodiscard]] std::uint64_t hashOf(const TriangleMesh& mesh) noexcept;

/// Magnitudes of coordinates, metres: each is 0 or within these. Products of three differences of
/// such numbers neither overflow nor underflow, so that predicates are exact, and nor do the fourth
/// powers of lengths that distances take.
inline constexpr Real minMagnitude = 1e-60;
inline constexpr Real maxMagnitude = 1e60;

/// The greatest magnitude among the coordinates of a mesh, metres, is within these, wherever the
/// mesh comes from: trees are searched in float, which has squares of such lengths.
inline constexpr Real minMeshSize = 1e-15;
inline constexpr Real maxMeshSize = 1e15;

/// No more are counted in MeshReport::selfIntersections: in a heap of triangles nearly all pairs
/// meet.
inline constexpr std::size_t maxSelfIntersections = 1000000;

/// Checks that a mesh can be used: at least one triangle, every corner a vertex that there is,
/// every coordinate 0 or of a magnitude from minMagnitude to maxMeshSize, and one of minMeshSize or
/// more. Errors: EmptyMesh, TooLarge, BadFormat, in one sentence that names the first triangle or
/// vertex at fault.
Result<Success> checkTriangles(const TriangleMesh& mesh);

/// checkMesh() that asks whether it was cancelled again and again, above all while it looks for
/// self-intersections. Errors: Cancelled.
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

/// The point of a surface that is nearest to a query point.
struct SurfacePoint {
  Vec3 position{0.0};
  Real distance = 0.0;         ///< metres, not rounded
  std::uint32_t triangle = 0;  ///< index in mesh().triangles
};

/// Immutable; cheap to move, not to copy. Holds a hierarchy of boxes over the triangles.
/// What was moved from may only be assigned to or destroyed.
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

  /// True if `point` (body frame) lies inside or on the surface, decided exactly. Always false for
  /// what is no solid: there inside is undefined.
  [[nodiscard]] bool contains(const Vec3& point) const;

  /// The nearest point of the surface, however far.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point) const;

  /// As nearest(), but may stop as soon as some surface point within `enough` metres is known.
  [[nodiscard]] SurfacePoint nearest(const Vec3& point, Real enough) const;

  /// As nearest(), and quicker if triangle `guess` is near the point. The answer does not depend on
  /// the guess: of several triangles at the same distance it names that of the lowest index.
  [[nodiscard]] SurfacePoint nearestFrom(const Vec3& point, std::uint32_t guess) const;

  /// Calls visit(triangle) for every triangle whose box meets `box` (body frame).
  void forEachTriangleIn(const Box& box, const auto& visit) const {
    visitTrianglesIn(
        box, [](void* f, std::uint32_t t) { (*static_cast<decltype(&visit)>(f))(t); },
        const_cast<void*>(static_cast<const void*>(&visit)));
  }
  /// True if it would call it; looks no further than the first.
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
  /// Once cancelled, its report is meaningless.
  Polyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled, int workers);
  std::unique_ptr<Parts> parts_;
};

/// The polyhedron of an unchecked mesh, cleaned or not. Errors: those of checkTriangles();
/// Cancelled; out of memory.
/// Once `cancelled` is set, it ends soon, also while it looks for self-intersections.
/// It is the same for any number of threads, `workers`.
Result<Polyhedron> makePolyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled = nullptr,
                                  int workers = 1);

/// True if a component of one body lies inside the other, `b` moved by `bToA` into the frame of
/// `a`, decided exactly on the moved doubles. Only meaningful once the two surfaces are known not
/// to meet; the outer one must be a solid. Compares extents and volumes first, so that most pairs
/// are rejected quickly.
[[nodiscard]] bool oneInsideOther(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

/// False if no component of `inner` can lie inside `outer`, by extents and volumes, in any pose:
/// oneInsideOther() need not be asked then. Linear in the components of both.
[[nodiscard]] bool mayHold(const Polyhedron& outer, const Polyhedron& inner) noexcept;

/// The distance of two surfaces in metres, 0 if they meet or one solid holds the other: the true
/// distance that separation bounds are compared with. Exact up to rounding of the arithmetic.
[[nodiscard]] Real distanceBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA);

}  // namespace nearmiss
