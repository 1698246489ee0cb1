// SPDX-License-Identifier: MIT
/// Shapes with plain sphere trees and with trees of a special kind, through the same narrow phase.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <memory>
#include <vector>

#include "support/borrowed.h"

namespace nearmiss::test {

/// By ShapeRef::index().
struct ComparedTrees {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> plain, special;
};

/// The trees must outlive it.
class ComparedPhases : public testing::Test {
 protected:
  explicit ComparedPhases(const ComparedTrees& trees)
      : special_(makeSphereTreeAllNarrowPhase(borrowed(trees.polyhedra, trees.special))),
        plain_(makeSphereTreeAllNarrowPhase(borrowed(trees.polyhedra, trees.plain))),
        reference_(makeBruteForceNarrowPhase(borrowed(trees.polyhedra))) {}

  std::unique_ptr<NarrowPhase> special_, plain_, reference_;
};

}  // namespace nearmiss::test
