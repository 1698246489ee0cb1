// SPDX-License-Identifier: MIT
/// The trees of the four ships: certified, and as much closer than the octree as they claim.
#include <engine/model/model_loader.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/narrow.h"
#include "support/random.h"

namespace nearmiss {
namespace {

const std::string folder = NEARMISS_SOURCE_DIR "/assets/models/";

Polyhedron shipOf(const std::string& name) {
  return Polyhedron(engine::loadModel(folder + name + ".glb")->mesh);
}

constexpr std::array models{"lamp", "faucet", "rocket", "truck"};

class EveryModel : public testing::TestWithParam<const char*> {};

TEST_P(EveryModel, HasACertifiedTreeAndDag) {
  const Polyhedron ship = shipOf(GetParam());
  for (const char* builder : {"variational", "dag"}) {
    SCOPED_TRACE(builder);
    const auto tree = findSphereTreeBuilder(builder)->build(ship, {.levels = 2}, nullptr);
    ASSERT_TRUE(tree) << tree.error().message;
    test::expectCertified(*tree, ship);
  }
}

/// Where a parent only grazes a triangle, no growth of the children would prove it covered.
TEST_P(EveryModel, GrowsNoSphereBeyondTheRootByTheSafestPolicy) {
  if (!findSphereTreeBuilder("medial")) GTEST_SKIP() << "built without medial spheres";
  const Polyhedron ship = shipOf(GetParam());
  SphereTreeSettings settings{.levels = 3, .medial = {.surfacePoints = 400}};
  settings.medial.guarantee = CoverageGuarantee::Safest;
  const auto tree = findSphereTreeBuilder("medial")->build(ship, settings, nullptr);
  ASSERT_TRUE(tree) << tree.error().message;
  test::expectCertified(*tree, ship);
  std::vector<SphereId> ids;
  for (int level = 1; level < tree->levelCount(); ++level) {
    tree->spheresOf(level, ids);
    for (const SphereId id : ids)
      EXPECT_LE(tree->sphere(id).radius, 1.001 * tree->sphere(0).radius);
  }
}

/// Of every sphere of the paper's own levels: the estimate without correction is at most H, with it
/// at least.
TEST_P(EveryModel, LiesBetweenThePapersTwoEstimates) {
  const Polyhedron ship = shipOf(GetParam());
  for (const char* builder : {"octree", "variational"}) {
    SCOPED_TRACE(builder);
    const auto tree = findSphereTreeBuilder(builder)->build(ship, {.levels = 2}, nullptr);
    ASSERT_TRUE(tree) << tree.error().message;
    const auto levels =
        measureLevels(*tree, ship, {.surfaceSamples = 0, .volumeSamples = 0, .deepest = 2});
    std::vector<SphereId> ids;
    for (int level = 0; level < tree->levelCount(); ++level) {
      tree->spheresOf(level, ids);
      Real sum = 0.0, greatest = 0.0, corrected = 0.0;
      for (const SphereId id : ids) {
        const Sphere sphere = tree->sphere(id);
        const Real tolerance = 0.02 * sphere.radius;
        const Real h = measureSphere(ship, sphere, tolerance).surface;
        const DodecahedronEstimate estimate = dodecahedronEstimate(ship, sphere);
        EXPECT_LE(estimate.sampled, h) << id;
        EXPECT_GE(estimate.corrected, h - tolerance) << id;
        sum += estimate.sampled;
        greatest = std::max(greatest, estimate.sampled);
        corrected = std::max(corrected, estimate.corrected);
      }
      const SphereLevelMeasure& of = levels[static_cast<std::size_t>(level)];
      if (of.spheres != ids.size()) continue;  // leaves above count with it
      EXPECT_NEAR(of.sampledMean, sum / static_cast<Real>(ids.size()), 1e-12);
      EXPECT_EQ(of.sampledMax, greatest);
      EXPECT_EQ(of.correctedMax, corrected);
      EXPECT_GT(of.correctedMean, of.sampledMean);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryModel, testing::ValuesIn(models),
                         [](const auto& model) { return std::string(model.param); });

/// Ratios of the average and of the greatest H of level 3 to those of the octree.
void expectRatios(const Polyhedron& ship, std::string_view builder, Real average, Real greatest) {
  const SphereTreeSettings settings{.levels = 3};
  const auto octree = levelReports(*buildOctreeSphereTree(ship, settings));
  const SphereTree tree = *findSphereTreeBuilder(builder)->build(ship, settings, nullptr);
  const auto reports = levelReports(tree);
  EXPECT_LE(reports[3].hausdorffMean, average * octree[3].hausdorffMean);
  EXPECT_LE(reports[3].hausdorffMax, greatest * octree[3].hausdorffMax);
  // As the best medial-axis trees on the upper levels
  EXPECT_LE(reports[1].hausdorffMean, 0.44 * octree[1].hausdorffMean);
  EXPECT_LE(reports[2].hausdorffMean, 0.22 * octree[2].hausdorffMean);
  EXPECT_LE(reports[3].spheres, 512u);
  test::expectCertified(tree, ship);
}

/// One ship by default, all of them with NEARMISS_CAMPAIGN=4.
TEST(ModelTrees, FitMuchCloserThanTheOctree) {
  const auto count = std::min(models.size(), static_cast<std::size_t>(test::cases(1)));
  for (const char* model : std::span(models).first(count)) {
    SCOPED_TRACE(model);
    const Polyhedron ship = shipOf(model);
    expectRatios(ship, "variational", 0.20, 0.40);
    expectRatios(ship, "dag", 0.22, 0.22);
  }
}

TEST(ModelTrees, FindWhatBruteForceFinds) {
  std::vector<Polyhedron> shapes;
  for (const char* name : {"lamp", "faucet", "rocket"}) shapes.push_back(shipOf(name));
  for (const char* builder : {"variational", "dag"}) {
    SCOPED_TRACE(builder);
    std::vector<SphereTree> trees;
    for (const Polyhedron& shape : shapes)
      trees.push_back(*findSphereTreeBuilder(builder)->build(shape, {.levels = 2}, nullptr));
    const auto quick = makeSphereTreeNarrowPhase(test::borrowed(shapes, trees));
    const auto plain = makeBruteForceNarrowPhase(test::borrowed(shapes));
    test::Random random(21);
    test::expectAgreement(
        test::cases(100), 0.1, 0.9, [&] { return test::randomNearMissPair(random, shapes); },
        *quick, *plain);
  }
}

}  // namespace
}  // namespace nearmiss
