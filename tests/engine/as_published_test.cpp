// SPDX-License-Identifier: MIT
/// One switch that makes a run what the papers describe: tested by what flies, not by what is set.
#include <engine/scene/as_published.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/tree_builders.h>

#include <cmath>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asObj;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::HasSubstr;

Scene published(Scene scene = {}) {
  setAsPublished(scene, true);
  return scene;
}

Scene parsed(const std::string& text, const Scene& base = {}) {
  const auto scene = parseScene(text, "test", base);
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
  return scene ? *scene : Scene{};
}

TEST(AsPublished, ReadsBackAndCanBeTakenBack) {
  EXPECT_NE(writeScene(published()), writeScene(Scene{}));
  EXPECT_EQ(writeScene(parsed(writeScene(published()))), writeScene(published()));
  EXPECT_EQ(writeScene(parsed("as_published = true\n")), writeScene(published()));
  EXPECT_EQ(writeScene(parsed("as_published = false\n", published())), writeScene(Scene{}));
  EXPECT_EQ(writeScene(parsed("seed = 42\n", published())), writeScene(published()));
  EXPECT_EQ(writeScene(parsed("as_published = true\n", published())), writeScene(published()));
}

TEST(AsPublished, LosesToEveryOtherKeyWhereverItStands) {
  for (const char* text : {"as_published = true\nresponse = \"teleport\"\n",
                           "response = \"teleport\"\nas_published = true\n"})
    EXPECT_EQ(parsed(text).response, Response::Teleport);
  const Scene scene = parsed(
      "as_published = true\n[time]\ndt_detect = 0.025\n[detector]\ntree = \"octree\"\n"
      "inner_spheres = 32\n");
  EXPECT_TRUE(scene.asPublished);
  EXPECT_EQ(scene.tree, "octree");
  EXPECT_EQ(scene.detectStep, 0.025);
  EXPECT_EQ(treeSettings(scene).innerSpheres, 32u);
  EXPECT_EQ(treeSettings(scene).nodeBoxRatio, 0.0);
  EXPECT_EQ(scene.broad, "space-time");
}

TEST(AsPublished, TakesAwayWhatTreesHaveBesideTheirSpheres) {
  Scene own;
  own.nodeBoxRatio = 2.0;
  own.innerSpheres = 64;
  EXPECT_EQ(treeSettings(published(own)).nodeBoxRatio, 0.0);
  EXPECT_EQ(treeSettings(published(own)).innerSpheres, 0u);
  // Another builder would have both unless something is said
  const Scene other = parsed("as_published = true\n[detector]\ntree = \"variational\"\n");
  EXPECT_EQ(treeSettings(other).nodeBoxRatio, 0.0);
  EXPECT_EQ(treeSettings(other).innerSpheres, 0u);
}

TEST(AsPublished, LeavesShipsAndTheRestAlone) {
  Scene own;
  own.seed = 5;
  own.playerModel = "rocket";
  own.narrow = "bsp";
  own.order = RefinementOrder::LargestBound;
  own.budget.kind = BudgetRule::Kind::Unlimited;
  const Scene scene = published(own);
  EXPECT_EQ(scene.seed, 5u);
  EXPECT_EQ(scene.playerModel, "rocket");
  EXPECT_EQ(scene.narrow, "bsp");
  // Pairs take turns there
  EXPECT_EQ(scene.order, RefinementOrder::InTurn);
  EXPECT_EQ(scene.budget.minShare, 0.0);
  EXPECT_EQ(scene.budget.kind, BudgetRule::Kind::Unlimited);
}

TEST(AsPublished, HasFourLevelsFramesOfATenthAndNoPairThatWaits) {
  EXPECT_EQ(published().maxLevel, 4);
  EXPECT_EQ(published().frameMs, 100.0);
  EXPECT_TRUE(std::isinf(published().importance.fullWithin));
  const Scene own = parsed(
      "as_published = true\n[time]\nframe_ms = 20.0\n[detector]\nmax_level = 5\n"
      "[importance]\nfull_within = 2.0\n");
  EXPECT_EQ(own.maxLevel, 5);
  EXPECT_EQ(own.frameMs, 20.0);
  EXPECT_EQ(own.importance.fullWithin, 2.0);
  // Another technique of the same kind leaves them alone
  Scene crowd = published();
  crowd.importance.fullWithin = 3.0;
  crowd.maxLevel = 2;
  Scene next = published();
  copyTechnique(crowd, next);
  EXPECT_TRUE(std::isinf(next.importance.fullWithin));
  EXPECT_EQ(next.maxLevel, 4);
}

TEST(AsPublished, SlowsShipsDownThatHaveTheUsualPace) {
  Scene own;
  own.drones.push_back(own.drones[0]);
  own.drones[1].limits.drag = 1.25;
  const Scene scene = published(own);
  EXPECT_EQ(frameStep(scene), 0.1);
  EXPECT_EQ(scene.playerLimits.accelerationMax, ShipLimits{}.accelerationMax);
  EXPECT_EQ(scene.drones[0].limits.turnMax, ShipLimits{}.turnMax);
  EXPECT_EQ(scene.drones[0].pilot.retargetHigh, PilotSettings{}.retargetHigh);
  EXPECT_EQ(scene.drones[1].limits.accelerationMax, briskLimits.accelerationMax) << "its own";
  // A group that the file names later is as slow
  EXPECT_EQ(parsed("as_published = true\n[[drones]]\ncount = 3\n").drones[0].limits.drag,
            ShipLimits{}.drag);
}

TEST(AsPublished, NoHitMovesTheUsersShipUnlessItHasItsOwnMass) {
  EXPECT_EQ(Scene{}.playerMass, 1.0);
  EXPECT_TRUE(std::isinf(published().playerMass));
  EXPECT_EQ(parsed("as_published = true\n[player]\nmass = 5\n").playerMass, 5.0);
  Scene own;
  own.playerMass = 2.0;
  EXPECT_EQ(published(own).playerMass, 2.0);
}

TEST(AsPublished, SaysWhatDoesNotGoTogether) {
  EXPECT_FALSE(conflictIn(Scene{}));
  if (!findSphereTreeBuilder("medial")) {
    EXPECT_THAT(conflictIn(published()).value_or(""), HasSubstr("built without"));
    return;
  }
  EXPECT_FALSE(conflictIn(published()));
  Scene boxed = published();
  boxed.nodeBoxRatio = 1.5;
  EXPECT_THAT(conflictIn(boxed).value_or(""), HasSubstr("boxes"));
  EXPECT_THAT(conflictIn(boxed).value_or(""), HasSubstr("boxes 1.5"));
  boxed.coverage = TreeCoverage::Guaranteed;
  EXPECT_FALSE(conflictIn(boxed));
  boxed.coverage = TreeCoverage::Safest;
  EXPECT_FALSE(conflictIn(boxed));
  EXPECT_EQ(treeSettings(boxed).medial.guarantee, CoverageGuarantee::Safest);
  boxed.coverage = TreeCoverage::Paper;
  boxed.tree = "variational";  // guarantees whatever is asked for
  EXPECT_FALSE(conflictIn(boxed));
}

TEST(AsPublished, NamesEverySettingThatDiffers) {
  EXPECT_TRUE(unpublishedSettings(published()).empty());
  const auto keysOf = [](void (*change)(Scene&)) {
    Scene scene = published();
    change(scene);
    return unpublishedSettings(scene);
  };
  using Keys = std::vector<std::string_view>;
  EXPECT_EQ(keysOf([](Scene& s) { s.tighten = true; }), Keys{"tighten"});
  EXPECT_EQ(keysOf([](Scene& s) { s.coherence = true; }), Keys{"coherence"});
  EXPECT_EQ(keysOf([](Scene& s) { s.detectStep = 0.01; }), Keys{"dt_detect"});
  EXPECT_EQ(keysOf([](Scene& s) { s.simStep.reset(); }), Keys{"dt_render"});
  EXPECT_EQ(keysOf([](Scene& s) { s.playerMass = 1.0; }), Keys{"mass"});
  EXPECT_EQ(keysOf([](Scene& s) { s.drones.front().limits.accelerationMax *= 2.0; }), Keys{"pace"});
  EXPECT_EQ(keysOf([](Scene& s) { s.drones.front().pilot.temper = Temper::Flee; }), Keys{"temper"});
  EXPECT_EQ(keysOf([](Scene& s) { s.importance.fullWithin = 1.0; }), Keys{"full_within"});
  // The usual flight differs in all of them
  EXPECT_GT(unpublishedSettings(Scene{}).size(), 10u);
}

/// Small ships in a narrow arena, and what was built for them.
class FlownAsPublished : public testing::Test {
 protected:
  FlownAsPublished() {
    scene_.playerModel = writeText(folder_ / "torus.obj", asObj(test::torus(6, 4)));
    scene_.drones = {DroneGroup{writeText(folder_ / "star.obj", asObj(test::spikyStar(3, 4, 6)))}};
    scene_.arena.radius = 3.5;
  }

  std::shared_ptr<const ShapeSet> shapesOf(const Scene& scene) const {
    ShapeOptions options;
    options.treeBuilder = scene.tree;
    options.tree = treeSettings(scene);
    options.tree.levels = 2;
    options.tree.medial.surfacePoints = 200;  // few, so that it goes quickly
    options.cacheFolder = folder_ / "cache";
    options.bspTrees = BspTrees::None;
    const auto files = modelFilesOf(scene);
    EXPECT_TRUE(files);
    auto shapes = buildShapeSet(*files, options);
    EXPECT_TRUE(shapes) << (shapes ? "" : shapes.error().message);
    return shapes ? *shapes : nullptr;
  }

  TemporaryFolder folder_;
  Scene scene_;
};

/// How a flight's contacts were found.
struct Found {
  int pairs = 0, notConservative = 0, byInnerSpheres = 0, detections = 0;
};

Found flown(const Scene& scene, const ShapeSet& shapes) {
  SteadyClock clock;
  auto simulation = makeSimulation(scene, shapes, clock);
  EXPECT_TRUE(simulation);
  Found found;
  FrameInput input;
  input.dt = frameStep(scene);
  input.detectStep = scene.detectStep;
  input.response = scene.response;
  input.instants = scene.instants;
  for (int frame = 0; frame < 900; ++frame) {
    const FrameOutput& out = (*simulation)->advance(input);
    found.detections += static_cast<int>(out.profile.detections);
    for (const DetectedPair& pair : out.detection->pairs) {
      ++found.pairs;
      found.notConservative += !pair.refinement.conservative;
      found.byInnerSpheres += pair.refinement.byInnerSpheres;
    }
  }
  EXPECT_NEAR((*simulation)->world().time(), 900 * frameStep(scene), 1e-6);
  return found;
}

TEST_F(FlownAsPublished, HasTreesOfThePaperAloneInItsDetector) {
  const auto usual = shapesOf(scene_);
  const auto paper = shapesOf(published(scene_));
  ASSERT_TRUE(usual && paper);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t id{i};
    EXPECT_EQ(paper->shapes()[i].treeBuilder, "medial");
    EXPECT_EQ(paper->sphereTree(id).coverage(), Coverage::Paper);
    EXPECT_TRUE(paper->sphereTree(id).data().boxes.empty());
    EXPECT_TRUE(paper->sphereTree(id).data().inner.empty());
    // What the usual trees have, so that the above says something
    EXPECT_EQ(usual->sphereTree(id).coverage(), Coverage::Guaranteed);
    EXPECT_FALSE(usual->sphereTree(id).data().inner.empty());
  }
  EXPECT_FALSE(usual->sphereTree(1).data().boxes.empty());

  // So seldom looked at that ships are deep in each other when they are found
  Scene seldom = scene_;
  seldom.simStep = seldom.detectStep = 0.2;
  const Found asUsual = flown(seldom, *usual);
  const Found asPublished = flown(published(scene_), *paper);
  EXPECT_GT(asUsual.pairs, 30);
  EXPECT_EQ(asUsual.notConservative, 0);
  EXPECT_GT(asUsual.byInnerSpheres, 0);
  EXPECT_GT(asPublished.pairs, 30);
  EXPECT_EQ(asPublished.notConservative, asPublished.pairs);
  EXPECT_EQ(asPublished.byInnerSpheres, 0);
}

TEST_F(FlownAsPublished, LooksAheadAsThePaperDoes) {
  scene_.arena.radius = 40.0;  // so wide that there is silence
  const auto paper = shapesOf(published(scene_));
  ASSERT_TRUE(paper);
  auto detector = makeDetector(broadPhaseOf(published(scene_)), "sphere-tree", *paper);
  ASSERT_TRUE(detector);
  EXPECT_EQ((*detector)->broadPhase().name(), "space-time");
  EXPECT_LT(flown(published(scene_), *paper).detections, 300) << "two steps a frame, of 300";
}

}  // namespace
}  // namespace nearmiss::engine
