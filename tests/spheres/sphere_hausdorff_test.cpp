// SPDX-License-Identifier: MIT
/// H of a sphere, its Hausdorff distance: never below the true value, hardly above it; and its
/// certificate.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

class EveryMeshMeasured : public testing::TestWithParam<std::size_t> {
 protected:
  /// Looks at random points of every sphere, those inside of the solid left out where `outside` is
  /// said: none may be farther from the surface than `boundOf(id)`. Returns how near the farthest
  /// came to the bounds, as a mean over the level where that is least.
  Real minShareOf(const SphereTree& tree, bool outside, int points, const auto& boundOf) const {
    Random random(GetParam());
    std::vector<SphereId> spheres;
    Real least = 1.0;
    for (int level = 0; level < tree.levelCount(); ++level) {
      tree.spheresOf(level, spheres);
      Real shares = 0.0;
      for (const SphereId id : spheres) {
        const Sphere sphere = tree.sphere(id);
        Real farthest = 0.0;
        for (int i = 0; i < points; ++i) {
          const Real depth = i % 2 == 0 ? 1.0 : std::cbrt(random.unit());
          const Vec3 point = sphere.centre + random.direction() * (sphere.radius * depth);
          if (outside && polyhedron_.contains(point)) continue;
          const Real distance = polyhedron_.nearest(point).distance;
          EXPECT_LE(distance, boundOf(id) * (1.0 + 1e-12)) << "sphere " << id;
          farthest = std::max(farthest, distance);
        }
        shares += farthest / boundOf(id);
      }
      least = std::min(least, shares / static_cast<Real>(spheres.size()));
    }
    return least;
  }
  Polyhedron polyhedron_{test::variousMeshes()[GetParam()]};
};

TEST_P(EveryMeshMeasured, IsNowhereFartherThanH) {
  const SphereTree tree = *buildOctreeSphereTree(polyhedron_, {.levels = 2});
  const Real share =
      minShareOf(tree, false, test::cases(60), [&tree](SphereId id) { return tree.hausdorff(id); });
  // The samples come close: the bound is not merely large
  EXPECT_GT(share, 0.6);
}

TEST_P(EveryMeshMeasured, KeepsTheToleranceAskedFor) {
  const SphereTree coarse = *buildOctreeSphereTree(polyhedron_, {.levels = 1});
  const SphereTree fine =
      *buildOctreeSphereTree(polyhedron_, {.levels = 1, .hausdorffTolerance = 0.001});
  std::vector<SphereId> spheres;
  for (int level = 0; level < coarse.levelCount(); ++level) {
    coarse.spheresOf(level, spheres);
    for (const SphereId id : spheres) {
      const Real r = coarse.sphere(id).radius;
      // The finer one lies between the true value and a thousandth of r above it
      EXPECT_LE(coarse.hausdorff(id), fine.hausdorff(id) + 0.02 * r + 1e-6 * r);
      EXPECT_GE(coarse.hausdorff(id), fine.hausdorff(id) - 0.001 * r - 1e-6 * r);
    }
  }
}

TEST_P(EveryMeshMeasured, IsNowhereOutsideOfTheSolidFartherThanHo) {
  const SphereTree tree =
      *buildSphereTree(*findSphereTreeBuilder("octree"), polyhedron_, {.levels = 2});
  ASSERT_EQ(tree.boundsSolid(), polyhedron_.report().solid());
  if (!tree.boundsSolid()) {
    EXPECT_EQ(tree.outside(0), tree.hausdorff(0));
    return;
  }
  for (SphereId id = 0; id < tree.data().outside.size(); ++id)
    ASSERT_LE(tree.outside(id), tree.hausdorff(id));
  const Real share =
      minShareOf(tree, true, test::cases(400), [&tree](SphereId id) { return tree.outside(id); });
  EXPECT_GT(share, 0.4);
}

INSTANTIATE_TEST_SUITE_P(, EveryMeshMeasured,
                         testing::Range<std::size_t>(0, test::variousMeshes().size()));

TEST(SphereHausdorffTest, OfTheBallAroundACubeIsItsDepth) {
  // The centre of the cube of edge 2 is 1 from its faces; outside, the ball of radius sqrt 3 is
  // nowhere farther than sqrt 3 - 1. The sphere's surface alone would miss the centre.
  const Polyhedron polyhedron(test::cube());
  const SphereTree tree =
      *buildOctreeSphereTree(polyhedron, {.levels = 1, .hausdorffTolerance = 1e-3});
  EXPECT_GE(tree.hausdorff(0), 1.0);
  EXPECT_LE(tree.hausdorff(0), 1.0 + 1e-3 * std::sqrt(3.0) + 1e-6);
}

TEST(SphereHausdorffTest, OutsideOfACubeIsTheHeightOfTheBallAboveAFace) {
  const Polyhedron polyhedron(test::cube());
  const SphereTree tree = *buildSphereTree(*findSphereTreeBuilder("octree"), polyhedron,
                                           {.levels = 1, .hausdorffTolerance = 1e-3});
  const Real height = std::sqrt(3.0) - 1.0;
  EXPECT_GE(tree.outside(0), height);
  EXPECT_LE(tree.outside(0), height + 1e-3 * std::sqrt(3.0) + 1e-6);
}

TEST(SphereHausdorffTest, OfASphereOnAFlatTriangleIsItsRadius) {
  // The disk in the plane lies well inside the triangle, so the poles are farthest
  const TriangleMesh mesh{{{-100, -100, 0}, {100, -100, 0}, {0, 200, 0}}, {{0, 1, 2}}};
  const Polyhedron polyhedron(mesh);
  const SphereTree tree = *buildOctreeSphereTree(polyhedron, {.hausdorffTolerance = 1e-3});
  std::vector<SphereId> spheres;
  tree.spheresOf(4, spheres);
  int inner = 0;
  for (const SphereId id : spheres) {
    const Sphere sphere = tree.sphere(id);
    if (glm::length(sphere.centre) > 40.0) continue;
    ++inner;
    const Real pole = std::abs(sphere.centre.z) + sphere.radius;
    EXPECT_GE(tree.hausdorff(id), pole * (1 - 1e-9));
    EXPECT_LE(tree.hausdorff(id), pole + 1.1e-3 * sphere.radius);
  }
  EXPECT_GT(inner, 4);
}

class Certificate : public testing::Test {
 protected:
  SphereTreeCertificate check() const { return checkSphereTree(SphereTree(data_), polyhedron_); }
  /// The leaf with the most triangles.
  SphereId someLeaf() const {
    const auto count = [this](SphereId id) {
      return data_.triangleBegin[id + 1] - data_.triangleBegin[id];
    };
    SphereId most = 0;
    for (SphereId id = 1; id + 1 < data_.triangleBegin.size(); ++id)
      if (count(id) > count(most)) most = id;
    return most;
  }

  Polyhedron polyhedron_{test::torus(8, 6)};
  SphereTree::Data data_ = buildOctreeSphereTree(polyhedron_, {.levels = 2})->data();
};

TEST_F(Certificate, IsGivenToAGoodTree) {
  const SphereTreeCertificate verdict = check();
  EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
}

TEST_F(Certificate, IsRefusedWhenASphereShrinks) {
  const SphereId leaf = someLeaf();
  data_.packs[leaf / 8].r[leaf % 8] *= 0.5f;
  const SphereTreeCertificate verdict = check();
  EXPECT_FALSE(verdict.covers);
  EXPECT_GT(verdict.uncoveredPieces, 0u);
  EXPECT_NE(verdict.complaint, "");
}

TEST_F(Certificate, IsRefusedWhenAnInnerSphereMoves) {
  data_.packs[1].x[0] += 0.5f;
  EXPECT_FALSE(check().covers);
}

TEST_F(Certificate, IsRefusedWhenATriangleIsForgotten) {
  // In one of its leaves only, the spheres of its other leaves may make up for it
  std::replace(data_.leafTriangles.begin(), data_.leafTriangles.end(), 7u, 8u);
  EXPECT_FALSE(check().covers);
}

TEST_F(Certificate, IsRefusedWhenAnHIsTooSmall) {
  data_.links[2].hausdorff[0] *= 0.9f;
  const SphereTreeCertificate verdict = check();
  EXPECT_TRUE(verdict.covers);
  EXPECT_FALSE(verdict.bounds);
  EXPECT_EQ(verdict.brokenBounds, 1u);
  EXPECT_NE(verdict.complaint, "");
}

TEST_F(Certificate, IsRefusedWhenAnHoIsTooSmall) {
  data_ = buildSphereTree(*findSphereTreeBuilder("octree"), polyhedron_, {.levels = 2})->data();
  ASSERT_TRUE(check().bounds) << check().complaint;
  data_.outside[2 * SpherePack::width] *= 0.9f;
  const SphereTreeCertificate verdict = check();
  EXPECT_TRUE(verdict.covers);
  EXPECT_EQ(verdict.brokenBounds, 1u);
  EXPECT_NE(verdict.complaint.find("outside of the solid"), std::string::npos);
}

TEST(CertificateOfASheet, IsRefusedWhenItSpeaksOfASolid) {
  const Polyhedron polyhedron(test::openTorus());
  SphereTree::Data data = buildOctreeSphereTree(polyhedron, {.levels = 1})->data();
  for (const SphereLinks& links : data.links)
    data.outside.insert(data.outside.end(), links.hausdorff, links.hausdorff + SpherePack::width);
  EXPECT_FALSE(checkSphereTree(SphereTree(data), polyhedron).bounds);
}

TEST_F(Certificate, IsRefusedToAMalformedTree) {
  data_.links[0].childPack[0] = 0;
  if (test::hasAssertions) {
    // There can be no such tree
    EXPECT_DEATH(check(), "validate");
    return;
  }
  const SphereTreeCertificate verdict = check();
  EXPECT_FALSE(verdict.covers || verdict.bounds);
  EXPECT_NE(verdict.complaint, "");
}

}  // namespace
}  // namespace nearmiss
