// SPDX-License-Identifier: MIT
/// No pair rattles: over the shipped scenes, how often collisions of one pair begin. Ten seeds of
/// each scene and 100 s with NEARMISS_CAMPAIGN=10.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "support/campaign.h"
#include "support/files.h"

namespace nearmiss::engine {
namespace {

/// For answers to the end; where time runs out spheres meet once more before the ships do.
constexpr std::size_t maxBeginnings = 3, maxCutShort = 4;
constexpr Real window = 10.0;  // simulation seconds

struct Case {
  const char* scene;
  const char* budget;
  Clock::Duration allowance;
};

/// The shapes of one scene with the trees that are built quickest: what is found of a contact does
/// not depend on them.
std::shared_ptr<const ShapeSet> shapesOf(const Scene& scene) {
  static const nearmiss::test::TemporaryFolder cache;
  ShapeOptions options;
  options.treeBuilder = "octree";
  options.bspTrees = BspTrees::None;
  options.cacheFolder = cache.path();
  const auto files = modelFilesOf(scene);
  auto shapes = files ? buildShapeSet(*files, options) : files.error();
  EXPECT_TRUE(shapes) << shapes.error().message;
  return shapes ? *shapes : nullptr;
}

class Rattle : public testing::TestWithParam<Case> {};

TEST_P(Rattle, DoesNotOccurInAShippedScene) {
  const auto file = findScene(GetParam().scene);
  ASSERT_TRUE(file);
  auto scene = readScene(*file);
  ASSERT_TRUE(scene);
  const auto shapes = shapesOf(*scene);
  ASSERT_TRUE(shapes);
  const int seeds = nearmiss::test::inCampaign() ? 10 : 2;
  const Real seconds = nearmiss::test::inCampaign() ? 100.0 : 30.0;
  const bool exact = GetParam().allowance == Clock::Duration::max();
  std::size_t beginnings = 0, most = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    scene->seed = static_cast<std::uint64_t>(seed);
    WorkClock clock;
    const auto simulation = makeSimulation(*scene, *shapes, clock);
    ASSERT_TRUE(simulation);
    FrameInput input;
    input.dt = frameStep(*scene);
    input.detectStep = scene->detectStep;
    input.detectionBudget = GetParam().allowance;
    std::map<BodyPair, std::deque<Real>> recent;
    while ((*simulation)->world().time() < seconds)
      for (const Collision& collision : (*simulation)->advance(input).collisions) {
        std::deque<Real>& times = recent[{collision.a, collision.b}];
        times.push_back(collision.time);
        while (times.front() < collision.time - window) times.pop_front();
        most = std::max(most, times.size());
        ++beginnings;
        EXPECT_LE(times.size(), exact ? maxBeginnings : maxCutShort)
            << "seed " << seed << ": " << collision.a << " and " << collision.b << " by "
            << collision.time << " s";
      }
  }
  EXPECT_GT(beginnings, static_cast<std::size_t>(seeds)) << "ships meet at all";
  RecordProperty("beginnings", static_cast<int>(beginnings));
  RecordProperty("most", static_cast<int>(most));
}

constexpr auto unlimited = Clock::Duration::max();
constexpr auto tight = std::chrono::microseconds(20);

INSTANTIATE_TEST_SUITE_P(
    Scenes, Rattle,
    testing::Values(Case{"lamps", "unlimited", unlimited}, Case{"mixed", "unlimited", unlimited},
                    Case{"trucks", "unlimited", unlimited}, Case{"fig21", "unlimited", unlimited},
                    Case{"lamps", "tight", tight}, Case{"mixed", "tight", tight},
                    Case{"trucks", "tight", tight}, Case{"fig21", "tight", tight}),
    [](const auto& tested) { return std::string(tested.param.scene) + "_" + tested.param.budget; });

}  // namespace
}  // namespace nearmiss::engine
