// SPDX-License-Identifier: MIT
/// Shapes of model files, with trees that are built once and then read from the cache.
#include <engine/model/shape_set.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/generated_shapes.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/same_tree.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::asObj;
using nearmiss::test::readText;
using nearmiss::test::writeText;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

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
  EXPECT_EQ(deeper->sphereTree(0).levelCount(), 4);
  EXPECT_EQ(cached(".spheretree").size(), 4u);
}

/// What a change of trees will have to build is known before.
TEST_F(Shapes, TellWhatIsNeitherThereNorCached) {
  const auto set = build();
  ASSERT_TRUE(set);
  EXPECT_THAT(trianglesToBuild(*set, options_), IsEmpty()) << "it has these trees";
  ShapeOptions other = options_;
  other.tree.levels = 3;
  const std::vector<std::size_t> missing = trianglesToBuild(*set, other);
  ASSERT_EQ(missing.size(), 2u);
  for (std::uint32_t i = 0; i < 2; ++i)
    EXPECT_EQ(missing[i], set->polyhedron(i).mesh().triangles.size());
  ASSERT_TRUE(withTrees(*set, other));
  EXPECT_THAT(trianglesToBuild(*set, other), IsEmpty()) << "they are in the cache now";
  other.rebuild = true;
  EXPECT_EQ(trianglesToBuild(*set, other), missing);
  other.treeBuilder.clear();
  EXPECT_THAT(trianglesToBuild(*set, other), IsEmpty()) << "it has BSP trees";
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
          EXPECT_THAT(note, HasSubstr("the tree was rebuilt"));
      EXPECT_EQ(readText(victim).size(), whole.size());
    }
  }
}

/// Whole and with the right key, but around another mesh: only geometry differs.
TEST_F(Shapes, CachedTreesOfAnotherMeshAreRebuiltWithANote) {
  const auto first = build();
  ASSERT_TRUE(first);
  TriangleMesh mesh = first->polyhedron(0).mesh();
  for (Vec3& p : mesh.positions) p *= 1.5;
  const Polyhedron other(std::move(mesh));
  const std::uint64_t meshHash = first->polyhedron(0).hash();
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
  EXPECT_THAT(set->shapes()[0].notes, Contains(HasSubstr("cannot cache trees")));
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
                                        set->polyhedron(1), options_.tree);
  ASSERT_TRUE(expected);
  EXPECT_TRUE(test::same(set->sphereTree(1).data(), expected->data()));
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

}  // namespace
}  // namespace nearmiss::engine
