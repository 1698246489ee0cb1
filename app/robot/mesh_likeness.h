// SPDX-License-Identifier: MIT
/// Meshes that are alike: moved, turned by right angles, or mirrored, as the links of a left and a
/// right arm are.
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
  glm::dmat3 axes{1.0};  ///< each axis goes to an axis, forward or backward
  Vec3 shift{0.0};
  Real deviation = 0.0;  ///< metres that a vertex is off at most

  [[nodiscard]] Vec3 operator()(const Vec3& p) const noexcept { return axes * p + shift; }
};

/// The first of these maps that carries the vertices of one mesh onto those of the other, each
/// within a millionth of the size; the identity first, then mirrors. What is between the vertices
/// is not compared.
[[nodiscard]] std::optional<MeshLikeness> likenessOf(const TriangleMesh& from,
                                                     const TriangleMesh& to);

/// Spheres of the one as those of the other, larger by the deviation.
[[nodiscard]] std::vector<Sphere> mapped(const MeshLikeness& map, std::span<const Sphere> spheres);

}  // namespace nearmiss::app::robot
