// SPDX-License-Identifier: MIT
/// A table of small shapes with everything precomputed that a detector may ask for.
#pragma once

#include <nearmiss/bsp_tree.h>
#include <nearmiss/detector_catalog.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "support/meshes.h"

namespace nearmiss::test {

/// Shapes, their sphere trees of guaranteed coverage and their BSP trees, by ShapeId.
struct ShapeKit {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> sphereTrees;
  std::vector<BspTree> bspTrees;

  void add(TriangleMesh mesh) {
    cleanMesh(mesh, 0.0);
    polyhedra.emplace_back(std::move(mesh));
    // Loose bounds are bounds, and ten times as quick to find
    sphereTrees.push_back(*buildOctreeSphereTree(polyhedra.back(), {.hausdorffTolerance = 0.3}));
    bspTrees.push_back(*buildBspTree(polyhedra.back()));
  }
  [[nodiscard]] ShapeTables tables() const { return {polyhedra, sphereTrees, bspTrees}; }
};

/// A box with a hollow in it, which no path joins to the outside.
inline TriangleMesh hollowCube() {
  TriangleMesh mesh = cube(1.0);
  TriangleMesh hollow = cube(0.5);
  flip(hollow);
  append(mesh, hollow);
  return mesh;
}

/// Two cubes that belong to one body.
inline TriangleMesh twoCubes() {
  TriangleMesh mesh;
  append(mesh, cube(0.25), Vec3(-0.75, 0.0, 0.0));
  append(mesh, cube(0.125), Vec3(0.75, 0.0, 0.0));
  return mesh;
}

/// Half a torus, open at both ends.
inline TriangleMesh openTorus() {
  TriangleMesh mesh = torus(12, 6);
  mesh.triangles.resize(mesh.triangles.size() / 2);
  return mesh;
}

/// Solids of all kinds: convex and not, with parts, hollows, spikes; some small enough to lie
/// inside others.
inline ShapeKit solidShapes() {
  ShapeKit kit;
  for (TriangleMesh& mesh : std::vector<TriangleMesh>{
           cube(), tetrahedron(), sphere(7, 9), torus(12, 6), bedOfNails(3), comb(),
           spikyStar(1, 7, 9), hollowCube(), twoCubes(), cube(0.125), sphere(4, 5, 0.25)})
    kit.add(std::move(mesh));
  return kit;
}

/// The solids, and surfaces that bound nothing.
inline ShapeKit allShapes() {
  ShapeKit kit = solidShapes();
  kit.add(openTorus());
  TriangleMesh open = cube(0.5);
  open.triangles.pop_back();
  kit.add(std::move(open));
  kit.add({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  return kit;
}

}  // namespace nearmiss::test
