// SPDX-License-Identifier: MIT
#include "hierarchy/medial_balls.h"

#include "hierarchy/medial_axis.h"

#include <algorithm>
#include <utility>

namespace nearmiss {

std::vector<Sphere> medialBalls(const Polyhedron& polyhedron, const DistanceField& field,
                                std::size_t count, BuildProgress* progress) {
  const std::atomic<bool>* stop = progress ? &progress->cancelled : nullptr;
  const auto cancelled = [stop] { return stop && *stop; };
  if (progress) progress->enter(BuildStage::Points);
  std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), count, stop);
  if (cancelled()) return {};
  if (progress) progress->enter(BuildStage::Axis);
  std::vector<Vec3> positions;
  for (const SurfaceSample& point : points) positions.push_back(point.position);
  const VoronoiDiagram diagram = voronoiDiagram(positions, stop);
  if (cancelled()) return {};
  // What lies this near to another ball of the axis seeds nothing else
  const Real together = 0.1 * evenSpacing(polyhedron.mesh(), count);
  const MedialAxis axis =
      medialAxis(polyhedron, std::move(points), diagram, together, MedialAdjacency::SharedEdge);

  // Between the points a thin part may reach into a ball: no more than the distance is inside
  std::vector<Sphere> balls;
  std::uint32_t near = 0;
  for (const MedialSphere& sphere : axis.spheres) {
    const auto most = static_cast<float>(sphere.ball.radius);
    const Real distance = most > 0.0f ? field.distance(sphere.ball.centre, near, 0.0f) : 0.0;
    balls.push_back({sphere.ball.centre, std::min(sphere.ball.radius, distance)});
  }
  return balls;
}

}  // namespace nearmiss
