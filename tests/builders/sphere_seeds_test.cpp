// SPDX-License-Identifier: MIT
/// Where the variational builders begin: medial balls, those of them that cover a surface, and the
/// trees that grow from them.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "builders/clusters.h"
#include "builders/medial.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/same_tree.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr SphereSeeds allSeeds[] = {SphereSeeds::FarthestPoints, SphereSeeds::Medial,
                                    SphereSeeds::Best};

std::vector<Sphere> ballsOf(const Polyhedron& polyhedron, std::size_t count) {
  return medialBalls(polyhedron, DistanceField(polyhedron.mesh()), count, nullptr);
}

TEST(MedialBalls, LieInsideOfSolids) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Polyhedron polyhedron(mesh);
    ASSERT_TRUE(polyhedron.report().solid());
    std::size_t inner = 0;
    for (const Sphere& ball : ballsOf(polyhedron, 300)) {
      const Real distance = polyhedron.nearest(ball.centre).distance;
      EXPECT_LE(ball.radius, distance + 1e-6 * polyhedron.radius());
      if (ball.radius == 0.0) {
        EXPECT_LT(distance, 1e-6 * polyhedron.radius());
        continue;
      }
      EXPECT_TRUE(polyhedron.contains(ball.centre));
      ++inner;
    }
    EXPECT_GT(inner, 40u);
  }
}

TEST(MedialBalls, ArePointsWhereNothingIsInside) {
  const TriangleMesh plate{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
                           {{0, 1, 2}, {0, 2, 3}}};
  const auto balls = ballsOf(Polyhedron(plate), 100);
  EXPECT_GE(balls.size(), 100u);
  for (const Sphere& ball : balls) EXPECT_EQ(ball.radius, 0.0);
}

/// Seeds are given balls, grown by the same amount, that hold nearly all pieces, and by hardly less
/// the same number of balls chosen at random seldom do.
TEST(CoverSeeds, CoverThePiecesWithLittleGrowth) {
  Random random(5);
  int better = 0, worse = 0;
  for (const TriangleMesh& mesh : {test::torus(), test::comb(), test::bedOfNails()}) {
    const Polyhedron polyhedron(mesh);
    const auto balls = ballsOf(polyhedron, 300);
    std::vector<SurfacePiece> pieces = surfacePieces(mesh);
    cutEvenly(pieces, 2000);
    std::vector<std::uint32_t> all(pieces.size());
    std::iota(all.begin(), all.end(), 0u);
    const auto needed = [&](const std::vector<Sphere>& seeds) {
      // What the balls have to grow by to hold 97 % of the area
      std::vector<std::pair<Real, Real>> gaps;
      Real area = 0.0;
      for (const SurfacePiece& piece : pieces) {
        Real least = 1e9;
        for (const Sphere& seed : seeds)
          least = std::min(least, glm::distance(piece.middle, seed.centre) - seed.radius);
        gaps.emplace_back(least, areaOf(piece));
        area += areaOf(piece);
      }
      std::sort(gaps.begin(), gaps.end());
      Real held = 0.0;
      for (const auto& [gap, of] : gaps)
        if ((held += of) >= 0.97 * area) return gap;
      return gaps.back().first;
    };
    for (const std::size_t count : {2u, 5u, 8u}) {
      const std::vector<Sphere> seeds = coverSeeds(balls, pieces, all, count);
      ASSERT_FALSE(seeds.empty());
      EXPECT_LE(seeds.size(), count);
      std::vector<Sphere> own;
      Real growth = 0.0;
      for (const Sphere& seed : seeds) {
        const auto of = std::find_if(balls.begin(), balls.end(), [&](const Sphere& ball) {
          return ball.centre == seed.centre && ball.radius <= seed.radius;
        });
        ASSERT_NE(of, balls.end());
        if (!own.empty()) {
          EXPECT_NEAR(seed.radius - of->radius, growth, 1e-6);
        }
        growth = seed.radius - of->radius;
        own.push_back(*of);
      }
      // Only some of the pieces were looked at
      EXPECT_LE(needed(own), growth + 0.05 * polyhedron.radius());
      for (int i = 0; i < test::cases(20); ++i) {
        std::vector<Sphere> others;
        for (std::size_t k = 0; k < count; ++k)
          others.push_back(
              balls[static_cast<std::size_t>(random.whole(0, static_cast<int>(balls.size()) - 1))]);
        ++(needed(own) <= needed(others) ? better : worse);
      }
    }
  }
  EXPECT_GT(better, 20 * worse);
}

TEST(CoverSeeds, AreNoneWhereNoBallLies) {
  std::vector<SurfacePiece> pieces = surfacePieces(test::cube(1.0));
  std::vector<std::uint32_t> all(pieces.size());
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_TRUE(coverSeeds({}, pieces, all, 8).empty());
  const std::vector<Sphere> far{{Vec3(20.0, 0.0, 0.0), 1.0}};
  EXPECT_TRUE(coverSeeds(far, pieces, all, 8).empty());
}

class SeedsAndMesh : public testing::TestWithParam<std::tuple<SphereSeeds, std::size_t>> {
 protected:
  void expectCovered(const Result<SphereTree>& tree) const {
    ASSERT_TRUE(tree) << tree.error().message;
    const SphereTreeCertificate verdict = checkSphereTree(*tree, polyhedron_);
    EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
    EXPECT_EQ(verdict.uncoveredPieces, 0u);
  }
  Polyhedron polyhedron_{test::allMeshes()[std::get<1>(GetParam())]};
};

TEST_P(SeedsAndMesh, GiveTreesThatCoverTheSameForAnyNumberOfWorkers) {
  SphereTreeSettings settings{.levels = 2,
                              .hausdorffTolerance = 0.1,
                              .variational = {.branching = 3, .seeds = std::get<0>(GetParam())},
                              .dag = {.branching = 4,
                                      .objective = SphereObjective::AreaWeighted,
                                      .seeds = std::get<0>(GetParam())}};
  const auto tree = buildVariationalSphereTree(polyhedron_, settings);
  expectCovered(tree);
  settings.workers = 3;
  // The usual ones, which try both others, are compared of every builder
  if (std::get<0>(GetParam()) != SphereTreeSettings{}.variational.seeds) {
    EXPECT_TRUE(
        test::same(tree->data(), buildVariationalSphereTree(polyhedron_, settings)->data()));
  }
  settings.levels = 1;
  expectCovered(buildSphereDag(polyhedron_, settings));
}

INSTANTIATE_TEST_SUITE_P(, SeedsAndMesh,
                         testing::Combine(testing::ValuesIn(allSeeds),
                                          testing::Range<std::size_t>(0,
                                                                      test::allMeshes().size())));

TEST(SphereSeeds, MakeTreesOfTheirOwn) {
  const Polyhedron polyhedron(test::bedOfNails());
  std::vector<SphereTree> trees;
  std::set<std::uint64_t> keys;
  for (const SphereSeeds seeds : allSeeds) {
    // Of three levels, as only from the third on the best are medial alone
    const SphereTreeSettings settings{.levels = 3, .variational = {.branching = 4, .seeds = seeds}};
    trees.push_back(*buildVariationalSphereTree(polyhedron, settings));
    keys.insert(hashOf("variational", settings));
  }
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_FALSE(test::same(trees[0].data(), trees[1].data()));
  EXPECT_FALSE(test::same(trees[0].data(), trees[2].data()));
  EXPECT_FALSE(test::same(trees[1].data(), trees[2].data()));
}

/// The better of two kinds of seeds, over the first two levels of several shapes.
TEST(SphereSeeds, FitBestIfTakenFromBoth) {
  const auto fit = [](SphereSeeds seeds) {
    Real sum = 0.0;
    for (const TriangleMesh& mesh : {test::torus(), test::comb()}) {
      const Polyhedron polyhedron(mesh);
      const auto reports = levelReports(*buildVariationalSphereTree(
          polyhedron,
          {.levels = 2, .variational = {.objective = SphereObjective::Largest, .seeds = seeds}}));
      for (const std::size_t level : {1u, 2u}) sum += reports[level].hausdorffMax;
    }
    return sum;
  };
  const Real best = fit(SphereSeeds::Best);
  EXPECT_LE(best, 1.01 * fit(SphereSeeds::FarthestPoints));
  EXPECT_LE(best, 1.01 * fit(SphereSeeds::Medial));
}

}  // namespace
}  // namespace nearmiss
