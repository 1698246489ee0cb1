// SPDX-License-Identifier: MIT
/// Shapes of all kinds for queries of two bodies: solids with spheres inside, hollows, open ones.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <memory>
#include <vector>

#include "support/borrowed.h"
#include "support/narrow.h"
#include "support/shapes.h"

namespace nearmiss::test {

struct QueriedShapes {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;
  Shapes shapes;
  std::unique_ptr<NarrowPhase> reference;

  [[nodiscard]] const Shape& of(const BodyState& body) const { return shapes[body.shape.index()]; }
  /// By every triangle against every triangle, and containment.
  [[nodiscard]] bool touch(const TwoBodies& bodies) const {
    return finalVerdict(*reference, bodies) == Verdict::Contact;
  }
};

inline const QueriedShapes& queriedShapes() {
  static const QueriedShapes all = [] {
    QueriedShapes made;
    for (TriangleMesh mesh : {cube(0.6), sphere(8, 10), torus(12, 8), spikyStar(2, 7, 9), comb(),
                              hollowCube(), openTorus()}) {
      made.polyhedra.emplace_back(std::move(mesh));
      SphereTreeSettings settings{.levels = 1, .hausdorffTolerance = 0.5, .innerSpheres = 120};
      made.trees.push_back(
          *buildSphereTree(*findSphereTreeBuilder("octree"), made.polyhedra.back(), settings));
    }
    made.shapes = borrowed(made.polyhedra, made.trees);
    made.reference = makeBruteForceNarrowPhase(made.shapes);
    return made;
  }();
  return all;
}

}  // namespace nearmiss::test
