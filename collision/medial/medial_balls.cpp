// SPDX-License-Identifier: MIT
#include "medial/medial_balls.h"

#include "medial/medial_axis.h"

#include <algorithm>

namespace nearmiss {

std::vector<Sphere> medialBalls(const Polyhedron& polyhedron, const DistanceField& field,
                                std::size_t count, BuildProgress* progress) {
  // A ball near to another ball of the axis adds no seed
  const MedialAxis axis = medialAxis(polyhedron, count, MedialAdjacency::SharedEdge, progress,
                                     {.repairs = 0, .together = 0.1});

  // Between the points a thin part may reach into a ball: limit the radius to the distance
  std::vector<Sphere> balls;
  std::uint32_t near = 0;
  for (const MedialSphere& sphere : axis.spheres) {
    const Real distance = field.distance(sphere.ball.centre, near, 0.0f);
    balls.push_back({sphere.ball.centre, std::min(sphere.ball.radius, distance)});
  }
  return balls;
}

}  // namespace nearmiss
