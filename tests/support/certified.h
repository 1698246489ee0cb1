// SPDX-License-Identifier: MIT
/// Sphere trees that must keep their guarantees.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>

#include <cstdint>

namespace nearmiss::test {

/// Expects a sound structure, the coverage that the tree promises and bounds that hold.
inline void expectCertified(const SphereTree& tree, const Polyhedron& polyhedron) {
  const auto triangles = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  EXPECT_EQ(SphereTree::validate(tree.data(), triangles), nullptr);
  const SphereTreeCertificate verdict = checkSphereTree(tree, polyhedron);
  EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
}

}  // namespace nearmiss::test
