// SPDX-License-Identifier: MIT
#include <engine/model/shape_set.h>
#include <engine/record/record_head.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/broad_phases.h>
#include <nearmiss/sphere_tree_io.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "support/files.h"
#include "support/meshes.h"
#include "support/same_tree.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asObj;
using nearmiss::test::readText;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

class Shapes : public testing::Test {
 protected:
  Shapes() {
    files_ = {writeText(folder_ / "torus.obj", asObj(test::torus(8, 6))),
              writeText(folder_ / "star.obj", asObj(test::spikyStar(3, 6, 8)))};
    options_.cacheFolder = folder_ / "cache";
    options_.treeBuilder = "octree";  // the quickest
    options_.tree.levels = 2;
  }

  std::shared_ptr<const ShapeSet> build() const {
    auto set = buildShapeSet(files_, options_);
    EXPECT_TRUE(set) << set.error().message;
    return set ? *set : nullptr;
  }

  /// The cache files whose names end so.
  std::vector<fs::path> cached(const std::string& ending) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(options_.cacheFolder))
      if (entry.path().extension() == ending) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }

  static bool sameTrees(const ShapeSet& a, const ShapeSet& b) {
    for (std::uint32_t i = 0; i < a.shapes().size(); ++i) {
      const ShapeId id{i};
      if (!nearmiss::test::same(a.sphereTree(id).data(), b.sphereTree(id).data())) return false;
      const BspTree *planesA = a.collision()[id].bspTree(), *planesB = b.collision()[id].bspTree();
      if (!planesA || !planesB || planesA->nodes().size() != planesB->nodes().size()) return false;
    }
    return true;
  }

  TemporaryFolder folder_;
  std::vector<fs::path> files_;
  ShapeOptions options_;
};

TEST_F(Shapes, AreBuiltOnceAndThenReadFromTheCache) {
  const auto first = build();
  ASSERT_TRUE(first);
  ASSERT_EQ(first->shapes().size(), 2u);
  EXPECT_EQ(first->shapes()[0].name, "torus");
  EXPECT_EQ(first->collision().size(), 2u);
  EXPECT_TRUE(first->hasBspTrees());
  EXPECT_GT(first->shapes()[0].treeSeconds, 0.0);
  EXPECT_EQ(cached(".spheretree").size(), 2u);
  EXPECT_EQ(cached(".bsptree").size(), 2u);

  const auto second = build();
  ASSERT_TRUE(second);
  for (const LoadedShape& shape : second->shapes()) {
    EXPECT_EQ(shape.treeSeconds, 0.0);
    EXPECT_EQ(shape.bspSeconds, 0.0);
    EXPECT_THAT(shape.notes, IsEmpty());
  }
  EXPECT_TRUE(sameTrees(*first, *second));

  options_.rebuild = true;
  const auto third = build();
  ASSERT_TRUE(third);
  EXPECT_GT(third->shapes()[0].treeSeconds, 0.0);
  EXPECT_TRUE(sameTrees(*first, *third));
}

TEST_F(Shapes, OtherSettingsAreOtherTrees) {
  build();
  options_.tree.levels = 3;
  const auto deeper = build();
  ASSERT_TRUE(deeper);
  EXPECT_GT(deeper->shapes()[0].treeSeconds, 0.0);
  EXPECT_EQ(deeper->sphereTree(ShapeId{0}).levelCount(), 4);
  EXPECT_EQ(cached(".spheretree").size(), 4u);
}

TEST_F(Shapes, AChangedModelIsAnotherModel) {
  build();
  writeText(files_[0], asObj(test::torus(9, 6)));
  const auto changed = build();
  ASSERT_TRUE(changed);
  EXPECT_GT(changed->shapes()[0].treeSeconds, 0.0);
  EXPECT_EQ(changed->shapes()[1].treeSeconds, 0.0);
}

TEST_F(Shapes, DamagedCacheFilesAreRebuiltWithANote) {
  const auto first = build();
  ASSERT_TRUE(first);
  for (const char* ending : {".spheretree", ".bsptree"}) {
    SCOPED_TRACE(ending);
    const fs::path victim = cached(ending).back();
    const std::string whole = readText(victim);
    std::string flipped = whole;
    flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
    for (const std::string& damaged :
         {flipped, whole.substr(0, whole.size() / 2), std::string(), std::string("NEARMISS")}) {
      writeText(victim, damaged);
      const auto again = build();
      ASSERT_TRUE(again);
      EXPECT_TRUE(sameTrees(*first, *again));
      EXPECT_THAT(again->shapes()[0].notes.size() + again->shapes()[1].notes.size(), 1u);
      for (const LoadedShape& shape : again->shapes())
        for (const std::string& note : shape.notes)
          EXPECT_THAT(note, HasSubstr("the tree was built anew"));
      EXPECT_EQ(readText(victim).size(), whole.size());
    }
  }
}

/// Whole and with the right key, but around another mesh: only geometry differs.
TEST_F(Shapes, CachedTreesOfAnotherMeshAreRebuiltWithANote) {
  const auto first = build();
  ASSERT_TRUE(first);
  TriangleMesh mesh = first->polyhedron(ShapeId{0}).mesh();
  for (Vec3& p : mesh.positions) p *= 1.5;
  const Polyhedron other(std::move(mesh));
  const std::uint64_t meshHash = first->polyhedron(ShapeId{0}).hash();
  const fs::path sphereFile = cached(".spheretree").back(), bspFile = cached(".bsptree").back();
  auto contents = readSphereTree(sphereFile);
  ASSERT_TRUE(contents);
  ASSERT_EQ(contents->key.meshHash, meshHash) << "the torus comes last";
  contents->tree = *buildOctreeSphereTree(other, options_.tree);
  ASSERT_TRUE(writeSphereTree(sphereFile, *contents));
  ASSERT_TRUE(writeBspTree(bspFile, meshHash, hashOf(BspSettings()), *buildBspTree(other)));
  const auto again = build();
  ASSERT_TRUE(again);
  EXPECT_TRUE(sameTrees(*first, *again));
  EXPECT_THAT(again->shapes()[0].notes,
              UnorderedElementsAre(HasSubstr("the sphere tree: it was built around another mesh"),
                                   HasSubstr("the BSP tree: it was built around another mesh")));
  EXPECT_THAT(build()->shapes()[0].notes, IsEmpty());
}

TEST_F(Shapes, AreBuiltEvenIfNothingCanBeKept) {
  options_.cacheFolder = writeText(folder_ / "file", "") / "below";
  const auto set = build();
  ASSERT_TRUE(set);
  EXPECT_THAT(set->shapes()[0].notes, Contains(HasSubstr("cannot keep trees")));
}

TEST_F(Shapes, DoNotDependOnTheNumberOfJobs) {
  options_.rebuild = true;
  options_.jobs = 1;
  const auto one = build();
  options_.jobs = 5;
  const auto five = build();
  ASSERT_TRUE(one && five);
  EXPECT_TRUE(sameTrees(*one, *five));
}

TEST_F(Shapes, HaveTreesOfTheDefaultBuilderUnlessTheyAreToHaveOthers) {
  const ShapeOptions fresh;
  EXPECT_EQ(fresh.treeBuilder, defaultSphereTreeBuilder);
  options_.treeBuilder = fresh.treeBuilder;
  const auto set = build();
  ASSERT_TRUE(set);
  const auto expected = buildSphereTree(*findSphereTreeBuilder(defaultSphereTreeBuilder),
                                        set->polyhedron(ShapeId{1}), options_.tree);
  ASSERT_TRUE(expected);
  EXPECT_TRUE(test::same(set->sphereTree(ShapeId{1}).data(), expected->data()));
}

TEST_F(Shapes, PassOnTheLoadersWarningsAndErrors) {
  TriangleMesh open = test::sphere();
  open.triangles.pop_back();
  writeText(files_[1], asObj(open));
  const auto set = build();
  ASSERT_TRUE(set);
  EXPECT_THAT(set->shapes()[1].notes, Contains(HasSubstr("not closed")));
  files_.push_back(folder_ / "missing.obj");
  const auto none = buildShapeSet(files_, options_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  options_.treeBuilder = "octre";
  const auto unknown = buildShapeSet(files_, options_);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("Did you mean \"octree\"?"));
}

TEST_F(Shapes, CanBeCancelled) {
  BuildProgress progress;
  progress.cancelled = true;
  const auto set = buildShapeSet(files_, options_, &progress);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, ErrorCode::Cancelled);

  // In the middle of a build that would take long, from another thread
  writeText(files_[0], asObj(test::spikyStar(1, 60, 90)));
  options_.tree.levels = 7;
  BuildProgress live;
  const std::jthread canceller([&live] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    live.cancelled = true;
  });
  const auto late = buildShapeSet(files_, options_, &live);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::Cancelled);
  EXPECT_FALSE(fs::exists(options_.cacheFolder) && !cached(".spheretree").empty() &&
               cached(".spheretree").size() > 1);
}

/// What flies at once while the rest is built.
class StandIns : public Shapes {
 protected:
  StandIns() {
    options_.treeBuilder = "variational";
    options_.standIn = "octree";
    options_.bspTrees = engine::BspTrees::FromCache;
    whole_ = options_;
    whole_.standIn.clear();
    whole_.bspTrees = engine::BspTrees::Build;
  }
  ShapeOptions whole_;
};

TEST_F(StandIns, FlyWhereTheCacheHasNothing) {
  const auto first = build();
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->allBuiltBy("octree"));
  EXPECT_FALSE(first->hasBspTrees());
  EXPECT_FALSE(first->hasBspTrees());
  const auto detector = makeDetector("all-pairs", "bsp", *first);
  ASSERT_FALSE(detector);
  EXPECT_THAT(detector.error().message, HasSubstr("not built yet"));
  EXPECT_TRUE(makeDetector("all-pairs", "sphere-tree", *first));

  // With one model in the cache the other alone has a stand-in
  ASSERT_TRUE(buildShapeSet(std::span(files_).first(1), whole_));
  const auto mixed = build();
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->shapes()[0].treeBuilder, "variational");
  EXPECT_EQ(mixed->shapes()[1].treeBuilder, "octree");
  EXPECT_FALSE(mixed->hasBspTrees());

  ASSERT_TRUE(buildShapeSet(files_, whole_));
  const auto all = build();
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->allBuiltBy("variational"));
  EXPECT_TRUE(all->hasBspTrees());
}

TEST_F(StandIns, GiveWayToTheTreesThatAreWanted) {
  const auto first = build();
  ASSERT_TRUE(first);
  const std::size_t before = first->sphereTree(ShapeId{0}).data().packs.size();
  const auto grown = withTrees(*first, whole_);
  ASSERT_TRUE(grown) << grown.error().message;
  EXPECT_TRUE((*grown)->sharesBodiesWith(*first));
  EXPECT_EQ(&(*grown)->polyhedron(ShapeId{1}), &first->polyhedron(ShapeId{1}));
  EXPECT_TRUE((*grown)->allBuiltBy("variational"));
  EXPECT_TRUE((*grown)->hasBspTrees());
  EXPECT_GT((*grown)->shapes()[0].treeSeconds, 0.0);
  // What was in use stays as it was
  EXPECT_TRUE(first->allBuiltBy("octree"));
  EXPECT_EQ(first->sphereTree(ShapeId{0}).data().packs.size(), before);

  // The same as if it had been built so from the start, and kept
  const auto direct = buildShapeSet(files_, whole_);
  ASSERT_TRUE(direct);
  EXPECT_EQ((*direct)->shapes()[0].treeSeconds, 0.0);
  EXPECT_FALSE((*direct)->sharesBodiesWith(*first));
  EXPECT_TRUE(sameTrees(**direct, **grown));

  // What is there already is shared, not read again
  std::filesystem::remove_all(options_.cacheFolder);
  const auto same = withTrees(**grown, whole_);
  ASSERT_TRUE(same);
  EXPECT_EQ((*same)->collision()[ShapeId{0}].bspTree(),
            (*grown)->collision()[ShapeId{0}].bspTree());
  EXPECT_EQ((*same)->shapes()[0].treeSeconds, 0.0);
  EXPECT_FALSE(fs::exists(options_.cacheFolder));
}

/// Of the same builder, but without what the others get besides their spheres.
TEST_F(StandIns, GiveWayToTreesOfTheirOwnBuilderWithBoxes) {
  whole_.treeBuilder = "octree";
  whole_.tree.nodeBoxRatio = 2.0;
  const auto first = build();
  ASSERT_TRUE(first);
  const std::uint64_t bare = hashOf("octree", options_.tree);
  const std::uint64_t boxed = hashOf("octree", whole_.tree);
  EXPECT_TRUE(first->allHave(bare));
  EXPECT_FALSE(first->allHave(boxed));
  EXPECT_TRUE(first->sphereTree(ShapeId{0}).data().boxes.empty());
  const auto grown = withTrees(*first, whole_);
  ASSERT_TRUE(grown) << grown.error().message;
  EXPECT_TRUE((*grown)->allHave(boxed));
  EXPECT_FALSE((*grown)->sphereTree(ShapeId{0}).data().boxes.empty());
}

TEST_F(StandIns, AreNamedInRecordsByTheirOwnSettings) {
  Scene scene;
  options_.tree = treeSettings(scene);
  ASSERT_GT(options_.tree.nodeBoxRatio, 0.0);
  const auto first = build();
  ASSERT_TRUE(first);
  SphereTreeSettings plain = options_.tree;
  plain.nodeBoxRatio = 0.0;
  plain.innerSpheres = 0;
  plain.workers = 1;
  const auto head = recordHead(scene, *first, "none");
  const auto tree = std::ranges::find(head, "tree", &std::pair<std::string, std::string>::first);
  ASSERT_NE(tree, head.end());
  EXPECT_EQ(tree->second, fmt::format("octree 0x{:016x}", hashOf("octree", plain)));
}

TEST_F(StandIns, StayIfTheBuildIsCancelledOrImpossible) {
  const auto first = build();
  ASSERT_TRUE(first);
  BuildProgress progress;
  progress.cancelled = true;
  const auto cancelled = withTrees(*first, whole_, &progress);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
  whole_.treeBuilder = "varational";
  const auto unknown = withTrees(*first, whole_);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("Did you mean \"variational\"?"));
  EXPECT_TRUE(first->allBuiltBy("octree"));
}

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

  std::unique_ptr<Simulation> start(Clock& clock) {
    const auto files = modelFilesOf(scene_);
    EXPECT_TRUE(files);
    files_ = *files;
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
  EXPECT_EQ(*files, files_);
  // The same file under another spelling is the same model
  scene_.drones[1].model = (folder_ / "." / "torus.obj").string();
  EXPECT_EQ(modelFilesOf(scene_)->size(), 2u);
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
    EXPECT_TRUE(std::isinf(simulation->world().mass(0)));
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      EXPECT_NEAR(glm::length(bodies[a].pose.rotation), 1.0, 1e-12);
      EXPECT_EQ(bodies[a].shape.radius(), set_->polyhedron(bodies[a].shape.id()).radius());
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_GT(glm::distance(bodies[a].pose.position, bodies[b].pose.position),
                  bodies[a].shape.radius() + bodies[b].shape.radius());
      if (a == 0) continue;
      EXPECT_LE(glm::length(bodies[a].pose.position) + bodies[a].shape.radius(),
                Arena{}.radius * (1 + 1e-12));
      EXPECT_EQ(bodies[a].shape.id(), ShapeId{a <= 6 ? 1u : 0u});
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
    hashes.insert(stateHash(simulation->world()));
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
  EXPECT_EQ(simulation->world().arena().radius, arenaOf(scene_).radius);
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
  files_ = *modelFilesOf(scene_);
  set_ = build();
  WorkClock clock;
  const auto simulation = makeSimulation(scene_, *set_, clock);
  ASSERT_FALSE(simulation);
  EXPECT_EQ(simulation.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(simulation.error().message, HasSubstr("no room for so many ships"));
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
