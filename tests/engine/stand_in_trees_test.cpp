// SPDX-License-Identifier: MIT
/// Trees that stand in while those that are wanted are built.
#include <engine/model/shape_set.h>
#include <engine/record/record_head.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "engine/generated_shapes.h"

namespace nearmiss::engine {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// Shapes that fly at once while the rest is built.
class StandIns : public Shapes {
 protected:
  StandIns() {
    options_.treeBuilder = "variational";
    options_.temporaryBuilder = "octree";
    options_.bspTrees = engine::BspTrees::FromCache;
    whole_ = options_;
    whole_.temporaryBuilder.clear();
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
  const std::size_t before = first->sphereTree(0).data().packs.size();
  const auto grown = withTrees(*first, whole_);
  ASSERT_TRUE(grown) << grown.error().message;
  EXPECT_TRUE((*grown)->sharesBodiesWith(*first));
  EXPECT_EQ(&(*grown)->polyhedron(1), &first->polyhedron(1));
  EXPECT_TRUE((*grown)->allBuiltBy("variational"));
  EXPECT_TRUE((*grown)->hasBspTrees());
  EXPECT_GT((*grown)->shapes()[0].treeSeconds, 0.0);
  // Shapes in use are unchanged
  EXPECT_TRUE(first->allBuiltBy("octree"));
  EXPECT_EQ(first->sphereTree(0).data().packs.size(), before);

  // The same as if it had been built so from the start, and kept
  const auto direct = buildShapeSet(files_, whole_);
  ASSERT_TRUE(direct);
  EXPECT_EQ((*direct)->shapes()[0].treeSeconds, 0.0);
  EXPECT_FALSE((*direct)->sharesBodiesWith(*first));
  EXPECT_TRUE(sameTrees(**direct, **grown));

  // Existing shapes are shared, not read again
  std::filesystem::remove_all(options_.cacheFolder);
  const auto same = withTrees(**grown, whole_);
  ASSERT_TRUE(same);
  EXPECT_EQ((*same)->collision()[0].bspTree(), (*grown)->collision()[0].bspTree());
  EXPECT_EQ((*same)->shapes()[0].treeSeconds, 0.0);
  EXPECT_FALSE(fs::exists(options_.cacheFolder));
}

/// Trees of the same builder, but without additions to the spheres.
TEST_F(StandIns, GiveWayToTreesOfTheirOwnBuilderWithBoxes) {
  whole_.treeBuilder = "octree";
  whole_.tree.nodeBoxRatio = 2.0;
  const auto first = build();
  ASSERT_TRUE(first);
  const std::uint64_t bare = hashOf("octree", options_.tree);
  const std::uint64_t boxed = hashOf("octree", whole_.tree);
  EXPECT_TRUE(first->allHave(bare));
  EXPECT_FALSE(first->allHave(boxed));
  EXPECT_TRUE(first->sphereTree(0).data().boxes.empty());
  const auto grown = withTrees(*first, whole_);
  ASSERT_TRUE(grown) << grown.error().message;
  EXPECT_TRUE((*grown)->allHave(boxed));
  EXPECT_FALSE((*grown)->sphereTree(0).data().boxes.empty());
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
  const auto head = recordHead("unknown", scene, *first, "none");
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

}  // namespace
}  // namespace nearmiss::engine
