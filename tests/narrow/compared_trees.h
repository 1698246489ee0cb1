// SPDX-License-Identifier: MIT
/// Shapes with plain sphere trees and with trees of a special kind, through the same narrow phase.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/narrow_phases.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>

#include <memory>
#include <vector>

namespace nearmiss::test {

/// By ShapeId.
struct ComparedTrees {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> plain, special;
};

/// The trees must outlive it.
class ComparedPhases : public testing::Test {
 protected:
  explicit ComparedPhases(const ComparedTrees& trees)
      : special_(makeSphereTreeNarrowPhase(trees.special, trees.polyhedra)),
        plain_(makeSphereTreeNarrowPhase(trees.plain, trees.polyhedra)),
        judge_(makeBruteForceNarrowPhase(trees.polyhedra)) {}

  std::unique_ptr<NarrowPhase> special_, plain_, judge_;
};

}  // namespace nearmiss::test
