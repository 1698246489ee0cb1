// SPDX-License-Identifier: MIT
/// Leaving out spheres: how many go, what stays, and that nothing is missed afterwards.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "spheres/coverage.h"
#include "support/builders.h"
#include "support/meshes.h"
#include "support/same_tree.h"
#include "support/test_name.h"
#include "support/whole_levels.h"

namespace nearmiss {
namespace {

using Ball = std::tuple<Real, Real, Real, Real>;

/// The balls of all levels, and how often each is there.
std::map<Ball, int> ballsOf(const SphereTree& tree) {
  std::map<Ball, int> balls;
  std::vector<SphereId> ids;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, ids);
    for (const SphereId id : ids) {
      const Sphere s = tree.sphere(id);
      ++balls[{s.centre.x, s.centre.y, s.centre.z, s.radius}];
    }
  }
  return balls;
}

class Redundancy : public testing::TestWithParam<SphereTreeBuilderEntry> {
 protected:
  SphereTree build(const Polyhedron& polyhedron, Coverage coverage) const {
    return *GetParam().build(polyhedron,
                             {.levels = test::fewLevels(GetParam().name),
                              .medial = {.coverage = coverage, .surfacePoints = 400}},
                             nullptr);
  }
};

TEST_P(Redundancy, LeavesTheOthersAsTheyAreAndFindsNoMoreAfterwards) {
  int gone = 0;
  for (const TriangleMesh& mesh : {test::torus(), test::spikyStar(1), test::spikyStar(2, 10, 12),
                                   test::comb(), test::bedOfNails()}) {
    const Polyhedron polyhedron(mesh);
    const SphereTree whole = build(polyhedron, Coverage::Guaranteed);
    SphereTree::Data data = whole.data();
    ASSERT_TRUE(dropRedundant(polyhedron, data, nullptr));
    const SphereTree thin(data);
    EXPECT_TRUE(checkSphereTree(thin, polyhedron).covers);
    const auto before = ballsOf(whole), after = ballsOf(thin);
    for (const auto& [ball, count] : after) EXPECT_LE(count, before.at(ball));
    gone += static_cast<int>(before.size()) - static_cast<int>(after.size());
    // A second time there is hardly anything left to leave out: lists have grown
    ASSERT_TRUE(dropRedundant(polyhedron, data, nullptr));
    EXPECT_GE(ballsOf(SphereTree(data)).size() * 20, after.size() * 19);
  }
  EXPECT_GT(gone, 0);
}

/// With nothing to leave out, repacking gives the very same tree.
TEST_P(Redundancy, ThinningByNothingChangesNothing) {
  const Polyhedron polyhedron(test::spikyStar(1));
  const SphereTree whole = build(polyhedron, Coverage::Guaranteed);
  const std::size_t places = whole.data().packs.size() * SpherePack::width;
  ThinnedTree all{std::vector<bool>(places, false), {}};
  for (SphereId id = 0; id < places; ++id) {
    const auto listed = whole.trianglesOf(id);
    all.lists.emplace_back(listed.begin(), listed.end());
  }
  const SphereTree::Data packed = thinned(whole, all);
  EXPECT_TRUE(test::same(whole.data(), packed));
}

TEST_P(Redundancy, CanBeCancelled) {
  const Polyhedron polyhedron(test::cube());
  SphereTree::Data data = build(polyhedron, Coverage::Guaranteed).data();
  BuildProgress progress;
  progress.cancelled = true;
  EXPECT_FALSE(dropRedundant(polyhedron, data, &progress));
}

INSTANTIATE_TEST_SUITE_P(, Redundancy, testing::ValuesIn(sphereTreeBuilderCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

using RedundancyInPaperMode = Redundancy;

TEST_P(RedundancyInPaperMode, IsThoroughInEveryLevel) {
  const Polyhedron polyhedron(test::torus());
  const SphereTree whole = build(polyhedron, Coverage::Paper);
  SphereTree::Data data = whole.data();
  ASSERT_TRUE(dropRedundant(polyhedron, data, nullptr));
  const SphereTree thin(data);
  EXPECT_EQ(thin.coverage(), Coverage::Paper);
  EXPECT_EQ(thin.levelCount(), whole.levelCount());
  EXPECT_LT(ballsOf(thin).size(), ballsOf(whole).size());
  const auto levels = test::wholeLevels(thin);
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (std::size_t t = 0; t < polyhedron.mesh().triangles.size(); ++t)
      for (const Real u : {0.0, 0.25, 0.5, 0.75, 1.0})
        for (const Real v : {0.0, 0.25, 0.5, 0.75, 1.0}) {
          const auto c = polyhedron.mesh().corners(t);
          const Vec3 p = c[0] + u * (c[1] - c[0]) + (1.0 - u) * v * (c[2] - c[0]);
          EXPECT_TRUE(std::any_of(levels[level].begin(), levels[level].end(), [&](const Sphere& s) {
            return glm::distance(p, s.centre) <= s.radius * (1.0 + 1e-12);
          })) << level;
        }

  // A second time there is nothing left to leave out
  ASSERT_TRUE(dropRedundant(polyhedron, data, nullptr));
  EXPECT_EQ(ballsOf(SphereTree(data)), ballsOf(thin));
}

INSTANTIATE_TEST_SUITE_P(, RedundancyInPaperMode, testing::ValuesIn(test::buildersWithPaperMode()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
