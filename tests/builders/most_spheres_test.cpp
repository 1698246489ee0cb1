// SPDX-License-Identifier: MIT
/// Trees with a given number of spheres in their deepest level.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "builders/piece_owners.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/same_tree.h"

namespace nearmiss {
namespace {

class MostSpheres : public testing::TestWithParam<const char*> {
 protected:
  static SphereTree build(const Polyhedron& polyhedron, const SphereTreeSettings& settings) {
    const auto tree = findSphereTreeBuilder(GetParam())->build(polyhedron, settings, nullptr);
    EXPECT_TRUE(tree) << tree.error().message;
    return *tree;
  }
  /// Number of spheres for the surface at each level: at most the limit of the level.
  static std::vector<std::size_t> expectWithin(const SphereTree& tree,
                                               const SphereTreeSettings& settings) {
    std::vector<std::size_t> counts;
    std::vector<SphereId> cut;
    EXPECT_LE(tree.levelCount(), settings.levels + 1);
    for (int level = 1; level < tree.levelCount(); ++level) {
      cutAt(tree, level, cut);
      counts.push_back(cut.size());
      EXPECT_LE(cut.size(), levelTotal(level, settings.levels, settings.dag.branching,
                                       settings.dag.maxSpheres));
      EXPECT_LE(cut.size(), settings.dag.maxSpheres);
    }
    return counts;
  }
  static void expectCertified(const SphereTree& tree, const Polyhedron& polyhedron) {
    const auto triangles = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
    EXPECT_EQ(SphereTree::validate(tree.data(), triangles), nullptr);
    EXPECT_EQ(tree.coverage(), Coverage::Guaranteed);
    const SphereTreeCertificate verdict = checkSphereTree(tree, polyhedron);
    EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
  }
};

/// The settings that control how a tree is shared out, without those that only cost time.
SphereTreeSettings shape(int levels, int branching, std::size_t most) {
  return {.levels = levels,
          .hausdorffTolerance = 1.0,
          .variational = {.branching = branching, .maxSpheres = most},
          .dag = {.branching = branching, .maxSpheres = most}};
}

TEST_P(MostSpheres, AreNearlyReachedAndNeverPassedByCertifiedTrees) {
  const Polyhedron polyhedron(test::torus(12, 6));
  for (const SphereTreeSettings& settings :
       {shape(1, 8, 30), shape(2, 8, 50), shape(3, 3, 27), shape(4, 8, 61), shape(3, 8, 3)}) {
    SCOPED_TRACE(settings.dag.maxSpheres);
    const SphereTree tree = build(polyhedron, settings);
    const auto counts = expectWithin(tree, settings);
    ASSERT_EQ(counts.size(), static_cast<std::size_t>(settings.levels));
    EXPECT_GE(counts.back() * 20, settings.dag.maxSpheres * 19);
    expectCertified(tree, polyhedron);
  }
}

TEST_P(MostSpheres, MayBeOne) {
  const Polyhedron polyhedron(test::comb());
  for (const int levels : {1, 3}) {
    const SphereTreeSettings settings = shape(levels, 8, 1);
    const SphereTree tree = build(polyhedron, settings);
    EXPECT_EQ(expectWithin(tree, settings),
              std::vector<std::size_t>(static_cast<std::size_t>(levels), 1));
    expectCertified(tree, polyhedron);
  }
}

/// More than eight children each, which the number requires and not the branching.
TEST_P(MostSpheres, MayBeMoreThanTheBranchingMakes) {
  const Polyhedron polyhedron(test::torus(12, 6));
  const SphereTreeSettings settings = shape(2, 8, 120);
  const SphereTree tree = build(polyhedron, settings);
  const auto counts = expectWithin(tree, settings);
  EXPECT_EQ(counts[0], 10u);
  EXPECT_GT(counts[1], 110u);
  expectCertified(tree, polyhedron);
}

TEST_P(MostSpheres, HoldForEveryMeshNumberAndShape) {
  test::Random random(21);
  const auto meshes = test::flawedMeshes();
  std::size_t full = 0, spheres = 0;
  const int count = test::cases(19);
  for (int i = 0; i < count; ++i) {
    const auto& named = meshes[static_cast<std::size_t>(i) % meshes.size()];
    SCOPED_TRACE(named.name);
    const Polyhedron polyhedron(named.mesh);
    SphereTreeSettings settings =
        shape(random.whole(1, 4), random.whole(2, 8),
              static_cast<std::size_t>(std::exp(random.between(0.0, std::log(40.0)))));
    settings.variational.adaptive = settings.dag.adaptive = random.chance(0.8);
    const SphereTree tree = build(polyhedron, settings);
    const auto counts = expectWithin(tree, settings);
    expectCertified(tree, polyhedron);
    full += counts.empty() ? 0 : counts.back();
    spheres += settings.dag.maxSpheres;
  }
  EXPECT_GT(10 * full, 3 * spheres);
}

TEST_P(MostSpheres, AreTheSameForAnyNumberOfWorkers) {
  const Polyhedron polyhedron(test::spikyStar(2));
  SphereTreeSettings settings = shape(3, 4, 30);
  const SphereTree one = build(polyhedron, settings);
  settings.workers = 3;
  EXPECT_TRUE(test::same(one.data(), build(polyhedron, settings).data()));
}

INSTANTIATE_TEST_SUITE_P(, MostSpheres, testing::Values("variational", "dag"),
                         [](const auto& name) { return std::string(name.param); });

/// Owners that reach the bound stay whole, and count on every level below.
TEST(MostSpheresAndABound, HoldTogether) {
  const Polyhedron polyhedron(test::torus());
  int stayed = 0;
  for (const std::size_t most : {1u, 20u, 60u})
    for (const Real bound : {0.25, 0.4, 0.6}) {
      const SphereTree tree = *buildVariationalSphereTree(
          polyhedron, {.levels = 4, .variational = {.maxSpheres = most, .errorBound = bound}});
      std::vector<SphereId> cut, level;
      for (int l = 1; l < tree.levelCount(); ++l) {
        cutAt(tree, l, cut);
        tree.spheresOf(l, level);
        EXPECT_LE(cut.size(), levelTotal(l, 4, 8, most));
        stayed += cut.size() > level.size();
      }
      const SphereTreeCertificate verdict = checkSphereTree(tree, polyhedron);
      EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
    }
  EXPECT_GT(stayed, 4);
}

/// `branching` is a bound for each sphere where spheres are not shared out.
TEST(MostSpheresInEvenTrees, AreAtMostTheBranchingToEach) {
  const Polyhedron polyhedron(test::bedOfNails());
  for (const std::size_t most : {20u, 400u}) {
    const SphereTree tree = *buildVariationalSphereTree(
        polyhedron,
        {.levels = 2, .variational = {.branching = 6, .adaptive = false, .maxSpheres = most}});
    std::vector<SphereId> ids;
    tree.spheresOf(1, ids);
    EXPECT_LE(ids.size(), 6u);
    tree.spheresOf(2, ids);
    EXPECT_LE(ids.size(), std::min<std::size_t>(most, 36));
    EXPECT_GE(ids.size(), std::min<std::size_t>(most, 36) / 2);
    for (SphereId id = 0; id < tree.data().packs.size() * SpherePack::width; ++id)
      EXPECT_LE(tree.childPackCount(id), 1u);
  }
}

}  // namespace
}  // namespace nearmiss
