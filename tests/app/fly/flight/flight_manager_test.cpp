// SPDX-License-Identifier: MIT
/// Models, trees and methods change for others while the flight goes on, without a window.
#include "fly/flight/flight_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

using testing::HasSubstr;

class FlightManagerTest : public testing::Test {
 protected:
  FlightManagerTest() {
    engine::Scene& scene = options_.scene;
    // A rod meets few cells of an octree, and its trees have few spheres
    scene.playerModel = write("rod.obj", rod(0.02));
    scene.drones.resize(1);
    scene.drones[0].model = scene.playerModel;
    scene.drones[0].count = 2;
    scene.tree = "annealed-apart";  // seconds quicker than those that fit better
    options_.cacheFolder = folder_ / "cache";
  }
  std::string write(const char* name, const TriangleMesh& mesh) {
    return test::writeText(folder_ / name, test::asObj(mesh)).string();
  }
  static TriangleMesh rod(Real half) { return test::box({-1, -half, -half}, {1, half, half}); }
  /// What becomes of what is under way.
  Change next() {
    while (true) {
      if (auto change = flightManager_.poll()) return *change;
      EXPECT_TRUE(flightManager_.worker().busy());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// Until nothing is under way any more.
  std::vector<Change> settle() {
    std::vector<Change> changes;
    while (flightManager_.worker().busy()) changes.push_back(next());
    return changes;
  }
  void take() {
    flightManager_.load(options_.scene, "loading");
    const Change change = next();
    ASSERT_FALSE(change.error) << change.error->message;
    ASSERT_TRUE(change.flight && change.first);
    ASSERT_TRUE(flight());
  }
  std::optional<Flight>& flight() { return flightManager_.flight(); }

  test::TemporaryFolder folder_;
  Options options_;
  FlightManager flightManager_{options_};
};

TEST_F(FlightManagerTest, FliesAtOnceAndGrowsItsTrees) {
  EXPECT_FALSE(flightManager_.poll());
  take();
  EXPECT_FALSE(flightManager_.hasRequestedTrees());
  EXPECT_TRUE(flightManager_.isBuilding());
  const auto changes = settle();
  ASSERT_EQ(changes.size(), 2u);  // BSP trees first
  EXPECT_FALSE(changes[0].trees);
  EXPECT_TRUE(changes[1].trees);
  EXPECT_GT(changes[1].treeSeconds, 0.0);
  EXPECT_TRUE(flightManager_.hasRequestedTrees());
  EXPECT_TRUE(flight()->shapes().hasBspTrees());
}

TEST_F(FlightManagerTest, SwitchesTheMethodAsSoonAsItsTreesAreThere) {
  take();
  const Change requested = flightManager_.setMethod(Method::Bsp);
  EXPECT_FALSE(requested.method);
  EXPECT_TRUE(flightManager_.isMethodPending());
  EXPECT_EQ(flightManager_.requestedMethod(), Method::Bsp);
  EXPECT_EQ(flight()->inUse().method, Method::SphereTree);
  EXPECT_TRUE(next().method);
  EXPECT_EQ(flight()->inUse().method, Method::Bsp);
  EXPECT_FALSE(flightManager_.isMethodPending());
  EXPECT_TRUE(flightManager_.setMethod(Method::Both).method);
}

TEST_F(FlightManagerTest, KeepsTheWorldWhenTreesChangeAndNotWhenModelsDo) {
  take();
  settle();
  const engine::Simulation* before = &flight()->simulation();
  engine::Scene wanted = flightManager_.requestedTrees();
  wanted.tree = "annealed";
  flightManager_.requestTrees(wanted);
  for (const Change& change : settle()) EXPECT_TRUE(change.trees && !change.flight);
  EXPECT_EQ(&flight()->simulation(), before);
  ASSERT_TRUE(flightManager_.setMethod(Method::Bsp).method);

  flightManager_.load(flightManager_.withModel(write("beam.obj", rod(0.04))), "loading");
  const Change other = next();
  EXPECT_TRUE(other.flight && !other.first);
  EXPECT_EQ(flight()->scene().name, "beam");
  EXPECT_EQ(flight()->shapes().shapes().size(), 2u);
  // The method that detected waits for the trees of the new models
  EXPECT_EQ(flightManager_.requestedMethod(), Method::Bsp);
  settle();
  EXPECT_EQ(flight()->inUse().method, Method::Bsp);
}

TEST_F(FlightManagerTest, KeepsWhatFliesIfAModelCannotBeHad) {
  options_.scene.tree = "octree";
  take();
  settle();
  const engine::ShapeSet* before = &flight()->shapes();
  flightManager_.load(flightManager_.withModel(folder_ / "nothing.obj"), "loading");
  const Change change = next();
  ASSERT_TRUE(change.error);
  EXPECT_THAT(change.error->message, HasSubstr("nothing.obj"));
  EXPECT_FALSE(change.flight || change.cancelled);
  EXPECT_EQ(&flight()->shapes(), before);
}

TEST_F(FlightManagerTest, SaysThatItWasCancelled) {
  take();
  ASSERT_TRUE(flightManager_.isBuilding());
  const std::string trees(flight()->inUse().trees);
  flightManager_.setMethod(Method::Bsp);
  flightManager_.cancel();
  const Change change = next();
  // What was done already when it was cancelled counts
  if (change.cancelled) {
    EXPECT_FALSE(flightManager_.isMethodPending());
    EXPECT_EQ(flight()->inUse().trees, trees);
    EXPECT_FALSE(change.error);
  }
}

TEST_F(FlightManagerTest, GoesAsPublishedAndBack) {
  options_.scene.broad = "all-pairs";
  take();
  settle();
  const auto there =
      flightManager_.toggleAsPublished(engine::Response::Bounce, RefinementOrder::LargestBound, 3);
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_TRUE(there->asPublished);
  EXPECT_EQ(flight()->inUse().broad, "space-time");
  EXPECT_EQ(there->order, RefinementOrder::InTurn);
  EXPECT_EQ(there->maxLevel, 4);
  const auto back =
      flightManager_.toggleAsPublished(there->response, there->order, there->maxLevel);
  ASSERT_TRUE(back);
  EXPECT_EQ(flight()->inUse().broad, "all-pairs");
  EXPECT_EQ(back->response, engine::Response::Bounce);
  EXPECT_EQ(back->order, RefinementOrder::LargestBound);
  EXPECT_EQ(back->maxLevel, 3);
  settle();
  EXPECT_TRUE(flightManager_.hasRequestedTrees());
}

}  // namespace
}  // namespace nearmiss::app::fly
