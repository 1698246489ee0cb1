// SPDX-License-Identifier: MIT
/// Meshes of primitive shapes about the origin of the body frame: box, sphere, capsule, cylinder.
/// See convexHullMesh() for the hull of points.
///
/// All meshes are solids with outward faces. Meshes of round primitives are inscribed: their
/// vertices lie on the primitive, their faces within it. The axis of rotation is z.
///
/// Errors, in one sentence: Unsupported if a size is not from minMeshSize to maxMeshSize (NaN
/// included) or if the number of segments is out of range; OutOfMemory.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

namespace nearmiss {

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

}  // namespace nearmiss
