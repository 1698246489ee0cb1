// SPDX-License-Identifier: MIT
/// Coverage by whole levels: what the builder promises, what the certificate says of trees that
/// lack something, and what a search makes of them.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <vector>

#include "builders/medial.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/random.h"
#include "support/triangle_points.h"
#include "support/whole_levels.h"

namespace nearmiss {
namespace {

using test::Random;

SphereTree medial(const Polyhedron& polyhedron, Coverage coverage = Coverage::Paper) {
  return *buildMedialSphereTree(
      polyhedron, {.levels = 2, .medial = {.coverage = coverage, .surfacePoints = 150}});
}

/// The share of random points of the surface that no sphere of the level holds, worst level.
Real openShare(const SphereTree& tree, const Polyhedron& polyhedron, int count) {
  Random random(5);
  Real worst = 0.0;
  for (const std::vector<Sphere>& level : test::wholeLevels(tree)) {
    int open = 0;
    for (int i = 0; i < count; ++i) {
      const auto& mesh = polyhedron.mesh();
      const Vec3 p = test::pointOn(random, mesh.corners(random.bits() % mesh.triangles.size()));
      open += std::none_of(level.begin(), level.end(), [&p](const Sphere& s) {
        return glm::distance(p, s.centre) <= s.radius + 1e-15 * glm::length(p);
      });
    }
    worst = std::max(worst, static_cast<Real>(open) / count);
  }
  return worst;
}

class EveryMeshByLevels : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

TEST_P(EveryMeshByLevels, IsCertifiedForWhatItsModePromises) {
  const SphereTree paper = medial(polyhedron_);
  const SphereTreeCertificate verdict = checkSphereTree(paper, polyhedron_);
  EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
  EXPECT_EQ(openShare(paper, polyhedron_, 400), 0.0);
}

TEST_P(EveryMeshByLevels, HoldsItsSamplesAndPromisesNoMore) {
  const SphereTree samples = medial(polyhedron_, Coverage::Samples);
  EXPECT_EQ(samples.coverage(), Coverage::Samples);
  EXPECT_TRUE(checkSphereTree(samples, polyhedron_).bounds);
  // The points that the builder starts with are in some sphere of every level
  const MedialAxis axis = medialAxis(polyhedron_, 150, MedialAdjacency::SameFace, nullptr);
  ASSERT_GE(axis.points.size(), 150u);
  for (const std::vector<Sphere>& level : test::wholeLevels(samples))
    for (const SurfaceSample& sample : axis.points)
      ASSERT_TRUE(std::any_of(level.begin(), level.end(), [&sample](const Sphere& s) {
        return glm::distance(sample.position, s.centre) <= s.radius;
      }));
}

INSTANTIATE_TEST_SUITE_P(, EveryMeshByLevels,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

/// Samples are the looser demand, and cost less H.
TEST(WholeLevels, SamplesLeaveGapsThatLevelsDoNot) {
  Real gaps = 0.0, samplesH = 0.0, paperH = 0.0;
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Polyhedron polyhedron(mesh);
    const SphereTree samples = medial(polyhedron, Coverage::Samples);
    const SphereTree paper = medial(polyhedron);
    const Real gap = openShare(samples, polyhedron, 2000);
    gaps += gap;
    EXPECT_LT(gap, 0.2);
    EXPECT_EQ(openShare(paper, polyhedron, 2000), 0.0);
    samplesH += levelReports(samples)[2].hausdorffMean;
    paperH += levelReports(paper)[2].hausdorffMean;
  }
  EXPECT_GT(gaps, 0.0);
  EXPECT_LT(samplesH, paperH);
}

/// Whatever sphere shrinks or goes, of any level: the certificate sees it where points are open.
TEST(WholeLevels, TheCertificateMissesNoSphere) {
  int damaged = 0, seen = 0, sampled = 0;
  for (const TriangleMesh& mesh : {test::torus(10, 6), test::comb(), test::bedOfNails()}) {
    const Polyhedron polyhedron(mesh);
    const SphereTree whole = medial(polyhedron);
    ASSERT_TRUE(checkSphereTree(whole, polyhedron).covers);
    std::vector<SphereId> ids;
    for (int level = 0; level < whole.levelCount(); ++level) {
      whole.spheresOf(level, ids);
      for (std::size_t i = 0; i < ids.size(); i += level == 2 ? 5 : 1) {
        SphereTree::Data data = whole.data();
        data.packs[ids[i] / 8].r[ids[i] % 8] *= i % 2 == 0 ? 0.8f : 0.01f;
        const SphereTree tree(data);
        const bool open = openShare(tree, polyhedron, 500) > 0.0;
        const SphereTreeCertificate verdict = checkSphereTree(tree, polyhedron);
        EXPECT_TRUE(!open || !verdict.covers) << "level " << level << " sphere " << ids[i];
        EXPECT_EQ(verdict.covers, verdict.uncoveredPieces == 0);
        EXPECT_EQ(verdict.covers, verdict.complaint.empty());
        ++damaged;
        seen += !verdict.covers;
        sampled += open;
      }
    }
  }
  EXPECT_GT(seen, damaged / 2);
  EXPECT_GT(sampled, damaged / 4);
  EXPECT_GE(seen, sampled);
}

/// Meshes within the slack of the tree's own are covered and bounded; others are detected.
TEST(WholeLevels, HoldForAMeshNearbyWithinTheSlackAlone) {
  constexpr Real slack = 1e-3;
  Random random(7);
  int open = 0, loose = 0;
  for (const TriangleMesh& mesh : test::variousMeshes())
    for (const SphereTree& tree :
         {*buildVariationalSphereTree(Polyhedron(mesh), {.levels = 2}), medial(Polyhedron(mesh))}) {
      TriangleMesh moved = test::loose(mesh);
      for (Vec3& p : moved.positions) p += slack * random.direction();
      const Polyhedron nearby(moved);
      const SphereTreeCertificate within = checkAgainstNearby(tree, nearby, slack);
      EXPECT_TRUE(within.covers && within.bounds) << within.complaint;
      EXPECT_EQ(within.uncoveredPieces + within.brokenBounds, 0u);
      const SphereTreeCertificate beyond = checkAgainstNearby(tree, nearby, 0.0);
      open += !beyond.covers;
      EXPECT_EQ(beyond.covers, beyond.uncoveredPieces == 0);
      // Bounds are a per cent too large: a surface that goes away is what exceeds them
      for (Vec3& p : moved.positions) p *= 1.0 - 30.0 * slack;
      loose += !checkAgainstNearby(tree, Polyhedron(moved), slack).bounds;
    }
  EXPECT_GT(open, 8);
  EXPECT_GT(loose, 8);
}

/// Misses of a search by the tree of every mesh against brute force.
test::Comparison compare(const auto& treeOf) {
  std::vector<Polyhedron> shapes;
  std::vector<SphereTree> trees;
  for (TriangleMesh& mesh : test::variousMeshes()) {
    shapes.emplace_back(std::move(mesh));
    trees.push_back(treeOf(shapes.back()));
  }
  const std::array tried{makeSphereTreeNarrowPhase(test::borrowed(shapes, trees))};
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(shapes));
  Random random(12);
  const auto draw = [&](int i) {
    return i % 2 == 0 ? test::randomNearMissPair(random, shapes)
                      : test::grazingPair(random, shapes, *reference, 4, 10);
  };
  return test::compared(tried, *reference, test::cases(300), draw);
}

/// The tree without every fourth sphere of its first level: they shrink to nothing, so that a
/// search goes no deeper there.
SphereTree lacking(const SphereTree& tree) {
  SphereTree::Data data = tree.data();
  std::vector<SphereId> ids;
  tree.spheresOf(1, ids);
  for (std::size_t i = 0; i < ids.size(); i += 4)
    if (tree.childPackCount(ids[i]) > 0) data.packs[ids[i] / 8].r[ids[i] % 8] = 0.0f;
  return SphereTree(data);
}

TEST(WholeLevels, TreesOfThePaperMissHardlyAnyContact) {
  const test::Comparison found = compare([](const Polyhedron& p) { return medial(p); });
  RecordProperty("meeting", found.contacts);
  RecordProperty("missed", found.missed);
  EXPECT_GT(found.contacts, test::cases(300) / 4);
  EXPECT_EQ(found.invented, 0);
  EXPECT_LE(found.missed, found.contacts / 50);
  // And trees that lack a quarter of a level's spheres do not pass for them
  const test::Comparison less = compare([](const Polyhedron& p) { return lacking(medial(p)); });
  EXPECT_GT(less.missed, less.contacts / 50);
}

TEST(WholeLevels, AreNotWhatSamplesPromise) {
  const test::Comparison found =
      compare([](const Polyhedron& p) { return medial(p, Coverage::Samples); });
  RecordProperty("missed", found.missed);
  EXPECT_EQ(found.invented, 0);
  EXPECT_LE(found.missed, found.contacts / 5);
  std::vector<Polyhedron> shapes;
  shapes.emplace_back(test::comb());
  std::vector<SphereTree> trees;
  trees.push_back(medial(shapes[0], Coverage::Samples));
  const auto phase = makeSphereTreeNarrowPhase(test::borrowed(shapes, trees));
  Random random(3);
  for (int i = 0; i < 20; ++i)
    for (const Refinement& level :
         test::allLevels(*phase, test::randomNearMissPair(random, shapes)))
      EXPECT_FALSE(level.conservative);
}

}  // namespace
}  // namespace nearmiss
