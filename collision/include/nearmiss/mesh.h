// SPDX-License-Identifier: MIT
/// Triangle meshes: loading, cleaning, checking, primitives and mass properties.
///
/// makeShape() in shape.h cleans and checks any mesh by itself; the functions here do it step by
/// step. They are thread-safe. Two parameters mean the same everywhere:
/// - `cancelled`: if not null, the function returns Cancelled soon after it is set.
/// - `workers`: number of threads. Results do not depend on it.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <span>
#include <string>
#include <vector>

namespace nearmiss {

/// A triangle mesh; triangles are counter-clockwise seen from outside. Plain data.
struct TriangleMesh {
  std::vector<Vec3> positions;                          ///< metres, body frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices in `positions`

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    const auto& i = triangles[t];
    return {positions[i[0]], positions[i[1]], positions[i[2]]};
  }
};

// Loading

/// Reads an OBJ, OFF, PLY or STL file and cleans its mesh: vertices nearer to each other than
/// usualWeldDistance() are welded (see cleanMesh()). Keeps the file's frame and unit; detection
/// treats the unit as metres. readMeshFile() in advanced/mesh_file.h also returns normals and
/// materials.
///
/// Errors: NotFound, Unreadable, BadFormat, Unsupported (another format), TooLarge (by
/// MeshFileLimits), EmptyMesh (no triangles, or all are degenerate), OutOfMemory.
Result<TriangleMesh> loadMesh(const std::string& file, int workers = 1);

/// Returns the default weld distance: a millionth of the mesh's radius about the centre of the box
/// of its triangles.
/// @pre all positions are finite and all indices in range.
[[nodiscard]] Real usualWeldDistance(const TriangleMesh& mesh, int workers = 1);

// Primitives: solids about the origin of the body frame with outward faces. Round ones are
// inscribed: their vertices lie on the primitive, their faces within it. Their axis of rotation is
// z. Errors, in one sentence: Unsupported if a size is not from minMeshSize to maxMeshSize (NaN
// included) or if a count is out of range; OutOfMemory.

inline constexpr int defaultSphereSubdivisions = 3, maxSphereSubdivisions = 8;
/// Number of segments around the axis of a capsule or cylinder.
inline constexpr int defaultRoundSegments = 32, minRoundSegments = 3, maxRoundSegments = 1024;

/// Makes a box of 12 triangles.
/// @param halfExtents half of the length of each side, metres
[[nodiscard]] Result<TriangleMesh> boxMesh(const Vec3& halfExtents);

/// Makes a sphere of 20 * 4^subdivisions nearly equal triangles.
/// @param radius of the sphere, metres
/// @param subdivisions of an icosahedron, from 0 to maxSphereSubdivisions
[[nodiscard]] Result<TriangleMesh> sphereMesh(Real radius,
                                              int subdivisions = defaultSphereSubdivisions);

/// Makes a capsule: a cylinder along z with a half sphere at each end.
/// @param radius of the cylinder and the half spheres, metres
/// @param halfHeight half of the length of the cylinder between the half spheres, metres; if 0, the
/// capsule is a latitude-longitude sphere
/// @param segments around the axis, from minRoundSegments to maxRoundSegments; there are a quarter
/// as many, at least 2, from a pole to the equator
[[nodiscard]] Result<TriangleMesh> capsuleMesh(Real radius, Real halfHeight,
                                               int segments = defaultRoundSegments);

/// Makes a cylinder along z.
/// @param radius of the cylinder, metres
/// @param halfHeight half of its length, metres
/// @param segments around the axis, from minRoundSegments to maxRoundSegments
[[nodiscard]] Result<TriangleMesh> cylinderMesh(Real radius, Real halfHeight,
                                                int segments = defaultRoundSegments);

/// Computes the convex hull of points, as a solid. Errors: EmptyMesh (all lie in one plane),
/// TooLarge, BadFormat (a coordinate out of the range of a mesh), OutOfMemory.
Result<TriangleMesh> convexHullMesh(std::span<const Vec3> points);

// Cleaning

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
/// Accepts any mesh. After an error, the mesh is unchanged. Errors: those of checkTriangles();
/// Unsupported (a distance below 0 or not finite); Cancelled; OutOfMemory.
Result<MeshCleaning> cleanMesh(TriangleMesh& mesh, Real weldDistance,
                               const std::atomic<bool>* cancelled = nullptr, int workers = 1);

/// Makes the winding of a mesh consistent, with the closed parts facing outwards. Returns the
/// number of triangles turned. Turning a triangle swaps its last two corners.
///
/// A patch is a set of triangles that are connected over edges of exactly two triangles.
/// 1. Neighbours in a patch get the same winding. The smaller group of triangles is turned.
/// 2. If the surface is then closed and its volume is negative, all triangles are turned.
/// 3. Each patch that faces inwards and does not lie inside another patch is turned.
///
/// Some faults remain:
/// - One-sided patches, such as a Moebius strip, keep their winding.
/// - Step 3 skips patches that share every vertex with other patches.
/// - Step 3 skips the smallest patches once containment tests have examined 1e9 triangles.
/// @pre the mesh was cleaned, for example by cleanMesh(), which calls this function
std::size_t repairWinding(TriangleMesh& mesh);

// Checking

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

/// Settings of checkMesh() and findMeshFaults(). Plain data.
struct MeshCheckSettings {
  /// Counts self-intersections, which takes most of the time. If false, the report assumes that
  /// there are none, also in solid().
  bool selfIntersections = true;
  int workers = 1;
  /// For findMeshFaults(): vertices nearer than this count as one, metres, as cleanMesh() welds
  /// them. 0: equal positions only.
  Real weldDistance = 0.0;
};

/// Returns the properties of a mesh. Self-intersection is decided exactly on the given doubles.
/// findMeshFaults() lists the faults that this counts.
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh);

/// As checkMesh(), but polls `cancelled`, above all during the search for self-intersections.
/// Errors: Cancelled.
/// @pre the mesh was cleaned.
Result<MeshReport> checkMesh(const TriangleMesh& mesh, const std::atomic<bool>& cancelled,
                             const MeshCheckSettings& settings = {});

/// The faults of a mesh. All indices refer to the input mesh, not to the cleaned one. Lists of
/// triangles and vertices are ascending.
struct MeshFaults {
  /// An edge of a triangle. If several triangles share it, the first one.
  struct Edge {
    std::array<std::uint32_t, 2> vertices{};  ///< indices used by that triangle, the lower first
    std::uint32_t triangle = 0;
  };
  MeshReport report;      ///< of the cleaned mesh; counts the faults listed below
  MeshCleaning cleaning;  ///< no triangle was turned
  /// Pairs of triangles that intersect away from shared vertices and edges, the lower index first,
  /// ascending. At most maxSelfIntersections.
  std::vector<std::array<std::uint32_t, 2>> selfIntersections;
  std::vector<Edge> boundaryEdges;     ///< open edges: one triangle
  std::vector<Edge> nonManifoldEdges;  ///< three triangles or more
  std::vector<Edge> misorientedEdges;  ///< two triangles that traverse it in the same direction
  /// Vertices whose triangles form more than one fan. For welded vertices, the index that the first
  /// triangle uses.
  std::vector<std::uint32_t> nonManifoldVertices;
  // The triangles below are no faults of the cleaned surface, which does not contain them
  std::vector<std::uint32_t> degenerateTriangles;  ///< degenerate after welding
  std::vector<std::uint32_t> duplicateTriangles;   ///< same corners as an earlier one
};

/// Lists the faults of an unchecked mesh. Welds vertices and ignores degenerate and duplicate
/// triangles as cleanMesh() does, but does not repair windings. Errors: those of checkTriangles();
/// Unsupported (a distance below 0 or not finite); Cancelled; OutOfMemory.
Result<MeshFaults> findMeshFaults(const TriangleMesh& mesh, const MeshCheckSettings& settings = {},
                                  const std::atomic<bool>* cancelled = nullptr);

// Properties and limits

[[nodiscard]] Box boundingBox(const TriangleMesh& mesh) noexcept;

/// Returns the maximum distance of a vertex from the origin of the body frame, rounded up.
[[nodiscard]] Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept;

/// Returns a 64-bit fingerprint of positions and triangles, the same on every machine. File names
/// do not enter.
[[nodiscard]] std::uint64_t hashOf(const TriangleMesh& mesh) noexcept;

/// Mass properties of a body with density 1 kg/m^3, body frame. For another density, multiply
/// `volume` and `inertia` by it to get mass and inertia.
struct MassProperties {
  Real volume = 0.0;        ///< cubic metres; equals the mass in kilograms
  Vec3 centre{0.0};         ///< centre of mass, metres
  glm::dmat3 inertia{0.0};  ///< about `centre`, along the axes of the body frame; symmetric, kg m^2
};

/// Computes mass properties by integrals over the volume that a closed surface encloses. Exact
/// within rounding, at any position of the body in its frame. If a surface intersects itself, space
/// counts by its winding number: overlapping parts count twice.
///
/// Linear in the number of triangles. Vertices at the same position must be one; see cleanMesh().
/// Errors, in one sentence: those of checkTriangles(); Unsupported if the surface is not closed or
/// encloses no volume; OutOfMemory.
[[nodiscard]] Result<MassProperties> massProperties(const TriangleMesh& mesh);

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

}  // namespace nearmiss
