// SPDX-License-Identifier: MIT
/// Ships marked unimportant by their scene or in flight wait before all others, whatever the broad
/// phase [H93, "Conclusions"; H96 §12].
#include <engine/scene/as_published.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <chrono>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asObj;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;

/// Two groups of small ships in a narrow arena, the second unimportant.
class UnimportantShips : public testing::Test {
 protected:
  UnimportantShips() {
    scene_.playerModel = writeText(folder_ / "torus.obj", asObj(test::torus(6, 4)));
    DroneGroup group{scene_.playerModel, 6};
    scene_.drones = {group, group};
    scene_.drones[1].unimportant = true;
    scene_.arena.radius = 4.0;
    scene_.tree = "octree";
    scene_.narrow = "brute-force";
    scene_.importance.fullWithin = std::numeric_limits<Real>::infinity();
  }

  [[nodiscard]] std::unique_ptr<Simulation> subtractStolen() {
    if (!shapes_) {
      ShapeOptions options;
      options.treeBuilder = scene_.tree;
      options.cacheFolder = folder_ / "cache";
      options.bspTrees = BspTrees::None;
      shapes_ = *buildShapeSet(*modelFilesOf(scene_), options);
    }
    return *makeSimulation(scene_, *shapes_, clock_);
  }

  /// What waited in a flight without time for anything.
  struct Waiting {
    std::size_t pairs = 0, marked = 0, others = 0, pairsOfOthers = 0;
  };
  Waiting fly(Simulation& simulation, int frames) const {
    FrameInput input;
    input.dt = input.detectStep = 1.0 / 60.0;
    input.importance = scene_.importance;
    input.detectionBudget = Clock::Duration{};
    Waiting waiting;
    for (int frame = 0; frame < frames; ++frame) {
      const FrameOutput& out = simulation.advance(input);
      for (const PostponedBody& body : out.detection->postponedBodies)
        ++(out.bodies[body.body].unimportant ? waiting.marked : waiting.others);
      for (const PostponedPair& pair : out.detection->postponed) {
        ++waiting.pairs;
        const bool marked =
            out.bodies[pair.pair.a].unimportant || out.bodies[pair.pair.b].unimportant;
        waiting.pairsOfOthers += !marked;
      }
    }
    return waiting;
  }

  TemporaryFolder folder_;
  Scene scene_;
  WorkClock clock_;
  std::shared_ptr<const ShapeSet> shapes_;
};

TEST_F(UnimportantShips, AloneWaitWithEveryBroadPhase) {
  for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
    SCOPED_TRACE(broad.name);
    scene_.broad = broad.name;
    auto simulation = subtractStolen();
    const Waiting waiting = fly(*simulation, 600);
    EXPECT_GT(waiting.marked, 100u);
    EXPECT_EQ(waiting.others, 0u);
    EXPECT_EQ(waiting.pairsOfOthers, 0u);
  }
}

TEST_F(UnimportantShips, WaitNoLongerOnceTheMarkIsTakenAway) {
  for (DroneGroup& group : scene_.drones) group.unimportant = false;
  auto simulation = subtractStolen();
  Waiting waiting = fly(*simulation, 100);
  EXPECT_EQ(waiting.marked + waiting.others + waiting.pairs, 0u);
  simulation->setUnimportant(3, true);
  const Snapshot past = simulation->snapshot();
  waiting = fly(*simulation, 100);
  EXPECT_GT(waiting.marked, 50u);
  EXPECT_EQ(waiting.others, 0u);
  simulation->setUnimportant(3, false);
  (void)fly(*simulation, 1);
  waiting = fly(*simulation, 100);
  EXPECT_EQ(waiting.marked + waiting.others + waiting.pairs, 0u);
  // A mark belongs to what a flight goes on from
  simulation->restore(past);
  EXPECT_TRUE(simulation->world().states()[3].unimportant);
}

}  // namespace
}  // namespace nearmiss::engine
