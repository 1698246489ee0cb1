// SPDX-License-Identifier: MIT
/// Circumscribed meshes and covering spheres of the primitives of robot files. Lengths in the
/// file's unit.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

// Meshes of round primitives, centred at the origin, as in nearmiss/mesh.h

/// Along z. Errors: those of cylinderMesh().
[[nodiscard]] Result<TriangleMesh> cylinderAround(Real radius, Real length);
/// Along z; `length` is that of the cylinder between the hemispheres.
[[nodiscard]] TriangleMesh capsuleAround(Real radius, Real length);
[[nodiscard]] TriangleMesh ellipsoidAround(const Vec3& radii);

/// Maximum distance of a point of these meshes from the primitive, relative to its largest radius.
inline constexpr Real roundedExcess = 0.0098;

/// Adds `part` with each point mapped by point(p).
void appendMoved(const TriangleMesh& part, const auto& point, TriangleMesh& whole) {
  const auto first = static_cast<std::uint32_t>(whole.positions.size());
  for (const Vec3& p : part.positions) whole.positions.push_back(point(p));
  for (const auto& t : part.triangles)
    whole.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

/// Returns sets of at most `count` spheres in the frame of the link. Each set covers the shape and
/// the mesh that addShape() makes of it. At least one set for a box, cylinder or capsule; none for
/// other shapes. The shape is divided into equal cells: a box into boxes; a cylinder into slices of
/// one, three, four or seven columns; a capsule along its axis. Each sphere contains a cell.
/// @pre count > 0
[[nodiscard]] std::vector<std::vector<Sphere>> primitiveCovers(const LinkShape& shape,
                                                               std::size_t count);

}  // namespace nearmiss::app::robot
