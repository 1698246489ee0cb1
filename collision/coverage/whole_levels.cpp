// SPDX-License-Identifier: MIT
#include "coverage/whole_levels.h"

#include "coverage/triangle_cover.h"
#include "coverage/triangles_meeting.h"

#include <nearmiss/sphere_tree_measure.h>

#include <vector>

namespace nearmiss {

OpenLevels openLevels(const SphereTree& tree, const Polyhedron& polyhedron, Real slack) {
  OpenLevels open;
  const auto count = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  std::vector<SphereId> spheres;
  std::vector<std::vector<Sphere>> meeting(count);
  for (int level = 0; level < tree.levelCount(); ++level) {
    // Which spheres of this level, leaves above included, meet which triangle
    for (std::vector<Sphere>& list : meeting) list.clear();
    cutAt(tree, level, spheres);
    for (const SphereId id : spheres) {
      Sphere ball = tree.sphere(id);
      ball.radius += slack;
      for (const std::uint32_t t : trianglesMeeting(polyhedron, ball)) meeting[t].push_back(ball);
    }
    for (std::uint32_t t = 0; t < count; ++t) {
      const auto point = openPoint(polyhedron.mesh().corners(t), meeting[t]);
      if (point && open.triangles++ == 0) {
        open.level = level;
        open.triangle = t;
        open.where = *point;
      }
    }
  }
  return open;
}

}  // namespace nearmiss
