// SPDX-License-Identifier: MIT
/// How a scene starts: its models, the places of its ships, and what detects.
#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "engine/generated_shapes.h"

namespace nearmiss::engine {
namespace {

using testing::HasSubstr;

/// A scene of generated ships, so that no shipped model is needed.
class Start : public Shapes {
 protected:
  Start() {
    scene_.playerModel = files_[0].string();
    scene_.drones[0].model = files_[1].string();
    scene_.drones[0].count = 6;
    scene_.drones.push_back(scene_.drones[0]);
    scene_.drones[1].model = files_[0].string();
    scene_.drones[1].count = 3;
  }

  static std::vector<std::filesystem::path> pathsOf(std::span<const ModelFile> models) {
    std::vector<std::filesystem::path> paths;
    for (const ModelFile& model : models) {
      EXPECT_FALSE(model.ownFrame);
      paths.push_back(model.path);
    }
    return paths;
  }

  std::unique_ptr<Simulation> start(Clock& clock) {
    const auto files = modelFilesOf(scene_);
    EXPECT_TRUE(files);
    files_ = pathsOf(*files);
    set_ = build();
    auto simulation = makeSimulation(scene_, *set_, clock);
    EXPECT_TRUE(simulation) << simulation.error().message;
    return simulation ? std::move(*simulation) : nullptr;
  }

  Scene scene_;
  std::shared_ptr<const ShapeSet> set_;
};

TEST_F(Start, NeedsEachModelOnce) {
  const auto files = modelFilesOf(scene_);
  ASSERT_TRUE(files);
  EXPECT_EQ(pathsOf(*files), files_);
  // The same file under another spelling is the same model
  scene_.drones[1].model = (folder_ / "." / "torus.obj").string();
  EXPECT_EQ(modelFilesOf(scene_)->size(), 2u);
}

/// The tori of the fixture are thick; only their places are tested, not whether they hang in each
/// other.
TEST_F(Start, PlacesLinkedShipsInARow) {
  scene_.drones[1].linked = 0.5;
  std::swap(scene_.drones[0], scene_.drones[1]);
  WorkClock clock;
  const auto simulation = start(clock);
  ASSERT_TRUE(simulation);
  const auto bodies = simulation->world().states();
  for (std::size_t i = 0; i < 3; ++i) {
    const Pose& pose = bodies[1 + i].pose;
    EXPECT_EQ(pose.position, Vec3(0.5 * static_cast<Real>(i) - 0.5, 0.0, 0.0));
    const Vec3 up = pose.rotation * Vec3(0.0, 1.0, 0.0);
    EXPECT_NEAR(std::abs(i == 1 ? up.z : up.y), 1.0, 1e-12) << i;
  }
  // The others are apart from the row
  for (std::size_t i = 4; i < bodies.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_LT(overlap({bodies[i].pose.position, 1.0}, {bodies[k].pose.position, 1.0}), 0.0);
  // A row longer than the arena
  scene_.drones[0].linked = 5.0;
  const auto refused = makeSimulation(scene_, *set_, clock);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("too small"));
}

TEST_F(Start, PlacesShipsSoThatNoneTouch) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    scene_.seed = seed;
    WorkClock clock;
    const auto simulation = start(clock);
    ASSERT_TRUE(simulation);
    const auto bodies = simulation->world().states();
    ASSERT_EQ(bodies.size(), 10u);
    EXPECT_EQ(simulation->userIndex(), 0u);
    EXPECT_EQ(bodies[0].pose.position, Vec3(0, 0, arenaOf(scene_).radius));
    EXPECT_EQ(bodies[0].pose.rotation, glm::identity<Quat>());
    EXPECT_EQ(simulation->world().ships().definition(0).mass, 1.0);
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      EXPECT_NEAR(glm::length(bodies[a].pose.rotation), 1.0, 1e-12);
      EXPECT_EQ(bodies[a].shape.radius(), set_->polyhedron(bodies[a].shape.index()).radius());
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_GT(glm::distance(bodies[a].pose.position, bodies[b].pose.position),
                  bodies[a].shape.radius() + bodies[b].shape.radius());
      if (a == 0) continue;
      EXPECT_LE(glm::length(bodies[a].pose.position) + bodies[a].shape.radius(),
                Arena{}.radius * (1 + 1e-12));
      EXPECT_EQ(bodies[a].shape.index(), a <= 6 ? 1u : 0u);
    }
  }
}

TEST_F(Start, IsTheSeedsAndNothingElses) {
  std::set<std::uint64_t> hashes;
  for (const std::uint64_t seed : {1, 1, 2, 3}) {
    scene_.seed = seed;
    WorkClock clock;
    const auto simulation = start(clock);
    ASSERT_TRUE(simulation);
    for (int frame = 0; frame < 50; ++frame) simulation->advance({});
    hashes.insert(stateHash(simulation->world().ships()));
  }
  EXPECT_EQ(hashes.size(), 3u);
}

/// Uniform rotations turn an axis to every octant alike often.
TEST_F(Start, TurnsShipsEveryWay) {
  scene_.arena.radius = 60.0;
  scene_.drones[0].count = 800;
  WorkClock clock;
  const auto simulation = start(clock);
  ASSERT_TRUE(simulation);
  std::array<int, 8> octants{};
  for (const BodyState& body : simulation->world().states().subspan(1)) {
    const Vec3 forward = body.pose.rotation * Vec3(0, 0, -1);
    ++octants[static_cast<std::size_t>((forward.x > 0) + 2 * (forward.y > 0) +
                                       4 * (forward.z > 0))];
  }
  for (const int count : octants) EXPECT_NEAR(count, 100, 50);
}

TEST_F(Start, MakesRoomForAnyNumberOfShips) {
  // As far from each other as the ten of the default scene
  for (const auto& [ships, radius] :
       {std::pair{1, 5.2}, {2, 5.2}, {10, 5.2}, {80, 10.4}, {270, 15.6}, {10'000, 52.0}}) {
    Scene scene;
    scene.drones[0].count = ships - 1;
    EXPECT_NEAR(arenaOf(scene).radius, radius, 1e-12 * radius) << ships;
    EXPECT_EQ(arenaOf(scene).rim, Arena{}.rim);
    scene.arena.radius = 5.0;
    EXPECT_EQ(arenaOf(scene).radius, 5.0);
  }
  EXPECT_EQ(arenaOf(Scene{}).radius, 5.2) << "to the bit";

  scene_.drones[0].count = 3000;
  WorkClock clock;
  const auto simulation = start(clock);
  ASSERT_TRUE(simulation);
  EXPECT_EQ(simulation->world().ships().arena().radius, arenaOf(scene_).radius);
  const auto bodies = simulation->world().states();
  ASSERT_EQ(bodies.size(), 3004u);
  std::vector<BodyPair> pairs;
  makeAllPairsBroadPhase()->findPairs(bodies, 0.0, pairs);
  EXPECT_TRUE(pairs.empty());
}

TEST_F(Start, PlacesShipsAsIfAllWereComparedWithAll) {
  // So tight that most attempts fail: what is near must be found in every direction
  scene_.arena.radius = 6.0;
  scene_.drones[0].count = 40;
  std::size_t close = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    scene_.seed = seed;
    WorkClock clock;
    const auto simulation = start(clock);
    ASSERT_TRUE(simulation);
    const auto bodies = simulation->world().states();
    for (std::size_t a = 0; a < bodies.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Real apart = glm::distance(bodies[a].pose.position, bodies[b].pose.position) -
                           bodies[a].shape.radius() - bodies[b].shape.radius();
        EXPECT_GT(apart, 0.0);
        close += apart < 0.1;
      }
  }
  EXPECT_GT(close, 10u);
}

TEST_F(Start, RefusesAnArenaThatIsTooSmall) {
  scene_.arena.radius = 2.0;
  files_ = pathsOf(*modelFilesOf(scene_));
  set_ = build();
  WorkClock clock;
  const auto simulation = makeSimulation(scene_, *set_, clock);
  ASSERT_FALSE(simulation);
  EXPECT_EQ(simulation.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(simulation.error().message, HasSubstr("is too small for the ships"));
}

TEST_F(Start, RefusesUnknownPhasesWithAHint) {
  set_ = build();
  const auto broad = makeDetector("sweep", "bsp", *set_);
  ASSERT_FALSE(broad);
  EXPECT_THAT(broad.error().message,
              HasSubstr("no broad phase \"sweep\". Did you mean \"sweep-and-prune\"?"));
  const auto narrow = makeDetector("all-pairs", "bps", *set_);
  ASSERT_FALSE(narrow);
  EXPECT_THAT(narrow.error().message, HasSubstr("no narrow phase \"bps\". Did you mean \"bsp\"?"));
  EXPECT_TRUE(makeDetector("all-pairs", "bsp", *set_));
}

TEST_F(Start, SetsAReferenceThatWatches) {
  scene_.reference = "bsp";
  WorkClock clock;
  const auto simulation = start(clock);
  ASSERT_TRUE(simulation);
  const FrameOutput& output = simulation->advance({});
  EXPECT_NE(output.reference, nullptr);
}

}  // namespace
}  // namespace nearmiss::engine
