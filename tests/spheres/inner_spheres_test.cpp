// SPDX-License-Identifier: MIT
/// Spheres inside a solid: that they lie inside, that deeper levels fill it better, and that
/// nothing damaged is believed.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include "oracle/distance.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

bool same(const InnerSpheres& a, const InnerSpheres& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0);
  };
  return equal(a.spheres, b.spheres) && equal(a.bounds, b.bounds) && equal(a.links, b.links) &&
         a.levelBegin == b.levelBegin;
}

class EverySolid : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::solidMeshes()[GetParam()]};
};
INSTANTIATE_TEST_SUITE_P(InnerSpheres, EverySolid, testing::Range(std::size_t{0}, std::size_t{11}));

TEST_P(EverySolid, HoldsItsSpheres) {
  const auto inner = buildInnerSpheres(polyhedron_, 100);
  ASSERT_TRUE(inner) << inner.error().message;
  ASSERT_EQ(InnerSpheres::validate(*inner), nullptr);
  ASSERT_GE(inner->levelCount(), 2);
  std::string complaint;
  EXPECT_EQ(checkInnerSpheres(*inner, polyhedron_, complaint), 0u) << complaint;
  // By features of triangles, with no help from the library but the sign of the centre
  for (int level = 0; level < inner->levelCount(); ++level)
    for (const Sphere& sphere : inner->spheresOf(level)) {
      ASSERT_TRUE(polyhedron_.contains(sphere.centre));
      Real nearest = std::numeric_limits<Real>::infinity();
      for (std::size_t t = 0; t < polyhedron_.mesh().triangles.size(); ++t)
        nearest =
            std::min(nearest, test::pointToTriangle(sphere.centre, polyhedron_.mesh().corners(t)));
      ASSERT_LE(sphere.radius, nearest * (1.0 + 1e-12));
      ASSERT_GT(sphere.radius, 0.0);
    }
}

TEST_P(EverySolid, IsFilledBetterByEveryLevel) {
  const InnerSpheres inner = *buildInnerSpheres(polyhedron_, 200);
  const auto reports = innerLevelReports(inner, polyhedron_);
  ASSERT_EQ(reports.size(), static_cast<std::size_t>(inner.levelCount()));
  EXPECT_EQ(reports[0].spheres, 1u);
  for (std::size_t level = 1; level < reports.size(); ++level) {
    EXPECT_GT(reports[level].spheres, reports[level - 1].spheres);
    EXPECT_LE(reports[level].spheres, 8 * reports[level - 1].spheres);
    EXPECT_LT(reports[level].gapMean, reports[level - 1].gapMean);
    EXPECT_LE(reports[level].gapMax, reports[level - 1].gapMax * (1.0 + 1e-12));
  }
  EXPECT_LT(reports.back().gapMean, 0.06 * polyhedron_.radius());
}

TEST_P(EverySolid, IsFilledAlikeByAnyNumberOfWorkers) {
  EXPECT_TRUE(same(*buildInnerSpheres(polyhedron_, 60), *buildInnerSpheres(polyhedron_, 60, 3)));
}

/// Candidates excluded by a bound are never looked at.
TEST_P(EverySolid, BoundsAllThatLiesBelowAPlace) {
  const InnerSpheres inner = *buildInnerSpheres(polyhedron_, 100);
  int tried = 0;
  const auto below = [&](const auto& self, SphereId top, SphereId id) -> void {
    const SpherePack& bounds = inner.bounds[top / SpherePack::width];
    const std::size_t lane = top % SpherePack::width;
    const Sphere sphere = inner.sphere(id);
    const Vec3 centre(bounds.x[lane], bounds.y[lane], bounds.z[lane]);
    ASSERT_LE(glm::distance(centre, sphere.centre) + sphere.radius,
              Real{bounds.r[lane]} * (1.0 + 1e-15));
    ++tried;
    const std::uint32_t child =
        inner.links[id / SpherePack::width].childPack[id % SpherePack::width];
    if (child == InnerSpheres::none) return;
    for (SphereId k = 0; k < SpherePack::width && inner.spheres[child].r[k] >= 0.0f; ++k)
      self(self, top, child * SpherePack::width + k);
  };
  for (SphereId id = 0; id < inner.spheres.size() * SpherePack::width; ++id)
    if (inner.spheres[id / SpherePack::width].r[id % SpherePack::width] >= 0.0f)
      below(below, id, id);
  EXPECT_GT(tried, 100);
}

TEST(InnerSpheres, FillABallWithTheBallItself) {
  const Polyhedron ball(test::sphere(24, 32));
  const auto inner = buildInnerSpheres(ball, 512);
  ASSERT_TRUE(inner);
  EXPECT_GT(inner->sphere(0).radius, 0.95);
  EXPECT_LT(glm::length(inner->sphere(0).centre), 0.05);
}

TEST(InnerSpheres, AreNoneWhereNothingIsClosedAndRefusedWhereTheirNumberIsNone) {
  for (const TriangleMesh& mesh :
       {test::openTorus(), TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}) {
    const auto inner = buildInnerSpheres(Polyhedron(mesh), 10);
    ASSERT_TRUE(inner);
    EXPECT_TRUE(inner->empty());
    // A tree of it is a tree all the same
    const auto tree = buildSphereTree(*findSphereTreeBuilder("octree"), Polyhedron(mesh),
                                      {.levels = 1, .innerSpheres = 10});
    ASSERT_TRUE(tree);
    EXPECT_TRUE(tree->data().inner.empty());
  }
  const Polyhedron cube(test::cube());
  EXPECT_FALSE(buildInnerSpheres(cube, 0));
  EXPECT_FALSE(buildInnerSpheres(cube, 4097));
  EXPECT_FALSE(buildInnerSpheres(cube, 10, 0));
  BuildProgress progress;
  progress.cancelled = true;
  const auto cancelled = buildInnerSpheres(cube, 10, 1, &progress);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

TEST(InnerSpheres, AreCertifiedByNobodyOnceTheyReachOut) {
  const Polyhedron star(test::spikyStar(1, 7, 9));
  const SphereTree tree =
      *buildSphereTree(*findSphereTreeBuilder("octree"), star, {.levels = 1, .innerSpheres = 64});
  ASSERT_EQ(checkSphereTree(tree, star).brokenInner, 0u);
  Random random(5);
  const auto packs = static_cast<int>(tree.data().inner.spheres.size());
  for (int i = 0; i < test::cases(50); ++i) {
    SphereTree::Data data = tree.data();
    SpherePack& pack = data.inner.spheres[static_cast<std::size_t>(random.whole(0, packs - 1))];
    int used = 0;
    while (used < SpherePack::width && pack.r[used] >= 0.0f) ++used;
    const int lane = random.whole(0, used - 1);
    if (i % 2 == 0)
      pack.r[lane] *= 1.001f;
    else
      pack.x[lane] += 3.0f;
    const SphereTreeCertificate verdict = checkSphereTree(SphereTree(data), star);
    EXPECT_EQ(verdict.brokenInner, 1u);
    EXPECT_NE(verdict.complaint.find("inner sphere"), std::string::npos) << verdict.complaint;
  }
}

/// Packs of eight, each below the first places of the level above.
InnerSpheres fullLevels(std::initializer_list<std::uint32_t> packsOfLevels) {
  InnerSpheres inner;
  for (const std::uint32_t packs : packsOfLevels) {
    inner.levelBegin.push_back(static_cast<std::uint32_t>(inner.spheres.size()));
    SpherePack pack{};
    InnerSpheres::Links links;
    std::ranges::fill(links.childPack, InnerSpheres::none);
    for (int lane = 0; lane < SpherePack::width; ++lane) {
      const bool used = inner.levelBegin.size() > 1 || lane == 0;
      pack.r[lane] = used ? 1.0f : -1.0f;
    }
    inner.spheres.insert(inner.spheres.end(), packs, pack);
    inner.bounds.insert(inner.bounds.end(), packs, pack);
    inner.links.insert(inner.links.end(), packs, links);
  }
  const auto packs = static_cast<std::uint32_t>(inner.spheres.size());
  inner.levelBegin.push_back(packs);
  std::uint32_t next = 1;
  for (std::size_t level = 0; level + 2 < inner.levelBegin.size(); ++level)
    for (std::uint32_t place = SpherePack::width * inner.levelBegin[level];
         next < inner.levelBegin[level + 2]; ++place)
      inner.links[place / SpherePack::width].childPack[place % SpherePack::width] = next++;
  return inner;
}

TEST(InnerSpheres, AreNoMoreThanABuilderMakes) {
  EXPECT_EQ(InnerSpheres::validate(fullLevels({1, 1, 8, 64, 512})), nullptr);
  // With children below one of the 4096
  EXPECT_STREQ(InnerSpheres::validate(fullLevels({1, 1, 8, 64, 512, 1})),
               "it has more than 4096 inner spheres");
}

TEST(InnerSpheres, AreRefusedWhereTheirStructureIsBroken) {
  const InnerSpheres good = *buildInnerSpheres(Polyhedron(test::torus()), 40);
  ASSERT_EQ(InnerSpheres::validate(good), nullptr);
  const auto fault = [&good](const auto& damage) {
    InnerSpheres bad = good;
    damage(bad);
    return InnerSpheres::validate(bad);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(fault([&](InnerSpheres& bad) { bad.spheres[1].x[0] = nan; }));
  EXPECT_TRUE(fault([&](InnerSpheres& bad) { bad.bounds[1].r[0] = nan; }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.spheres[1].r[0] = -2.0f; }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.bounds[1].r[0] = -1.0f; }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.links[0].childPack[0] = 0; }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.links[1].childPack[0] = 77; }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.links[0].childPack[0] = InnerSpheres::none; }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.bounds.pop_back(); }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.levelBegin.pop_back(); }));
  EXPECT_TRUE(fault([](InnerSpheres& bad) { bad.levelBegin.push_back(bad.levelBegin.back()); }));
  EXPECT_TRUE(
      fault([](InnerSpheres& bad) { bad.spheres.clear(), bad.bounds.clear(), bad.links.clear(); }));
}

}  // namespace
}  // namespace nearmiss
