// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/nearmiss.h>

#include <cstdio>

using namespace nearmiss;

int main() {
  for (const char* builder : {"octree", "sah", "variational"}) {
    const Shape ball =
        *makeShape(*sphereMesh(1.0, 2), {.treeBuilder = builder, .tree = {.levels = 2}});
    const SphereTree& tree = *ball.sphereTree();
    const SphereLevelReport level = levelReports(tree).back();
    std::printf(
        "%s: %zu spheres, H %.2f m, %s\n", builder, level.spheres, level.hausdorffMean,
        checkSphereTree(tree, ball.polyhedron()).covers ? "covers the surface" : "has gaps");
  }
}
