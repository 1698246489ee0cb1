// SPDX-License-Identifier: MIT
/// Spheres that surely cover a robot's link, proven and written as CSV: x, y, z, radius.
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/nearmiss.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace nearmiss;

namespace {

/// A bar with eight sides, thicker at its ends.
TriangleMesh link() {
  TriangleMesh mesh;
  const Real along[] = {0.0, 0.08, 0.1, 0.4, 0.42, 0.5},
             radii[] = {0.06, 0.06, 0.03, 0.03, 0.05, 0.05};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j) {
      const Real turn = 0.785398163397448 * j;
      mesh.positions.push_back({radii[i] * std::cos(turn), radii[i] * std::sin(turn), along[i]});
    }
  const auto at = [](int i, int j) { return static_cast<std::uint32_t>(8 * i + j % 8); };
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 5; ++i) {
      mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
    if (j == 0 || j == 7) continue;
    mesh.triangles.push_back({at(0, 0), at(0, j + 1), at(0, j)});
    mesh.triangles.push_back({at(5, 0), at(5, j), at(5, j + 1)});
  }
  return mesh;
}

}  // namespace

int main() {
  const auto shape = makeShape(link(), {.tree = {.levels = 2, .variational = {.maxSpheres = 40}}});
  if (!shape) return std::puts(shape.error().message.c_str()), 1;
  const SphereTree& tree = *shape->sphereTree();

  // An independent check: every point of the surface lies in a sphere of every level
  const SphereTreeCertificate proof = checkSphereTree(tree, shape->polyhedron());
  if (!proof.covers || !proof.bounds) return std::puts(proof.complaint.c_str()), 1;

  std::vector<SphereId> spheres;
  tree.spheresOf(tree.levelCount() - 1, spheres);
  std::puts("x,y,z,radius");
  for (const SphereId id : spheres) {
    const Sphere ball = tree.sphere(id);
    std::printf("%.6f,%.6f,%.6f,%.6f\n", ball.centre.x, ball.centre.y, ball.centre.z, ball.radius);
  }
}
