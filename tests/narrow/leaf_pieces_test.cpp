// SPDX-License-Identifier: MIT
/// No point of a surface is left without a leaf that answers for it, and few have several.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "narrow/search_tree.h"
#include "narrow/searched_shapes.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// For each slot its parent's, or none.
std::vector<SphereId> parentsOf(const SphereTree& tree) {
  std::vector<SphereId> parents(tree.data().packs.size() * SpherePack::width, SphereLinks::none);
  for (SphereId id = 0; id < parents.size(); ++id) {
    const std::uint32_t first =
        tree.data().links[id / SpherePack::width].childPack[id % SpherePack::width];
    for (std::uint32_t k = 0; k < tree.childPackCount(id) * SpherePack::width; ++k)
      parents[first * SpherePack::width + k] = id;
  }
  return parents;
}

TEST(LeafPieces, HoldEveryPointInALeafThatEverySearchOfItReaches) {
  const test::SearchedShapes& all = test::searchedShapes();
  test::Random random(92);
  std::size_t listed = 0, pieces = 0, points = 0;
  for (std::size_t i = 0; i < all.trees.size(); ++i) {
    const SphereTree& tree = all.trees[i];
    const Polyhedron& polyhedron = all.polyhedra[i];
    if (tree.coverage() != Coverage::Guaranteed || tree.isDag()) continue;
    LeafPieces divided(polyhedron, tree);
    const std::vector<SphereId> parents = parentsOf(tree);
    std::vector<std::vector<std::pair<SphereId, Sphere>>> ofTriangle(
        polyhedron.mesh().triangles.size());
    for (SphereId id = 0; id < parents.size(); ++id) {
      listed += tree.trianglesOf(id).size();
      for (const LeafPiece& piece : divided.of(id))
        ofTriangle[piece.triangle].emplace_back(id, piece.ball);
      pieces += divided.of(id).size();
    }
    for (int k = 0; k < test::cases(4000); ++k) {
      const auto t =
          static_cast<std::size_t>(random.whole(0, static_cast<int>(ofTriangle.size()) - 1));
      const Triangle corners = polyhedron.mesh().corners(t);
      Real u = random.unit(), v = random.unit();
      if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
      }
      const Vec3 point = corners[0] + u * (corners[1] - corners[0]) + v * (corners[2] - corners[0]);
      bool reached = false;
      for (const auto& [leaf, ball] : ofTriangle[t]) {
        bool holds = glm::distance(ball.centre, point) <= ball.radius;
        for (SphereId id = leaf; id != SphereLinks::none && holds; id = parents[id]) {
          const Sphere sphere = tree.sphere(id);
          holds = glm::distance(sphere.centre, point) <= sphere.radius * (1.0 + 1e-12);
          if (const NodeBox* box = tree.data().boxes.find(id))
            holds = holds && box->excess(point) <= 1e-9 * sphere.radius;
        }
        reached = reached || holds;
      }
      ASSERT_TRUE(reached) << "shape " << i << ", triangle " << t;
      ++points;
    }
  }
  EXPECT_GT(points, 10000u);
  EXPECT_LT(pieces, listed) << "nothing was divided";
}

}  // namespace
}  // namespace nearmiss
