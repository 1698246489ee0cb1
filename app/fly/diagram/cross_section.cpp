// SPDX-License-Identifier: MIT
#include "fly/diagram/cross_section.h"

#include <array>
#include <glm/geometric.hpp>

namespace nearmiss::app {

void addSection(const Polyhedron& polyhedron, const Pose& pose, const CuttingFrame& plane,
                std::vector<PlaneSite>& sites) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const Vec3 normal = glm::cross(plane.u, plane.v);
  // x, y and height of every vertex
  std::vector<Vec3> local;
  local.reserve(mesh.positions.size());
  for (const Vec3& own : mesh.positions) {
    const Vec3 p = transformed(pose, own) - plane.origin;
    local.emplace_back(glm::dot(p, plane.u), glm::dot(p, plane.v), glm::dot(p, normal));
  }
  for (const auto& triangle : mesh.triangles) {
    // Height 0 counts as above, so that a closed surface has a closed section
    std::array<glm::dvec2, 2> ends;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3 && count < 2; ++i) {
      const Vec3 &p = local[triangle[i]], &q = local[triangle[(i + 1) % 3]];
      if ((p.z >= 0.0) == (q.z >= 0.0)) continue;
      ends[count++] = glm::mix(glm::dvec2(p), glm::dvec2(q), p.z / (p.z - q.z));
    }
    if (count == 2) sites.push_back({ends[0], ends[1]});
  }
}

}  // namespace nearmiss::app
