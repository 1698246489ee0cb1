// SPDX-License-Identifier: MIT
/// Detects congruent meshes: translated, rotated by right angles, or mirrored, such as the links of
/// left and right arms.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <glm/mat3x3.hpp>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::app::robot {

/// Maps p to axes * p + shift.
struct MeshLikeness {
  glm::dmat3 axes{1.0};  ///< maps each axis to an axis, possibly reversed
  Vec3 shift{0.0};
  Real deviation = 0.0;  ///< maximum distance of a vertex from its counterpart, metres

  [[nodiscard]] Vec3 operator()(const Vec3& p) const noexcept { return axes * p + shift; }
};

/// Returns the first map that carries the vertices of one mesh onto those of the other within a
/// millionth of the size: identity first, then mirrors. Compares vertices only.
[[nodiscard]] std::optional<MeshLikeness> likenessOf(const TriangleMesh& from,
                                                     const TriangleMesh& to);

/// Maps spheres and enlarges them by the deviation.
[[nodiscard]] std::vector<Sphere> mapped(const MeshLikeness& map, std::span<const Sphere> spheres);

}  // namespace nearmiss::app::robot
