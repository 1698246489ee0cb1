// SPDX-License-Identifier: MIT
/// Solids about a metre in size, with sharp edges and blunt ones, thick and thin.
#pragma once

#include <nearmiss/shape.h>

#include <utility>
#include <vector>

#include "support/box_solids.h"
#include "support/meshes.h"
#include "support/shapes.h"

namespace nearmiss::test {

/// None rolls for long.
inline std::vector<TriangleMesh> edgedMeshes() {
  const std::vector<Box> angle{{{0, 0, -0.1}, {1, 0.2, 0.1}}, {{0, 0, -0.1}, {0.2, 1, 0.1}}};
  return {cube(0.5),
          tetrahedron(),
          bedOfNails(3),
          comb(),
          spikyStar(1, 7, 9),
          box({-1, -1, -0.1}, {1, 1, 0.1}),
          box({-0.1, -0.1, -1}, {0.1, 0.1, 1}),
          meshOf(angle)};
}

inline std::vector<TriangleMesh> roundMeshes() { return {sphere(7, 9, 0.5), torus(12, 6)}; }

inline std::vector<Shape> shapesOf(std::vector<TriangleMesh> meshes) {
  std::vector<Shape> shapes;
  for (TriangleMesh& mesh : meshes) shapes.push_back(treelessShape(std::move(mesh)));
  return shapes;
}

inline std::vector<Shape> edgedSolids() { return shapesOf(edgedMeshes()); }

inline std::vector<Shape> edgedAndRoundSolids() {
  std::vector<Shape> shapes = edgedSolids();
  for (Shape& shape : shapesOf(roundMeshes())) shapes.push_back(std::move(shape));
  return shapes;
}

}  // namespace nearmiss::test
