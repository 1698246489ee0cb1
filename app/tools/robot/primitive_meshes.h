// SPDX-License-Identifier: MIT
/// Circumscribed meshes of the round primitives of robot files, centred at the origin, as in
/// nearmiss/mesh.h. Lengths in the file's unit.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstdint>

namespace nearmiss::app::robot {

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

}  // namespace nearmiss::app::robot
