// SPDX-License-Identifier: MIT
#include "spheres/one_sphere_tree.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>
#include <utility>

#include "spheres/sphere_packing.h"

namespace nearmiss {

SphereTree oneSphereTree(const Polyhedron& polyhedron) {
  const TriangleMesh& mesh = polyhedron.mesh();
  Sphere ball{roundedToFloat(polyhedron.bounds().centre()), 0.0};
  for (const Vec3& corner : mesh.positions)
    ball.radius = std::max(ball.radius, glm::distance(ball.centre, corner));
  // More than rounding could remove
  ball.radius *= 1.0 + 1e-6;

  SphereTree::Data data;
  addPack(data);
  store(data.packs[0], 0, ball);
  data.levelBegin = {0, 1};
  data.leafTriangles.resize(mesh.triangles.size());
  std::iota(data.leafTriangles.begin(), data.leafTriangles.end(), 0u);
  data.triangleBegin.assign(SpherePack::width + 1,
                            static_cast<std::uint32_t>(mesh.triangles.size()));
  data.triangleBegin[0] = 0;
  // A path through the centre bounds the distance of every point of the ball from the surface
  const Real inner = polyhedron.nearest(ball.centre).distance;
  data.links[0].hausdorff[0] = floatAtLeast((data.packs[0].r[0] + inner) * (1.0 + 1e-6));
  return SphereTree(std::move(data));
}

}  // namespace nearmiss
