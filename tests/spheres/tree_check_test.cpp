// SPDX-License-Identifier: MIT
/// The check of a tree in a heap of large triangles: as strict as an exact search, and cancellable.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "spheres/coverage.h"
#include "spheres/hausdorff.h"
#include "spheres/usual_size.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// A heap of large triangles, where the nearest one is hard to find, with some bounds spoiled:
/// those that an exact search refutes are found, and no others.
TEST(TreeCheck, FindsTheBoundsThatAnExactSearchRefutes) {
  const Polyhedron polyhedron(test::heap(60, 5));
  const SphereTree tree = *buildOctreeSphereTree(polyhedron, {.levels = 2});
  ASSERT_TRUE(checkSphereTree(tree, polyhedron).bounds);
  SphereTree::Data data = tree.data();
  Random random(41);
  FarthestPointSearch exact(polyhedron);
  std::vector<SphereId> spheres;
  std::size_t broken = 0, slightly = 0;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    for (const SphereId id : spheres) {
      const Sphere ball = tree.sphere(id);
      const Real truth = exact.search(ball, 1e-5 * ball.radius).atLeast;
      const bool low = random.chance(0.2), close = random.chance(0.2);
      if (!low && !close) continue;
      float& stored = data.links[id / SpherePack::width].hausdorff[id % SpherePack::width];
      stored = static_cast<float>(truth * (low ? 0.95 : 1.0 + 1e-3));
      broken += low;
      slightly += !low;
    }
  }
  ASSERT_GT(broken, 10u);
  ASSERT_GT(slightly, 5u);
  const SphereTreeCertificate verdict = checkSphereTree(SphereTree(data), polyhedron);
  EXPECT_EQ(verdict.brokenBounds, broken);
  EXPECT_FALSE(verdict.bounds);
}

TEST(CoverageChains, ProveNothingOnceCancelled) {
  const Polyhedron polyhedron(test::cube());
  const SphereTree tree = *buildOctreeSphereTree(polyhedron, {.levels = 3});
  std::atomic<bool> cancelled{false};
  CoverageChains chains(tree, polyhedron.mesh(), &cancelled);
  Vec3 where(0.0);
  EXPECT_EQ(chains.uncovered(0, 1000, where), 0u);
  cancelled = true;
  std::size_t reported = 0;
  EXPECT_EQ(chains.uncovered(0, 1000, where,
                             [&](const Triangle&, std::span<const SphereId>) { ++reported; }),
            1u);
  EXPECT_EQ(reported, 0u);
}

/// A tree of one triangle, all of whose spheres are this one.
SphereTree treeOfOneSphere(const Polyhedron& polyhedron, float radius) {
  SphereTree::Data data = buildOctreeSphereTree(polyhedron, {.levels = 2})->data();
  for (SpherePack& pack : data.packs)
    for (int lane = 0; lane < SpherePack::width; ++lane) {
      if (pack.r[lane] < 0.0f) continue;  // no sphere is there
      pack.x[lane] = pack.y[lane] = pack.z[lane] = 0.0f;
      pack.r[lane] = radius;
    }
  return SphereTree(data);
}

TEST(CoverageChains, DoNotCountACornerOnTheSphere) {
  const Polyhedron polyhedron(TriangleMesh{{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}}, {{0, 1, 2}}});
  const SphereTree tight = treeOfOneSphere(polyhedron, 1.0f);
  const SphereTree wider = treeOfOneSphere(polyhedron, std::nextafter(1.0f, 2.0f));
  Vec3 where(0.0);
  EXPECT_GT(CoverageChains(tight, polyhedron.mesh()).uncovered(0, 10, where), 0u);
  EXPECT_NEAR(glm::length(where), 1.0, 1e-9);
  EXPECT_EQ(CoverageChains(wider, polyhedron.mesh()).uncovered(0, 10, where), 0u);
}

/// Directly below the root all leaves have a chain: that of the leaf in which the piece lies
/// deepest is told.
TEST(CoverageChains, TellTheDeepestLeaf) {
  const Polyhedron polyhedron(test::torus(12, 8));
  SphereTree::Data data = buildOctreeSphereTree(polyhedron, {.levels = 1})->data();
  Random random(12);
  for (std::size_t pack = 1; pack < data.packs.size(); ++pack)
    for (float& radius : data.packs[pack].r) radius *= static_cast<float>(random.between(1.0, 2.0));
  data.packs[0].r[0] *= 2.0f;
  const SphereTree tree(data);
  // Below 0 inside
  const auto powerOf = [&tree](const Triangle& piece, SphereId leaf) {
    const Sphere ball = tree.sphere(leaf);
    Real farthest = 0.0;
    for (const Vec3& corner : piece)
      farthest = std::max(farthest, glm::distance(corner, ball.centre));
    return farthest * farthest - ball.radius * ball.radius;
  };
  CoverageChains chains(tree, polyhedron.mesh());
  std::size_t told = 0, choices = 0;
  for (std::uint32_t t = 0; t < polyhedron.mesh().triangles.size(); ++t) {
    const auto report = [&](const Triangle& piece, std::span<const SphereId> chain) {
      ASSERT_EQ(chain.size(), 2u);
      Real deepest = 0.0;
      for (const SphereId leaf : chains.leavesOf(t)) {
        deepest = std::min(deepest, powerOf(piece, leaf));
        choices += leaf != chain[0] && powerOf(piece, leaf) < 0.0;
      }
      EXPECT_EQ(powerOf(piece, chain[0]), deepest);
      ++told;
    };
    Vec3 where(0.0);
    EXPECT_EQ(chains.uncovered(t, 1, where, report), 0u);
  }
  EXPECT_GT(told, 100u);
  EXPECT_GT(choices, 50u);
}

/// What it has is no more than what it stores, in as many digits as that takes.
TEST(TreeCheck, NamesDistancesThatTellApart) {
  const Polyhedron polyhedron(test::cube(1e-8));
  const SphereTree tree = *buildOctreeSphereTree(polyhedron, {.levels = 2});
  SphereTree::Data data = tree.data();
  data.links[0].hausdorff[0] *= 0.5f;
  const std::string complaint = checkSphereTree(SphereTree(data), polyhedron).complaint;
  EXPECT_NE(complaint.find("sphere 0 has a point "), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("e-0"), std::string::npos) << complaint;
  EXPECT_EQ(complaint.find("0.000000"), std::string::npos) << complaint;
}

TEST(TreeCheck, CanBeCancelledAndShowsItsProgress) {
  const Polyhedron polyhedron(test::heap(400, 6));
  const SphereTree tree = *buildOctreeSphereTree(polyhedron, {.levels = 3});
  BuildProgress progress;
  const auto whole = checkSphereTree(tree, polyhedron, progress);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->covers && whole->bounds);
  EXPECT_EQ(progress.stage, BuildStage::Done);
  EXPECT_EQ(progress.fraction, 1.0f);
  // In the midst of its longest stage; a thread that wakes too late tries again
  ErrorCode code{};
  for (int attempt = 0; attempt < 100 && code != ErrorCode::Cancelled; ++attempt) {
    BuildProgress stopped;
    std::thread other([&] {
      while (stopped.stage != BuildStage::Hausdorff && stopped.stage != BuildStage::Done)
        std::this_thread::yield();
      stopped.cancelled = true;
    });
    const auto none = checkSphereTree(tree, polyhedron, stopped);
    other.join();
    if (!none) code = none.error().code;
  }
  EXPECT_EQ(code, ErrorCode::Cancelled);
  BuildProgress stopped;
  stopped.cancelled = true;
  // Also while a mesh is brought to a usual size
  EXPECT_TRUE(scaledBy(polyhedron, 1, nullptr));
  EXPECT_EQ(scaledBy(polyhedron, 1, &stopped.cancelled).error().code, ErrorCode::Cancelled);
  for (const auto& none : {checkSphereTree(tree, polyhedron, stopped),
                           checkAgainstNearby(tree, polyhedron, 0.0, stopped)}) {
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(none.error().message, "the check was cancelled");
  }
}

}  // namespace
}  // namespace nearmiss
