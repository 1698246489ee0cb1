// SPDX-License-Identifier: MIT
/// What a search for clashes refuses, and where it ends when it is cancelled.
#include <engine/interference/interference.h>
#include <engine/interference/visit_plan.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <utility>
#include <vector>

#include "interference/clash_sorter.h"
#include "support/meshes.h"
#include "support/shapes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::box;
using nearmiss::test::cube;
using nearmiss::test::treelessShape;
using testing::HasSubstr;

/// Within one comparison too: nothing is looked at any more.
TEST(ClashSorter, HearsACancellation) {
  std::atomic<bool> cancelled{false};
  const TriangleMesh x = box({-2.0, -0.3, -0.3}, {2.0, 0.3, 0.3}),
                     y = box({-0.3, -2.0, -0.3}, {0.3, 2.0, 0.3});
  ClashSorter sorter(treelessShape(x), treelessShape(y), {}, &cancelled);
  EXPECT_EQ(sorter.sort({}, {}).kind, ClashClass::Protruding);
  cancelled = true;
  EXPECT_NE(sorter.sort({}, {}).kind, ClashClass::Protruding);

  const Polyhedron a(x), b(y), inner(cube(0.1));
  const MeshEdges edges = edgesOf(a.mesh()), none;
  const CancellationClock clock(&cancelled);
  EdgeSearch search(a, edges, b, {}, 1e-4, clock), within(inner, none, a, {}, 1e-4, clock);
  for (const bool heard : {true, false}) {
    cancelled = heard;
    for (const SurfaceSide side : {SurfaceSide::Inside, SurfaceSide::Outside}) {
      EXPECT_EQ(search.reaches(side), !heard);
      EXPECT_EQ(search.farthest(side).has_value(), !heard);
    }
    EXPECT_EQ(search.deepOnFace().has_value(), !heard);
    EXPECT_EQ(within.holdsFace(), !heard);
  }
}

TEST(LeaveOut, RefusesMorePairsThanMemoryHolds) {
  StillScene scene;
  for (int i = 0; i < 20'000; ++i) scene.objects.push_back({i % 2 ? "odd" : "even", 0, {}});
  const std::vector<SkippedNames> pairs{{"odd", "even", SkipReason::Allowed}};
  const auto all = leaveOut(pairs, scene);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::TooLarge);
  EXPECT_THAT(all.error().message, HasSubstr("more than 67108864 pairs of objects"));
  EXPECT_TRUE(scene.skipped.empty());
  scene.objects.resize(20);
  ASSERT_TRUE(leaveOut(pairs, scene));
  EXPECT_EQ(scene.skipped.size(), 100u);
}

/// All objects in one place overlap each other.
TEST(OverlapGraph, ListsNoMorePairsThanAreAllowed) {
  StillScene scene;
  scene.shapes.push_back({"cube.shape", {Vec3(-1.0), Vec3(1.0)}, 1, SolidSide::AsWound, {}});
  for (int i = 0; i < 100; ++i) scene.objects.push_back({"object", 0, {}});
  EXPECT_EQ(overlapGraph(scene).pairs.size(), 4950u);
  EXPECT_EQ(overlapGraph(scene, 0.0, 4950).pairs.size(), 4950u);
  EXPECT_EQ(overlapGraph(scene, 0.0, 30).pairs.size(), 31u);
  InterferenceSettings settings;
  settings.maxPairs = 30;
  const auto found = findInterference(scene, settings);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::TooLarge);
  EXPECT_THAT(found.error().message, HasSubstr("more than 30 pairs of objects overlap"));
}

/// The tolerance grows with the objects, however they are turned.
TEST(OverlapGraph, HasAllPairsThatRoundingMayHaveMovedApart) {
  constexpr Real half = 1e6, gap = 1.5e-3;
  StillScene scene;
  scene.shapes.push_back({"cube.shape", {Vec3(-half), Vec3(half)}, 1, SolidSide::AsWound, {}});
  const Shape shape = treelessShape(cube(half));
  for (const Real angle : {0.0, 0.7}) {
    const Quat turn = glm::angleAxis(angle, Vec3(0.0, 0.0, 1.0));
    const Pose a{Vec3(0.0), turn}, b{turn * Vec3(2.0 * half + gap, 0.0, 0.0), turn};
    scene.objects = {{"a", 0, a}, {"b", 0, b}};
    EXPECT_EQ(ClashSorter(shape, shape, {}).sort(a, b).kind, ClashClass::Touching);
    EXPECT_EQ(overlapGraph(scene, 1e-4).pairs.size(), 1u) << angle;
  }
}

}  // namespace
}  // namespace nearmiss::engine
