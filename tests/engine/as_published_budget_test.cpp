// SPDX-License-Identifier: MIT
/// As published, whatever the budget, every pair is refined at least to level 1 [H96 §4.2]: flown
/// with every narrow and every broad phase.
#include <engine/scene/as_published.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asObj;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using std::chrono::microseconds;

/// What a flight found, and what it left for later.
struct Tally {
  std::uint64_t frames = 0, cutShort = 0, collisions = 0, atBounds = 0, atLevel1 = 0;
  std::uint64_t late = 0, postponed = 0, missed = 0, pairs = 0, pairsAtBounds = 0;
  std::uint64_t hash = 0;

  void add(const FrameOutput& out) {
    ++frames;
    cutShort += out.profile.exhausted;
    collisions += out.collisions.size();
    for (const Collision& collision : out.collisions) {
      atBounds += collision.refinement.stage == Stage::Bounds;
      atLevel1 += collision.refinement.level == 1;
      late += collision.waited.detections > 0;
    }
    postponed += out.profile.pairsPostponed + out.profile.bodiesPostponed;
    missed += out.missedByDriver.size();
    for (const DetectedPair& pair : out.detection->pairs) {
      ++pairs;
      pairsAtBounds += pair.refinement.stage == Stage::Bounds;
    }
  }
  void add(const Tally& more) {
    frames += more.frames;
    cutShort += more.cutShort;
    collisions += more.collisions;
    atLevel1 += more.atLevel1;
    pairs += more.pairs;
  }
};

/// Ten small ships in a narrow arena, on octrees, which miss nothing.
class AsPublishedWithinABudget : public testing::Test {
 protected:
  AsPublishedWithinABudget() {
    scene_.playerModel = writeText(folder_ / "torus.obj", asObj(test::torus(6, 4)));
    scene_.drones = {DroneGroup{writeText(folder_ / "star.obj", asObj(test::spikyStar(3, 4, 6)))}};
    scene_.arena.radius = 4.0;
    setAsPublished(scene_, true);
    scene_.tree = "octree";
    scene_.clock = ClockKind::Work;
  }

  [[nodiscard]] const ShapeSet& shapes() {
    if (shapes_) return *shapes_;
    ShapeOptions options;
    options.treeBuilder = scene_.tree;
    options.tree = treeSettings(scene_);
    options.cacheFolder = folder_ / "cache";
    const auto files = modelFilesOf(scene_);
    auto built = files ? buildShapeSet(*files, options)
                       : Result<std::shared_ptr<const ShapeSet>>(files.error());
    if (!built) throw std::runtime_error(built.error().message);
    shapes_ = *built;
    return *shapes_;
  }

  /// A flight of `scene`, watched by the same narrow phase without a limit.
  Tally flown(const Scene& scene, int frames, std::chrono::nanoseconds budget) {
    WorkClock clock;
    auto simulation = makeSimulation(scene, shapes(), clock);
    if (!simulation) throw std::runtime_error(simulation.error().message);
    auto watching = makeDetector("all-pairs", scene.narrow, shapes());
    (*simulation)->setReference(*std::move(watching));
    FrameInput input;
    input.dt = frameStep(scene);
    input.detectStep = scene.detectStep;
    input.levelCap = scene.maxLevel;
    input.order = scene.order;
    input.response = scene.response;
    input.instants = scene.instants;
    input.importance = scene.importance;
    input.detectionBudget = budget;
    Tally tally;
    for (int frame = 0; frame < frames; ++frame) tally.add((*simulation)->advance(input));
    tally.hash = stateHash((*simulation)->world().ships());
    return tally;
  }

  TemporaryFolder folder_;
  Scene scene_;
  std::shared_ptr<const ShapeSet> shapes_;
};

constexpr std::array budgets{std::chrono::nanoseconds{}, std::chrono::nanoseconds{microseconds(2)},
                             std::chrono::nanoseconds{microseconds(20)}};

TEST_F(AsPublishedWithinABudget, NoMethodAnswersACollisionByBoundingSpheresNorLate) {
  Tally all;
  std::size_t turn = 0;
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog()) {
    Tally own;
    for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
      Scene scene = scene_;
      scene.narrow = narrow.name;
      scene.broad = broad.name;
      scene.seed = ++turn;
      const auto budget = budgets[turn % budgets.size()];
      SCOPED_TRACE(fmt::format("{} over {}, {} ns", narrow.name, broad.name, budget.count()));
      const Tally tally = flown(scene, 120, budget);
      EXPECT_EQ(tally.atBounds, 0u);
      EXPECT_EQ(tally.pairsAtBounds, 0u);
      EXPECT_EQ(tally.late, 0u);
      EXPECT_EQ(tally.postponed, 0u);
      EXPECT_EQ(tally.missed, 0u) << "called separate";
      own.add(tally);
    }
    EXPECT_GT(own.collisions, 20u) << narrow.name;
    if (narrow.interruptible) {
      EXPECT_GT(own.cutShort, 20u) << narrow.name;
      EXPECT_GT(own.atLevel1, 5u) << narrow.name;
    }
    all.add(own);
  }
  EXPECT_GT(all.pairs, 10'000u);
}

TEST_F(AsPublishedWithinABudget, WouldLeavePairsWaitingWithoutThatSetting) {
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog()) {
    Scene scene = scene_;
    scene.narrow = narrow.name;
    scene.importance = Scene{}.importance;
    EXPECT_GT(flown(scene, 120, budgets[0]).postponed, 0u) << narrow.name;
  }
}

TEST_F(AsPublishedWithinABudget, MethodsOfOneStepFlyAsWithoutALimit) {
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog()) {
    if (narrow.interruptible) continue;
    Scene scene = scene_;
    scene.narrow = narrow.name;
    const Tally none = flown(scene, 300, std::chrono::nanoseconds{});
    const Tally unlimited = flown(scene, 300, Clock::Duration::max());
    EXPECT_GT(unlimited.collisions, 10u) << narrow.name;
    EXPECT_EQ(none.collisions, unlimited.collisions) << narrow.name;
    EXPECT_EQ(none.hash, unlimited.hash) << narrow.name;
  }
}

}  // namespace
}  // namespace nearmiss::engine
