// SPDX-License-Identifier: MIT
/// Meshes around the round primitives of robot files, about the origin: flat where those are round,
/// and nowhere inside of them, as those of nearmiss/primitives.h are. Lengths in the file's unit.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstdint>

namespace nearmiss::app::robot {

/// Along z. Errors: those of cylinderMesh().
[[nodiscard]] Result<TriangleMesh> cylinderAround(Real radius, Real length);
/// Along z; `length` is that of the cylinder between the two halves of a ball.
[[nodiscard]] TriangleMesh capsuleAround(Real radius, Real length);
[[nodiscard]] TriangleMesh ellipsoidAround(const Vec3& radii);

/// No point of these meshes is farther outside of the primitive than this share of its largest
/// radius.
inline constexpr Real roundedExcess = 0.0098;

/// Adds `part`, each of its points moved by point(p).
void appendMoved(const TriangleMesh& part, const auto& point, TriangleMesh& whole) {
  const auto first = static_cast<std::uint32_t>(whole.positions.size());
  for (const Vec3& p : part.positions) whole.positions.push_back(point(p));
  for (const auto& t : part.triangles)
    whole.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace nearmiss::app::robot
