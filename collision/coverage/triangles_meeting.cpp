// SPDX-License-Identifier: MIT
#include "coverage/triangles_meeting.h"

#include "geometry/closest_points.h"

#include <algorithm>

namespace nearmiss {

std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron, const Sphere& ball) {
  std::vector<std::uint32_t> triangles;
  polyhedron.forEachTriangleIn(
      {ball.centre - ball.radius, ball.centre + ball.radius}, [&](std::uint32_t t) {
        const Vec3 nearest = closestOnTriangle(ball.centre, polyhedron.mesh().corners(t));
        if (glm::distance(nearest, ball.centre) <= ball.radius) triangles.push_back(t);
      });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}  // namespace nearmiss
