// SPDX-License-Identifier: MIT
/// Solids, an open surface and a heap, under trees of several kinds.
#pragma once

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <vector>

#include "support/borrowed.h"
#include "support/meshes.h"
#include "support/shapes.h"

namespace nearmiss::test {

struct SearchedShapes {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;

  void add(TriangleMesh mesh, std::string_view builder, const SphereTreeSettings& settings) {
    polyhedra.emplace_back(std::move(mesh));
    trees.push_back(*buildSphereTree(*findSphereTreeBuilder(builder), polyhedra.back(), settings));
  }
  [[nodiscard]] Shapes shapes() const { return borrowed(polyhedra, trees); }
};

inline const SearchedShapes& searchedShapes() {
  static const SearchedShapes all = [] {
    SearchedShapes made;
    const std::vector<std::string_view> builders{"octree", "variational", "dag"};
    std::vector<TriangleMesh> meshes = solidMeshes();
    meshes.push_back(openTorus());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const auto builder = builders[i % builders.size()];
      // The others take long to build
      SphereTreeSettings settings{.levels = builder == "octree" ? 3 : 2, .hausdorffTolerance = 0.5};
      if (i % 2 == 0) settings.innerSpheres = 100;
      if (i % 3 != 2) settings.nodeBoxRatio = 1.0;
      made.add(std::move(meshes[i]), builder, settings);
    }
    // Leaves with far more triangles than a group holds
    made.add(spikyStar(3, 14, 18), "octree", {.levels = 1});
    return made;
  }();
  return all;
}

}  // namespace nearmiss::test
