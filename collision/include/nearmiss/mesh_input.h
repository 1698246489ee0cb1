// SPDX-License-Identifier: MIT
/// Meshes from outside: which are accepted, and functions that check first.
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/triangle_mesh.h>

#include <atomic>
#include <cstddef>

namespace nearmiss {

/// Magnitudes of the coordinates of a mesh, metres: each is 0 or within these. Products of three
/// differences of such numbers neither overflow nor underflow, so that predicates are exact, and
/// nor do the fourth powers of lengths that distances take.
inline constexpr Real leastMagnitude = 1e-60;
inline constexpr Real greatestMagnitude = 1e60;

/// No more are counted in MeshReport::selfIntersections: in a heap of triangles nearly all pairs
/// meet.
inline constexpr std::size_t mostSelfIntersections = 1000000;

/// Whether a mesh may be worked with: at least one triangle, every corner a vertex that there is,
/// every coordinate finite and in range. Errors: EmptyMesh, TooLarge, BadFormat, in one sentence
/// that names the first triangle or vertex at fault.
Result<Success> checkTriangles(const TriangleMesh& mesh);

/// cleanMesh() and repairWinding() for an unchecked mesh, which is unchanged after an error.
/// Errors: those of checkTriangles(); Unsupported (a distance below 0 or not finite); out of
/// memory.
Result<MeshCleaning> cleanMeshChecked(TriangleMesh& mesh, Real weldDistance);

/// checkMesh() that asks whether it was cancelled again and again, above all while it looks for
/// self-intersections. Errors: Cancelled.
/// @pre the mesh was cleaned.
Result<MeshReport> checkMesh(const TriangleMesh& mesh, const std::atomic<bool>& cancelled);

/// The polyhedron of an unchecked mesh, cleaned or not. Errors: those of checkTriangles(); out of
/// memory.
Result<Polyhedron> makePolyhedron(TriangleMesh mesh);

}  // namespace nearmiss
