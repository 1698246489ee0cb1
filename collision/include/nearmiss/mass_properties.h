// SPDX-License-Identifier: MIT
/// The volume, centre of mass and inertia tensor of a body of uniform density.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <glm/mat3x3.hpp>

namespace nearmiss {

/// Of a body with a density of 1 kg/m^3, body frame. Multiply `volume` and `inertia` by the density
/// for the mass and the inertia of a body of another density.
struct MassProperties {
  Real volume = 0.0;        ///< cubic metres: the mass in kilograms
  Vec3 centre{0.0};         ///< centre of mass, metres
  glm::dmat3 inertia{0.0};  ///< about `centre`, along the axes of the body frame; symmetric, kg m^2
};

/// Computes the integrals over the volume that a closed surface encloses, exact but for rounding,
/// wherever the body lies in its frame. Where a surface intersects itself, space counts as often as
/// the surface winds about it: parts that overlap count twice there.
///
/// Linear in the number of triangles. Vertices at the same position must be one; see cleanMesh().
/// Errors, in one sentence: those of checkTriangles(); Unsupported if the surface is not closed or
/// encloses no volume; OutOfMemory.
[[nodiscard]] Result<MassProperties> massProperties(const TriangleMesh& mesh);

/// The same for a shape, whose mesh was checked before.
[[nodiscard]] Result<MassProperties> massProperties(const Shape& shape);

}  // namespace nearmiss
