// SPDX-License-Identifier: MIT
/// Meshes of primitive shapes about the origin of the body frame: box, sphere, capsule, cylinder.
/// See convexHullMesh() for the hull of points.
///
/// All are solids that face outwards. The meshes of round primitives are inscribed: their vertices
/// lie on the primitive, their faces within it. Axes of rotation are z.
///
/// Errors, in one sentence: Unsupported if a size is not from minMeshSize to maxMeshSize (NaN
/// included), or if the number of segments is out of its range; OutOfMemory.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

namespace nearmiss {

inline constexpr int defaultSphereSubdivisions = 3, maxSphereSubdivisions = 8;
/// Around the axis of a capsule or cylinder.
inline constexpr int defaultRoundSegments = 32, minRoundSegments = 3, maxRoundSegments = 1024;

/// Makes a box of 12 triangles.
/// @param halfExtents half of the length of each side, metres
[[nodiscard]] Result<TriangleMesh> boxMesh(const Vec3& halfExtents);

/// Makes a sphere of nearly equal triangles, 20 times 4 to the power of `subdivisions`.
/// @param radius of the sphere, metres
/// @param subdivisions of an icosahedron, from 0 to maxSphereSubdivisions
[[nodiscard]] Result<TriangleMesh> sphereMesh(Real radius,
                                              int subdivisions = defaultSphereSubdivisions);

/// Makes a capsule: a cylinder along z with half a sphere on either end.
/// @param radius of the cylinder and the half spheres, metres
/// @param halfHeight half of the length of the cylinder between the half spheres, metres; at 0 the
/// capsule is a sphere of latitude and longitude
/// @param segments around the axis, from minRoundSegments to maxRoundSegments; a quarter of them,
/// at least 2, lie between a pole and the equator
[[nodiscard]] Result<TriangleMesh> capsuleMesh(Real radius, Real halfHeight,
                                               int segments = defaultRoundSegments);

/// Makes a cylinder along z.
/// @param radius of the cylinder, metres
/// @param halfHeight half of its length, metres
/// @param segments around the axis, from minRoundSegments to maxRoundSegments
[[nodiscard]] Result<TriangleMesh> cylinderMesh(Real radius, Real halfHeight,
                                                int segments = defaultRoundSegments);

}  // namespace nearmiss
