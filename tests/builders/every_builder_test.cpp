// SPDX-License-Identifier: MIT
/// What every builder of the catalogue promises, over solids and over every defect that models
/// have.
#include <gtest/gtest.h>
#include <nearmiss/sphere_tree_builder.h>

#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/build_expectations.h"
#include "support/builders.h"
#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/same_tree.h"
#include "support/test_name.h"

namespace nearmiss {

namespace {

std::vector<test::NamedMesh> meshes() {
  std::vector<test::NamedMesh> all = test::flawedMeshes();
  all.push_back({"torus", test::torus()});
  all.push_back({"bed_of_nails", test::bedOfNails()});
  all.push_back({"spiky_star", test::spikyStar(1)});
  return all;
}

/// Small enough for hundreds of builds.
constexpr SphereTreeSettings quick{.levels = 2, .surfacePoints = 150};

class EveryBuilderAndMesh
    : public testing::TestWithParam<std::tuple<SphereTreeBuilderEntry, std::size_t>> {
 protected:
  SphereTree build(const SphereTreeSettings& settings) const {
    const auto tree = buildSphereTree(std::get<0>(GetParam()), polyhedron_, settings);
    EXPECT_TRUE(tree) << tree.error().message;
    return *tree;
  }
  void expectCertified(const SphereTree& tree) const {
    EXPECT_EQ(tree.coverage(), Coverage::Guaranteed);
    test::expectCertified(tree, polyhedron_);
  }
  Polyhedron polyhedron_{meshes()[std::get<1>(GetParam())].mesh};
};

/// One test, because the trees that are compared take longer to build than to reference.
TEST_P(EveryBuilderAndMesh, GivesCertifiedTreesTheSameForAnyNumberOfWorkersAndThinOnes) {
  SphereTreeSettings settings = quick;
  const SphereTree tree = build(settings);
  expectCertified(tree);
  EXPECT_GE(tree.levelCount(), 2);
  EXPECT_LE(tree.levelCount(), settings.levels + 1);

  settings.workers = 3;
  EXPECT_TRUE(test::same(tree.data(), build(settings).data()));

  // Still covered without redundant spheres
  settings.workers = 2;
  settings.dropRedundant = true;
  const SphereTree thin = build(settings);
  expectCertified(thin);
  const auto before = levelReports(tree), after = levelReports(thin);
  ASSERT_LE(after.size(), before.size());
  for (std::size_t level = 0; level < after.size(); ++level)
    EXPECT_LE(after[level].spheres, before[level].spheres);
}

INSTANTIATE_TEST_SUITE_P(, EveryBuilderAndMesh,
                         testing::Combine(testing::ValuesIn(sphereTreeBuilderCatalog()),
                                          testing::Range<std::size_t>(0, meshes().size())),
                         [](const auto& param) {
                           return test::testName(std::get<0>(param.param).name) + "_" +
                                  meshes()[std::get<1>(param.param)].name;
                         });

class EveryBuilder : public testing::TestWithParam<SphereTreeBuilderEntry> {
 protected:
  Polyhedron polyhedron_{test::comb()};
};

TEST_P(EveryBuilder, HasANameOfItsOwnAndASummary) {
  EXPECT_EQ(findSphereTreeBuilder(GetParam().name)->build, GetParam().build);
  EXPECT_FALSE(GetParam().summary.empty());
  std::set<std::uint64_t> hashes;
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
    hashes.insert(hashOf(entry.name, quick));
  EXPECT_EQ(hashes.size(), sphereTreeBuilderCatalog().size());
  EXPECT_EQ(findSphereTreeBuilder("oktree"), nullptr);
}

TEST_P(EveryBuilder, CoversAsThePaperDoesWhereItSaysSo) {
  SphereTreeSettings settings = quick;
  settings.coverage = Coverage::Paper;
  const auto tree = GetParam().build(polyhedron_, settings, nullptr);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->coverage(), GetParam().hasPaperMode ? Coverage::Paper : Coverage::Guaranteed);
}

TEST_P(EveryBuilder, RefusesSettingsItCannotMeet) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<SphereTreeSettings> refused;
  for (const int levels : {0, 11, -1}) refused.push_back({.levels = levels});
  for (const int branching : {1, 9, -8}) refused.push_back({.branching = branching});
  for (const int workers : {0, -1, 5000}) refused.push_back({.workers = workers});
  for (const Real tolerance : {0.0, -1.0, 1.5, nan})
    refused.push_back({.hausdorffTolerance = tolerance});
  for (const Real bound : {-1.0, nan}) refused.push_back({.errorBound = bound});
  const bool counts = GetParam().name == "variational" || GetParam().name == "dag";
  refused.push_back({.levels = 1, .mostSpheres = counts ? 513u : 8u});
  refused.push_back({.levels = 4, .mostSpheres = counts ? 10'000'001u : 4096u});
  test::expectRefused(refused, [this](const SphereTreeSettings& settings) {
    return GetParam().build(polyhedron_, settings, nullptr);
  });
}

TEST_P(EveryBuilder, TellsSettingsApartByTheNumberOfSpheres) {
  SphereTreeSettings settings = quick;
  std::set<std::uint64_t> hashes;
  for (const std::size_t most : {0u, 1u, 64u, 250u}) {
    settings.mostSpheres = most;
    hashes.insert(hashOf(GetParam().name, settings));
  }
  EXPECT_EQ(hashes.size(), 4u);
}

TEST_P(EveryBuilder, TellsHowFarItHasCome) {
  BuildProgress progress;
  SphereTreeSettings settings = quick;
  settings.nodeBoxRatio = 1.0;
  settings.innerSpheres = 5;
  ASSERT_TRUE(buildSphereTree(GetParam(), polyhedron_, settings, &progress));
  EXPECT_EQ(progress.stage, BuildStage::Done);
  EXPECT_EQ(progress.fraction, 1.0f);
}

TEST_P(EveryBuilder, StopsWhenCancelled) {
  const Polyhedron star(test::spikyStar(5, 20, 25));
  for (const SphereObjective objective :
       {SphereObjective::Exposed, SphereObjective::AreaWeighted, SphereObjective::Outside})
    test::expectCancellable([&](BuildProgress& progress) {
      return GetParam().build(
          star, {.levels = 2, .objective = objective, .surfacePoints = 400, .workers = 2},
          &progress);
    });
}

INSTANTIATE_TEST_SUITE_P(, EveryBuilder, testing::ValuesIn(sphereTreeBuilderCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
