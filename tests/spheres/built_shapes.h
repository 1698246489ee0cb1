// SPDX-License-Identifier: MIT
/// Shapes with trees of several builders, built once for what refits and scales them.
#pragma once

#include <nearmiss/shape.h>

#include <vector>

#include "support/meshes.h"

namespace nearmiss::test {

/// Of all builders, the default one with boxes and inner spheres, off the origin, with BSP trees.
inline const std::vector<Shape>& builtShapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made;
    for (const char* builder : {"variational", "octree", "medial", "dag"})
      for (TriangleMesh mesh : {torus(16, 10), spikyStar(2, 7, 9), cube(0.6)}) {
        for (Vec3& p : mesh.positions) p += Vec3(0.13, -0.07, 0.21);
        ShapeSettings settings;
        settings.treeBuilder = builder;
        // Three levels, but of few spheres, which are quicker to build
        settings.tree = {.levels = 3,
                         .hausdorffTolerance = 0.1,
                         .variational = {.branching = 4},
                         .dag = {.branching = 4},
                         .medial = {.branching = 4, .surfacePoints = 500}};
        settings.bspTree = true;
        made.push_back(*makeShape(mesh, settings));
      }
    return made;
  }();
  return all;
}

}  // namespace nearmiss::test
