// SPDX-License-Identifier: MIT
/// What every builder of the catalogue promises, over solids and over every defect that models
/// have.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <functional>
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
  all.push_back({"rounded_needle", test::needleAmongOthers()});
  all.push_back({"tiny_triangles_far_apart", test::tinyTrianglesFarApart()});
  all.push_back({"sphere_with_a_far_vertex", test::withFarVertex(test::sphere(8, 10), 1e4)});
  all.push_back({"cube_with_a_far_vertex", test::withFarVertex(test::cube(), 1e6)});
  return all;
}

/// Small enough for hundreds of builds.
constexpr SphereTreeSettings quick{.levels = 2,
                                   .annealed = {.schedule = {.steps = 100}},
                                   .variational = {.branching = 4},
                                   .dag = {.branching = 4},
                                   .medial = {.surfacePoints = 150},
                                   .anchored = {.surfacePoints = 150}};

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
  // What one anchored ball touches all over stays whole
  EXPECT_GE(tree.levelCount(), std::get<0>(GetParam()).name == "anchored" ? 1 : 2);
  EXPECT_LE(tree.levelCount(), settings.levels + 1);

  settings.workers = 3;
  EXPECT_TRUE(test::same(tree.data(), build(settings).data()));

  // Still covered without redundant spheres
  settings.workers = 2;
  settings.dropRedundant = true;
  const SphereTree thin =
      *test::withAdditions(std::get<0>(GetParam()), tree, polyhedron_, settings);
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
  settings.medial.coverage = Coverage::Paper;
  const auto tree = GetParam().build(polyhedron_, settings, nullptr);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->coverage(), GetParam().hasPaperMode ? Coverage::Paper : Coverage::Guaranteed);
}

TEST_P(EveryBuilder, RefusesSettingsItCannotMeet) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<SphereTreeSettings> refused;
  for (const int levels : {0, 11, -1}) refused.push_back({.levels = levels});
  for (const int workers : {0, -1, 5000}) refused.push_back({.workers = workers});
  for (const Real tolerance : {0.0, -1.0, 1.5, nan})
    refused.push_back({.hausdorffTolerance = tolerance});
  for (const Real ratio : {-1.0, 1001.0, nan}) refused.push_back({.nodeBoxRatio = ratio});
  refused.push_back({.innerSpheres = 4097});
  test::expectRefused(refused, [this](const SphereTreeSettings& settings) {
    return GetParam().build(polyhedron_, settings, nullptr);
  });
}

/// What a builder heeds is refused out of range and tells trees apart; what is another's does
/// neither.
TEST_P(EveryBuilder, HeedsItsOwnSettingsAlone) {
  struct Case {
    const char* heeded;  ///< a part of the builders' names
    std::function<void(SphereTreeSettings&)> change, spoil;
  };
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<Case> cases{
      {"annealed", [](auto& s) { s.annealed.schedule.seed = 2; },
       [](auto& s) { s.annealed.schedule.steps = -1; }},
      {"annealed", [](auto& s) { s.annealed.objective = SphereObjective::Outside; },
       [](auto& s) { s.annealed.objective = static_cast<SphereObjective>(4); }},
      {"annealed", [](auto& s) { s.annealed.schedule.heat = 0.5; },
       [](auto& s) { s.annealed.schedule.heat = 1.5; }},
      {"annealed", [](auto& s) { s.annealed.schedule.cooled = 0.5; },
       [](auto& s) { s.annealed.schedule.cooled = 0.0; }},
      {"variational", [](auto& s) { s.variational.branching = 3; },
       [](auto& s) { s.variational.branching = 9; }},
      {"variational", [](auto& s) { s.variational.maxSpheres = 64; },
       [](auto& s) { s.variational.maxSpheres = 262145; }},
      {"variational", [](auto& s) { s.variational.seeds = SphereSeeds::Medial; },
       [](auto& s) { s.variational.seeds = static_cast<SphereSeeds>(255); }},
      {"variational", [](auto& s) { s.variational.objective = SphereObjective::Largest; },
       [](auto& s) { s.variational.objective = static_cast<SphereObjective>(9); }},
      {"variational", [](auto& s) { s.variational.errorBound = 0.1; },
       [nan](auto& s) { s.variational.errorBound = nan; }},
      {"dag", [](auto& s) { s.dag.branching = 3; }, [](auto& s) { s.dag.branching = 1; }},
      {"dag", [](auto& s) { s.dag.maxSpheres = 64; }, [](auto& s) { s.dag.maxSpheres = 262145; }},
      {"dag", [](auto& s) { s.dag.objective = SphereObjective::Outside; },
       [](auto& s) { s.dag.objective = static_cast<SphereObjective>(4); }},
      {"dag", [](auto& s) { s.dag.seeds = SphereSeeds::Medial; },
       [](auto& s) { s.dag.seeds = static_cast<SphereSeeds>(3); }},
      {"medial", [](auto& s) { s.medial.branching = 3; }, [](auto& s) { s.medial.branching = -8; }},
      {"medial", [](auto& s) { s.medial.coverage = Coverage::Paper; },
       [](auto& s) { s.medial.coverage = static_cast<Coverage>(99); }},
      {"medial", [](auto& s) { s.medial.guarantee = CoverageGuarantee::Safest; },
       [](auto& s) { s.medial.guarantee = static_cast<CoverageGuarantee>(7); }},
      {"medial", [](auto& s) { s.medial.adjacency = MedialAdjacency::SharedEdge; },
       [](auto& s) { s.medial.adjacency = static_cast<MedialAdjacency>(2); }},
      {"medial", [](auto& s) { s.medial.objective = SphereObjective::Outside; },
       [](auto& s) { s.medial.objective = static_cast<SphereObjective>(4); }},
      {"medial", [](auto& s) { s.medial.errorBound = 0.1; },
       [](auto& s) { s.medial.errorBound = -1.0; }},
      {"medial", [](auto& s) { s.medial.surfacePoints = 400; },
       [](auto& s) { s.medial.surfacePoints = 1000001; }},
      {"anchored", [](auto& s) { s.anchored.branching = 3; },
       [](auto& s) { s.anchored.branching = 9; }},
      {"anchored", [](auto& s) { s.anchored.objective = SphereObjective::Outside; },
       [](auto& s) { s.anchored.objective = static_cast<SphereObjective>(4); }},
      {"anchored", [](auto& s) { s.anchored.errorBound = 0.1; },
       [nan](auto& s) { s.anchored.errorBound = nan; }},
      {"anchored", [](auto& s) { s.anchored.surfacePoints = 400; },
       [](auto& s) { s.anchored.surfacePoints = 100001; }},
  };
  const std::uint64_t usual = hashOf(GetParam().name, quick);
  int heeded = 0;
  for (const Case& each : cases) {
    SCOPED_TRACE(&each - cases.data());
    SphereTreeSettings changed = quick, spoilt = quick;
    each.change(changed);
    each.spoil(spoilt);
    const bool own = GetParam().name.starts_with(each.heeded);
    heeded += own;
    EXPECT_EQ(hashOf(GetParam().name, changed) != usual, own);
    EXPECT_TRUE(checkSettings(GetParam().name, changed));
    const auto sound = checkSettings(GetParam().name, spoilt);
    EXPECT_EQ(!sound, own);
    if (!own) continue;
    const auto tree = GetParam().build(polyhedron_, spoilt, nullptr);
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(tree.error().message, sound.error().message);
  }
  EXPECT_EQ(heeded > 0, GetParam().name != "octree" && GetParam().name != "sah");
  EXPECT_FALSE(checkSettings("oak", quick));
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
  const Polyhedron star(test::spikyStar(5, 14, 16));
  for (const SphereObjective objective :
       {SphereObjective::Exposed, SphereObjective::AreaWeighted, SphereObjective::Outside})
    test::expectCancellable([&](BuildProgress& progress) {
      return GetParam().build(star,
                              test::withObjective({.levels = 2,
                                                   .workers = 2,
                                                   .variational = {.branching = 5},
                                                   .dag = {.branching = 5},
                                                   .medial = {.surfacePoints = 250},
                                                   .anchored = {.surfacePoints = 250}},
                                                  objective),
                              &progress);
    });
}

INSTANTIATE_TEST_SUITE_P(, EveryBuilder, testing::ValuesIn(sphereTreeBuilderCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
