// SPDX-License-Identifier: MIT
/// A table of small shapes with everything precomputed that a detector may ask for.
#pragma once

#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/meshes.h"

namespace nearmiss::test {

/// Shapes, their BSP trees and their sphere trees of guaranteed coverage, by ShapeRef::index().
struct ShapeKit {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> sphereTrees;
  std::vector<BspTree> bspTrees;

  /// `sphereLevels` 0 leaves the sphere trees out, which take longest to build.
  explicit ShapeKit(std::vector<TriangleMesh> meshes, int sphereLevels) {
    // Loose bounds are bounds, and quicker to find
    const SphereTreeSettings settings{.levels = sphereLevels, .hausdorffTolerance = 0.5};
    for (TriangleMesh& mesh : meshes) {
      static_cast<void>(*cleanMesh(mesh, 0.0));
      polyhedra.emplace_back(std::move(mesh));
      bspTrees.push_back(*buildBspTree(polyhedra.back()));
      if (sphereLevels > 0)
        sphereTrees.push_back(*buildOctreeSphereTree(polyhedra.back(), settings));
    }
  }
  [[nodiscard]] Shapes tables() const { return borrowed(polyhedra, sphereTrees, bspTrees); }
};

/// A shape for what asks the surface alone. @pre the mesh is sound
inline Shape treelessShape(TriangleMesh mesh) {
  ShapeSettings settings;
  settings.quality = TreeQuality::None;
  return *makeShape(std::move(mesh), settings);
}

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
inline std::vector<TriangleMesh> solidMeshes() {
  return {cube(),        tetrahedron(), sphere(7, 9),       torus(12, 6),
          bedOfNails(3), comb(),        spikyStar(1, 7, 9), hollowCube(),
          twoCubes(),    cube(0.125),   sphere(4, 5, 0.25)};
}

/// The solids, and surfaces that bound nothing.
inline std::vector<TriangleMesh> solidAndOpenMeshes() {
  std::vector<TriangleMesh> meshes = solidMeshes();
  meshes.push_back(openTorus());
  meshes.push_back(cube(0.5));
  meshes.back().triangles.pop_back();
  meshes.push_back({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  return meshes;
}

}  // namespace nearmiss::test
