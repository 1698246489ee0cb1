// SPDX-License-Identifier: MIT
/// A scene that drops redundant spheres flies as before on smaller trees [H96 §12].
#include <engine/scene/scene.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_quality.h>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asObj;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;

/// A flight, the number of spheres of its trees, and what brute force found besides.
struct FlownThin {
  std::uint64_t hash = 0;
  std::size_t spheres = 0, collisions = 0, missed = 0;
};

FlownThin flownOn(const Scene& scene, const std::filesystem::path& cache) {
  ShapeOptions options;
  options.treeBuilder = scene.tree;
  options.tree = treeSettings(scene);
  options.tree.levels = 3;
  options.tree.medial.surfacePoints = 300;
  options.cacheFolder = cache;
  options.bspTrees = BspTrees::None;
  const auto shapes = *buildShapeSet(*modelFilesOf(scene), options);
  FlownThin flown;
  for (std::uint32_t i = 0; i < 2; ++i)
    for (const SphereLevelReport& level : levelReports(shapes->sphereTree(i)))
      flown.spheres += level.spheres;
  WorkClock clock;
  auto simulation = *makeSimulation(scene, *shapes, clock);
  FrameInput input;
  input.dt = input.detectStep = 1.0 / 60.0;
  for (int frame = 0; frame < 1500; ++frame) {
    const FrameOutput& out = simulation->advance(input);
    flown.collisions += out.collisions.size();
    flown.missed += out.missedByDriver.size();
  }
  flown.hash = stateHash(simulation->world().ships());
  return flown;
}

TEST(RedundantSpheres, AreDroppedFromAFlightThatMissesNothing) {
  const TemporaryFolder folder;
  Scene scene;
  scene.playerModel = writeText(folder / "torus.obj", asObj(test::torus(10, 6)));
  scene.drones = {DroneGroup{writeText(folder / "star.obj", asObj(test::spikyStar(3, 6, 8)))}};
  scene.arena.radius = 4.0;
  scene.reference = "brute-force";
  for (const char* tree : {"octree", "medial", "medial-dag"}) {
    SCOPED_TRACE(tree);
    scene.tree = tree;
    scene.dropRedundant = false;
    const FlownThin whole = flownOn(scene, folder / "cache");
    scene.dropRedundant = true;
    const FlownThin thin = flownOn(scene, folder / "cache");
    EXPECT_LT(thin.spheres, whole.spheres);
    EXPECT_GT(whole.collisions, 10u);
    EXPECT_EQ(thin.missed, 0u);
    // Ships are parted by their exact geometry, whatever the trees
    EXPECT_EQ(thin.hash, whole.hash);
  }
}

}  // namespace
}  // namespace nearmiss::engine
