// SPDX-License-Identifier: MIT
/// The volume, centre of mass and inertia tensor of a body of uniform density.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <glm/mat3x3.hpp>

namespace nearmiss {

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

/// As above for a shape, whose mesh is already checked.
[[nodiscard]] Result<MassProperties> massProperties(const Shape& shape);

}  // namespace nearmiss
