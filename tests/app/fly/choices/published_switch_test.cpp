// SPDX-License-Identifier: MIT
/// What the key for "as published" asks for, and that a flight takes it over and goes on.
#include "fly/flight/flight_manager.h"

#include <engine/scene/as_published.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <string>

#include "fly/choices/detection_choice.h"
#include "fly/flight/flight.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

using engine::writeScene;

/// A scene with choices of its own everywhere.
engine::Scene chosen() {
  engine::Scene scene;
  scene.tree = "annealed";
  scene.nodeBoxRatio = 2.0;
  scene.innerSpheres = 7;
  scene.broad = "all-pairs";
  scene.response = engine::Response::Teleport;
  scene.seed = 9;
  scene.drones[0].count = 4;
  return scene;
}

engine::Scene published(engine::Scene scene = {}) {
  engine::setAsPublished(scene, true);
  return scene;
}

TEST(PublishedSwitch, AsksForThePapersTreesAndTechniqueAndLeavesTheRest) {
  const engine::Scene before = chosen();
  PublishedSwitch flips;
  const engine::Scene there = flips.flip(before);
  EXPECT_TRUE(there.asPublished);
  EXPECT_EQ(hashOf(there.tree, engine::treeSettings(there)),
            hashOf(published().tree, engine::treeSettings(published())));
  EXPECT_EQ(there.broad, published().broad);
  EXPECT_EQ(there.response, engine::Response::PublishedBounce);
  EXPECT_EQ(there.instants, engine::Instants::Earliest);
  EXPECT_EQ(there.maxLevel, 4);
  EXPECT_EQ(there.importance.fullWithin, published().importance.fullWithin);
  // A flight in real time goes on so, and ships keep their pace
  EXPECT_EQ(there.fixedStep, before.fixedStep);
  EXPECT_EQ(engine::frameStep(there), engine::frameStep(before));
  EXPECT_EQ(there.detectStep, before.detectStep);
  EXPECT_EQ(there.frameMs, before.frameMs);
  EXPECT_EQ(there.playerLimits.drag, before.playerLimits.drag);
  EXPECT_EQ(there.seed, before.seed);
}

TEST(PublishedSwitch, GoesBackToWhatWasBefore) {
  const engine::Scene before = chosen();
  PublishedSwitch flips;
  engine::Scene there = flips.flip(before);
  EXPECT_EQ(writeScene(flips.flip(there)), writeScene(before));
  // Whatever was chosen on the way
  there = flips.flip(before);
  there.tree = "octree";
  there.broad = "sweep";
  there.seed = 3;
  engine::Scene expected = before;
  expected.seed = 3;
  EXPECT_EQ(writeScene(flips.flip(there)), writeScene(expected));
}

TEST(PublishedSwitch, GoesToTheUsualFromAFlightThatBeganAsPublished) {
  PublishedSwitch flips;
  const engine::Scene usual = flips.flip(published());
  EXPECT_FALSE(usual.asPublished);
  EXPECT_EQ(usual.tree, engine::Scene{}.tree);
  EXPECT_EQ(usual.nodeBoxRatio, engine::Scene{}.nodeBoxRatio);
  EXPECT_EQ(usual.response, engine::Response::Bounce);
  EXPECT_EQ(usual.instants, engine::Instants::Steps);
  EXPECT_EQ(usual.fixedStep, published().fixedStep);
  EXPECT_EQ(writeScene(flips.flip(usual)), writeScene(published()));
}

/// Two rods on their octrees, of which medial trees too are built soon.
class PublishedFlight : public testing::Test {
 protected:
  PublishedFlight() {
    const TriangleMesh rod = test::box({-1, -0.05, -0.05}, {1, 0.05, 0.05});
    scene_.playerModel = test::writeText(folder_ / "rod.obj", test::asObj(rod));
    scene_.drones[0].model = scene_.playerModel;
    scene_.tree = "octree";
    scene_.clock = engine::ClockKind::Work;
    // What a flight cannot change: the papers' steps and pace
    const engine::Scene papers = published();
    scene_.fixedStep = papers.fixedStep;
    scene_.simStep = papers.simStep;
    scene_.detectStep = papers.detectStep;
    scene_.frameMs = papers.frameMs;
    scene_.playerMass = papers.playerMass;
    scene_.playerLimits = scene_.drones[0].limits = papers.playerLimits;
    scene_.drones[0].pilot = papers.drones[0].pilot;
  }
  [[nodiscard]] engine::ShapeOptions optionsFor(const engine::Scene& scene) const {
    engine::ShapeOptions options;
    options.treeBuilder = scene.tree;
    options.tree = engine::treeSettings(scene);
    options.cacheFolder = folder_ / "cache";
    return options;
  }
  [[nodiscard]] Result<Flight> begin() const {
    const auto files = engine::modelFilesOf(scene_);
    if (!files) return files.error();
    auto shapes = engine::buildShapeSet(*files, optionsFor(scene_));
    if (!shapes) return shapes.error();
    return Flight::begin({scene_, *std::move(shapes)});
  }
  /// While the window's own choices are the papers'
  static std::string_view wordsOf(const Flight& flight) {
    DetectionChoice choice;
    choice.levelCap = published().maxLevel;
    choice.response = published().response;
    return publishedWords(flight, choice);
  }
  static std::string keptBy(const Flight& flight) {
    DetectionChoice choice;
    choice.levelCap = published().maxLevel;
    choice.response = published().response;
    return unpublishedWords(flight, choice);
  }
  /// What was chosen otherwise is told, and the flight is as it was afterwards.
  static void expectChoicesTold(Flight& flight) {
    const engine::Scene papers = published();
    DetectionChoice choice;
    choice.levelCap = papers.maxLevel - 1;
    choice.response = engine::Response::Tumble;
    EXPECT_EQ(publishedWords(flight, choice), "as published, except for the response");
    choice.order = RefinementOrder::LargestBound;
    EXPECT_EQ(publishedWords(flight, choice), "as published, except for the order of pairs");
    choice.levelCap = Detector::noLevelCap;
    EXPECT_EQ(publishedWords(flight, choice), "as published, except for the levels");
    ASSERT_TRUE(flight.setMethod(Method::Bsp));
    EXPECT_EQ(wordsOf(flight), "as published, except for the narrow phase");
    ASSERT_TRUE(flight.setMethod(Method::Both));
    EXPECT_EQ(wordsOf(flight), "as published") << "the papers' phase decides";
    ASSERT_TRUE(flight.setMethod(Method::SphereTree));
    ASSERT_TRUE(flight.setNarrowPhase("sphere-tree"));
    EXPECT_EQ(wordsOf(flight), "as published, except for the narrow phase");
    ASSERT_TRUE(setBroadPhase(flight, "all-pairs"));
    EXPECT_EQ(wordsOf(flight), "as published, except for the broad phase");
    ASSERT_TRUE(setBroadPhase(flight, engine::broadPhaseOf(papers)));
    ASSERT_TRUE(flight.setNarrowPhase(papers.narrow));
    EXPECT_EQ(wordsOf(flight), "as published");
    flight.simulation().setUnimportant(1, true);
    EXPECT_EQ(wordsOf(flight), "as published, except for the marks");
    EXPECT_EQ(keptBy(flight), "the marks");
    flight.simulation().setUnimportant(1, false);
    EXPECT_EQ(wordsOf(flight), "as published");
  }
  static void flyOn(Flight& flight) {
    engine::FrameInput input;
    input.dt = 1.0 / 60.0;
    input.detectStep = 1.0 / 120.0;
    (void)flight.advance(input);
  }
  test::TemporaryFolder folder_;
  engine::Scene scene_;
};

TEST_F(PublishedFlight, KeepsTheWorldThereAndBack) {
  scene_.broad = "all-pairs";
  auto flight = begin();
  ASSERT_TRUE(flight) << flight.error().message;
  flyOn(*flight);
  PublishedSwitch flips;
  const engine::Scene papers = flips.flip(flight->scene());

  // The technique at once, the trees when they are there
  std::uint64_t state = engine::stateHash(flight->world().ships());
  ASSERT_TRUE(flight->setTechnique(papers));
  EXPECT_EQ(engine::stateHash(flight->world().ships()), state);
  EXPECT_TRUE(flight->scene().asPublished);
  EXPECT_EQ(wordsOf(*flight), "as published, except for the trees");
  EXPECT_EQ(flight->scene().tree, "octree");
  flyOn(*flight);
  EXPECT_EQ(flight->simulation().detector().broadPhase().name(), "space-time");
  EXPECT_EQ(flight->scene().instants, engine::Instants::Earliest);

  auto rebuilt = engine::withTrees(flight->shapes(), optionsFor(papers));
  ASSERT_TRUE(rebuilt) << rebuilt.error().message;
  state = engine::stateHash(flight->world().ships());
  ASSERT_TRUE(flight->changeTrees({papers, *rebuilt}));
  EXPECT_EQ(wordsOf(*flight), "as published");
  expectChoicesTold(*flight);
  EXPECT_EQ(flight->scene().coverage, engine::TreeCoverage::Paper);
  EXPECT_EQ(flight->shapes().sphereTree(0).coverage(), Coverage::Paper);
  EXPECT_EQ(engine::stateHash(flight->world().ships()), state);
  flyOn(*flight);

  // And back, with the trees that are still in the cache
  const engine::Scene before = flips.flip(flight->scene());
  EXPECT_EQ(writeScene(before), writeScene(scene_));
  ASSERT_TRUE(flight->setTechnique(before));
  EXPECT_EQ(wordsOf(*flight), "") << "trees alone do not make it so";
  rebuilt = engine::withTrees(flight->shapes(), optionsFor(before));
  ASSERT_TRUE(rebuilt);
  ASSERT_TRUE(flight->changeTrees({before, *rebuilt}));
  EXPECT_EQ(writeScene(flight->scene()), writeScene(scene_));
  flyOn(*flight);
  EXPECT_EQ(flight->simulation().detector().broadPhase().name(), "all-pairs");
}

/// Whatever the table of settings calls published is set, or named by the key that sets the rest.
TEST_F(PublishedFlight, NamesEverySettingThatAFlightKeeps) {
  const engine::Scene usual;
  scene_.fixedStep = usual.fixedStep;
  scene_.simStep = usual.simStep;
  scene_.detectStep = usual.detectStep;
  scene_.frameMs = usual.frameMs;
  scene_.playerMass = usual.playerMass;
  scene_.playerLimits = usual.playerLimits;
  scene_.drones[0].pilot.temper = engine::Temper::Hunt;
  scene_.tighten = scene_.coherence = true;
  auto flight = begin();
  ASSERT_TRUE(flight) << flight.error().message;
  PublishedSwitch flips;
  ASSERT_TRUE(flight->setTechnique(flips.flip(flight->scene())));
  EXPECT_EQ(keptBy(*flight),
            "the time step, the detection step, frames of varying length, the target frame time, "
            "the pace of ships, the mass of your ship and the temper of drones");
  engine::Scene kept = flight->scene();
  engine::copyTrees(published(), kept);
  std::string words = keptBy(*flight);
  EXPECT_EQ(engine::unpublishedSettings(kept).size(),
            static_cast<std::size_t>(std::ranges::count(words, ',')) + 2u);
  EXPECT_EQ(words.find("a setting"), std::string::npos);
}

TEST_F(PublishedFlight, LeavesNoPairWaitingHoweverShortTheTime) {
  scene_.drones[0].count = 12;
  scene_.arena.radius = 4.0;
  scene_.broad = "all-pairs";
  auto flight = begin();
  ASSERT_TRUE(flight) << flight.error().message;
  struct Waited {
    std::uint32_t pairs = 0, collisions = 0, atBounds = 0;
  };
  const auto flyShort = [&flight] {
    engine::FrameInput input;
    input.dt = input.detectStep = 1.0 / 60.0;
    input.detectionBudget = Clock::Duration{};
    Waited waited;
    for (int frame = 0; frame < 600; ++frame) {
      input.importance = flight->scene().importance;
      input.response = flight->scene().response;
      const engine::FrameOutput& out = flight->advance(input);
      waited.pairs += out.profile.pairsPostponed;
      waited.collisions += static_cast<std::uint32_t>(out.collisions.size());
      waited.atBounds += out.profile.collisions[0];
    }
    return waited;
  };
  EXPECT_GT(flyShort().pairs, 100u) << "before";
  PublishedSwitch flips;
  ASSERT_TRUE(flight->setTechnique(flips.flip(flight->scene())));
  const Waited papers = flyShort();
  EXPECT_EQ(papers.pairs, 0u);
  EXPECT_GT(papers.collisions, 5u);
  EXPECT_EQ(papers.atBounds, 0u);
  ASSERT_TRUE(flight->setTechnique(flips.flip(flight->scene())));
  EXPECT_GT(flyShort().pairs, 100u) << "and back";
}

TEST_F(PublishedFlight, ChangesNothingForATechniqueThatThereIsNot) {
  auto flight = begin();
  ASSERT_TRUE(flight) << flight.error().message;
  engine::Scene wrong = published();
  wrong.broad = "space-tim";
  const std::string before = writeScene(flight->scene());
  EXPECT_FALSE(flight->setTechnique(wrong));
  EXPECT_EQ(writeScene(flight->scene()), before);
}

}  // namespace
}  // namespace nearmiss::app::fly
