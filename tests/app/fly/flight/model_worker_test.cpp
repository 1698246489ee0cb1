// SPDX-License-Identifier: MIT
/// Loading beside the flight: what flies at once, what follows, and what is dropped.
#include "fly/flight/model_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

class ModelWorkerTest : public testing::Test {
 protected:
  ModelWorkerTest() {
    scene_.playerModel =
        test::writeText(folder_ / "torus.obj", test::asObj(test::torus(8, 6))).string();
    scene_.drones[0].model = scene_.playerModel;
    scene_.tree = "annealed-apart";  // seconds quicker than those that fit better
    options_.cacheFolder = folder_ / "cache";
  }
  /// Waits for what the window would take between two frames.
  ModelWorker::Outcome outcome() {
    while (true) {
      if (auto taken = worker_.take()) return *std::move(taken);
      EXPECT_TRUE(worker_.busy());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// What a load in which nothing may go wrong brings.
  std::shared_ptr<const engine::ShapeSet> load(bool quickFirst) {
    worker_.load(scene_, options_, "loading", quickFirst);
    const ModelWorker::Outcome ended = outcome();
    EXPECT_FALSE(ended.rebuilt);
    EXPECT_TRUE(ended.loaded) << ended.loaded.error().message;
    return ended.loaded ? ended.loaded->shapes : nullptr;
  }
  static void expectWhole(const engine::ShapeSet& shapes) {
    EXPECT_TRUE(shapes.allBuiltBy("annealed-apart"));
    EXPECT_TRUE(shapes.hasBspTrees());
  }
  test::TemporaryFolder folder_;
  engine::Scene scene_;
  Options options_;
  ModelWorker worker_;
};

TEST_F(ModelWorkerTest, LoadsAtOnceAndThenGrows) {
  worker_.load(scene_, options_, "loading", true);
  EXPECT_TRUE(worker_.busy());
  EXPECT_FALSE(worker_.isBuilding());
  EXPECT_EQ(worker_.what(), "loading");
  const ModelWorker::Outcome first = outcome();
  EXPECT_FALSE(worker_.busy());
  EXPECT_FALSE(first.rebuilt);
  ASSERT_TRUE(first.loaded) << first.loaded.error().message;
  EXPECT_TRUE(first.loaded->shapes->allBuiltBy(std::string(fastSphereTreeBuilder)));
  EXPECT_FALSE(first.loaded->shapes->hasBspTrees());

  worker_.startBuild(scene_, first.loaded->shapes, options_, "growing");
  EXPECT_TRUE(worker_.isBuilding());
  const ModelWorker::Outcome second = outcome();
  EXPECT_TRUE(second.rebuilt);
  ASSERT_TRUE(second.loaded);
  expectWhole(*second.loaded->shapes);
  EXPECT_TRUE(second.loaded->shapes->sharesBodiesWith(*first.loaded->shapes));

  // The next time everything is there from the start
  const auto third = load(/*quickFirst=*/true);
  ASSERT_TRUE(third);
  expectWhole(*third);
}

TEST_F(ModelWorkerTest, WaitsForEverythingWhereNothingMayStandIn) {
  const auto whole = load(/*quickFirst=*/false);
  ASSERT_TRUE(whole);
  expectWhole(*whole);
}

TEST_F(ModelWorkerTest, BuildsBspTreesAtOnceForASceneThatDetectsWithThem) {
  scene_.reference = "bsp";
  const auto shapes = load(/*quickFirst=*/true);
  ASSERT_TRUE(shapes);
  EXPECT_TRUE(shapes->hasBspTrees());
  EXPECT_TRUE(shapes->allBuiltBy(std::string(fastSphereTreeBuilder)));
}

TEST_F(ModelWorkerTest, OnlyTheLastWishIsHeardOf) {
  const auto shapes = load(/*quickFirst=*/true);
  ASSERT_TRUE(shapes);
  for (const char* tree : {"annealed-apart", "variational", "annealed-apart"}) {
    scene_.tree = tree;
    worker_.startBuild(scene_, shapes, options_, tree);
    EXPECT_EQ(worker_.what(), tree);
  }
  const ModelWorker::Outcome rebuilt = outcome();
  ASSERT_TRUE(rebuilt.loaded) << rebuilt.loaded.error().message;
  EXPECT_TRUE(rebuilt.loaded->shapes->allBuiltBy("annealed-apart"));
  EXPECT_FALSE(worker_.busy());
  EXPECT_FALSE(worker_.take());
}

TEST_F(ModelWorkerTest, CancelsWhatIsUnderWayAndWhatWaits) {
  scene_.tree = "variational";
  scene_.playerModel =
      test::writeText(folder_ / "star.obj", test::asObj(test::spikyStar(1, 40, 60))).string();
  const auto shapes = load(/*quickFirst=*/true);
  ASSERT_TRUE(shapes);
  worker_.startBuild(scene_, shapes, options_, "growing");
  worker_.startBuild(scene_, shapes, options_, "growing again");
  worker_.cancel();
  const ModelWorker::Outcome ended = outcome();
  EXPECT_TRUE(ended.rebuilt);
  ASSERT_FALSE(ended.loaded);
  EXPECT_EQ(ended.loaded.error().code, ErrorCode::Cancelled);
  EXPECT_FALSE(worker_.busy());

  // The outcome is of what waited, and its time since it was asked for
  worker_.startBuild(scene_, shapes, options_, "growing");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double grownFor = worker_.elapsedSeconds();
  worker_.load(scene_, options_, "loading", true);
  EXPECT_LT(worker_.elapsedSeconds(), grownFor);
  worker_.cancel();
  EXPECT_FALSE(outcome().rebuilt);
}

TEST_F(ModelWorkerTest, PassesErrorsOn) {
  scene_.playerModel = (folder_ / "missing.obj").string();
  worker_.load(scene_, options_, "loading", true);
  const ModelWorker::Outcome missing = outcome();
  ASSERT_FALSE(missing.loaded);
  EXPECT_EQ(missing.loaded.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace nearmiss::app::fly
