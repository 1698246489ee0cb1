// SPDX-License-Identifier: MIT
/// Where a plane cuts a mesh.
#pragma once

#include <nearmiss/mesh.h>

#include <vector>

#include "fly/diagram/diagram_picture.h"

namespace nearmiss::app {

/// A point of it is origin + x * u + y * v; u and v are unit vectors at right angles.
struct CuttingFrame {
  Vec3 origin{0.0}, u{1.0, 0.0, 0.0}, v{0.0, 1.0, 0.0};
  [[nodiscard]] Vec3 at(const glm::dvec2& p) const noexcept { return origin + p.x * u + p.y * v; }
};

/// Appends the segments in which the plane meets the triangles of a body, which has this pose. One
/// that lies in the plane is left to its neighbours.
void addSection(const Polyhedron& polyhedron, const Pose& pose, const CuttingFrame& plane,
                std::vector<PlaneSite>& sites);

}  // namespace nearmiss::app
