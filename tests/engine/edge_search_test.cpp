// SPDX-License-Identifier: MIT
/// The deepest point of edges against points along all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "interference/edge_search.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

TEST(EdgeSearch, FindsTheDeepestPointOfAllEdges) {
  nearmiss::test::Random random(11);
  std::size_t deep = 0;
  for (int i = 0; i < nearmiss::test::cases(30); ++i) {
    SCOPED_TRACE(i);
    const Polyhedron own(nearmiss::test::spikyStar(static_cast<std::uint64_t>(i), 6, 8));
    const Polyhedron other(i % 2 ? nearmiss::test::torus(12, 8) : nearmiss::test::cube(0.6));
    const Pose pose{random.inCube(1.2), random.rotation()};
    const MeshEdges edges = edgesOf(own.mesh());
    EXPECT_EQ(edges.size(), own.mesh().triangles.size() * 3 / 2);
    constexpr Real limit = 1e-3;
    const auto found = EdgeSearch(own, edges, other, pose, limit).farthest(SurfaceSide::Inside);
    Real sampled = 0.0;
    for (const auto& [from, to] : edges)
      for (int k = 0; k <= 200; ++k) {
        const Vec3 p = glm::mix(own.mesh().positions[from], own.mesh().positions[to], k / 200.0);
        const Vec3 point = transformed(pose, p);
        if (other.contains(point)) sampled = std::max(sampled, other.nearest(point).distance);
      }
    const Real depth = found ? found->away : 0.0;
    EXPECT_GE(1.01 * depth + limit, sampled);
    if (!found) continue;
    ++deep;
    EXPECT_TRUE(other.contains(found->at));
    EXPECT_NEAR(other.nearest(found->at).distance, depth, 1e-12);
  }
  EXPECT_GT(deep, 8u);
}

/// Pieces as short as the overlap would be ten million for each edge.
TEST(EdgeSearch, EdgesAlongAFaceNeedNoPiecesAsShortAsTheyAreDeep) {
  constexpr Real deep = 1e-8, limit = 1e-10;
  const Polyhedron own(nearmiss::test::box({-1.0, -0.1, -0.1}, {1.0, 0.1, 0.1}));
  const Polyhedron other(nearmiss::test::box({-0.13, -1.0, 0.1 - deep}, {0.11, 1.0, 0.3}));
  const auto found =
      EdgeSearch(own, edgesOf(own.mesh()), other, Pose{}, limit).farthest(SurfaceSide::Inside);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->away, deep, 0.02 * deep);
}

}  // namespace
}  // namespace nearmiss::engine
