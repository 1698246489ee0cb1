// SPDX-License-Identifier: MIT
/// Balls of clusters hold their pieces and get no worse; seeds lie apart.
#include "builders/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "builders/surface_division.h"
#include "builders/surface_partition.h"
#include "spheres/distance_field.h"
#include "spheres/surface_samples.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

class BallFitTest : public testing::Test {
 protected:
  std::vector<std::uint32_t> some(std::size_t count) {
    std::vector<std::uint32_t> members;
    for (std::size_t i = 0; i < count; ++i)
      members.push_back(
          static_cast<std::uint32_t>(random_.whole(0, static_cast<int>(pieces_.size()) - 1)));
    return members;
  }
  Real farthestCorner(const PieceCluster& cluster) const {
    Real farthest = 0.0;
    for (const std::uint32_t i : cluster.pieces)
      for (const Vec3& corner : pieces_[i].corners)
        farthest = std::max(farthest, glm::distance(corner, cluster.ball.centre));
    return farthest;
  }

  /// The cost that fits minimise, recomputed: the cost of a fit is a lower estimate.
  Real explored(const Sphere& ball) const {
    ProbeMemory memory;
    return 0.15 * ball.radius + probe_.explore(ball, memory);
  }

  test::Random random_{3};
  TriangleMesh mesh_ = test::spikyStar(1, 10, 12);
  DistanceField field_{mesh_};
  HausdorffProbe probe_{field_, 1.0};
  std::vector<SurfacePiece> pieces_ = surfacePieces(mesh_);
};

TEST_F(BallFitTest, HoldsAllPiecesAndCostsLessAfterASearch) {
  BallFit fit(probe_);
  fit.setPieces(pieces_);
  int better = 0;
  Real before = 0.0, after = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    PieceCluster cluster;
    cluster.pieces = some(1 + static_cast<std::size_t>(trial) % 20);
    cluster.ball.radius = -1.0;
    fit.fit(cluster);
    EXPECT_LE(farthestCorner(cluster), cluster.ball.radius * (1.0 + 1e-9));
    const Real smallest = cluster.ball.radius, first = explored(cluster.ball);
    fit.search(cluster);
    EXPECT_LE(farthestCorner(cluster), cluster.ball.radius * (1.0 + 1e-9));
    EXPECT_GE(cluster.ball.radius, smallest * (1.0 - 1e-9));
    const Real last = explored(cluster.ball);
    EXPECT_LE(last, 1.1 * first);
    before += first;
    after += last;
    better += last < 0.99 * first;
  }
  EXPECT_LT(after, 0.99 * before);
  EXPECT_GT(better, 10);
}

TEST_F(BallFitTest, KeepsAnOldCentreThatCostsLess) {
  BallFit fit(probe_);
  fit.setPieces(pieces_);
  int kept = 0;
  for (int trial = 0; trial < 60; ++trial) {
    PieceCluster cluster, fresh;
    cluster.pieces = fresh.pieces = some(12);
    fresh.ball.radius = -1.0;
    fit.fit(fresh);
    cluster.ball = {fresh.ball.centre + 0.02 * random_.inCube(1.0), 0.0};
    const Vec3 old = cluster.ball.centre;
    fit.fit(cluster);
    EXPECT_LE(explored(cluster.ball), 1.1 * explored(fresh.ball));
    kept += cluster.ball.centre == old;
  }
  EXPECT_GT(kept, 4);
  EXPECT_LT(kept, 55);
}

/// A coarse estimate at another place tells nothing of the points that it leaves out.
TEST_F(BallFitTest, LooksAtAllPointsAgainAfterACoarseEstimate) {
  constexpr Real noLimit = std::numeric_limits<Real>::infinity();
  int finer = 0, lower = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Sphere near{0.5 * random_.inCube(1.0), 0.05};
    const Sphere far{2.0 * random_.direction(), random_.between(0.5, 1.5)};
    ProbeMemory memory, fresh;
    (void)probe_.estimate(near, memory, noLimit);
    const Real coarse = probe_.estimate(far, memory, noLimit, ProbeDensity::Coarse);
    const Real fine = probe_.estimate(far, memory, noLimit);
    const Real expected = probe_.estimate(far, fresh, noLimit);
    lower += fine < 0.998 * expected;
    EXPECT_GE(coarse, 0.8 * expected) << trial;
    finer += fine > 1.001 * coarse;
  }
  EXPECT_GT(finer, 3);
  EXPECT_LE(lower, 9);
}

/// In a division every sliver reaches the rim of its ball.
TEST(RimCuts, AreFewWhereSliversAreMany) {
  for (const auto& [mesh, maxGrowth] :
       {std::pair{test::slivers(40000), 1.5}, std::pair{test::spikyStar(1, 10, 12), 12.0}}) {
    const DistanceField field(mesh);
    const HausdorffProbe probe(field, 1.0);
    SurfaceDivision division(probe);
    std::vector<SurfacePiece> pieces = surfacePieces(mesh);
    const std::size_t before = pieces.size();
    const std::vector<PieceCluster> clusters = division.divide(pieces, 8, {});
    EXPECT_GT(pieces.size(), before);
    EXPECT_LE(static_cast<Real>(pieces.size()), maxGrowth * static_cast<Real>(before));
    // Each piece has one owner, and its ball holds it
    std::vector<int> owners(pieces.size(), 0);
    for (const PieceCluster& cluster : clusters)
      for (const std::uint32_t i : cluster.pieces) {
        ++owners[i];
        for (const Vec3& corner : pieces[i].corners)
          EXPECT_LE(glm::distance(corner, cluster.ball.centre), cluster.ball.radius * (1.0 + 1e-9));
      }
    EXPECT_EQ(std::ranges::count(owners, 1), std::ssize(owners));
  }
}

/// A level of a DAG takes minutes.
TEST_F(BallFitTest, TellsHowFarAnEvenLevelHasCome) {
  SurfaceDivision division(probe_);
  std::vector<PieceCluster> clusters = division.divide(pieces_, 8, {});
  std::vector<std::uint32_t> cutFrom;
  std::vector<Real> shares;
  clusters = division.even(pieces_, std::move(clusters), {}, cutFrom,
                           [&shares](Real share) { shares.push_back(share); });
  EXPECT_LE(clusters.size(), 8u);
  ASSERT_GE(shares.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.front(), 0.0);
  EXPECT_LT(shares.back(), 1.0);
}

TEST_F(BallFitTest, FitsCutPiecesAsItDoesNewOnes) {
  BallFit fit(probe_), fresh(probe_);
  fit.setPieces(pieces_);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<std::uint32_t> cutFrom;
    for (int cut = 0; cut < 30; ++cut) {
      const std::uint32_t whole = some(1)[0];
      const auto parts = halves(pieces_[whole]);
      pieces_[whole] = parts[0];
      pieces_.push_back(parts[1]);
      cutFrom.push_back(whole);
    }
    fit.updatePieces(pieces_, cutFrom);
    fresh.setPieces(pieces_);
    EXPECT_TRUE(std::ranges::equal(fit.middles(), fresh.middles()));
    PieceCluster cluster, other;
    cluster.pieces = other.pieces = some(20);
    cluster.ball.radius = other.ball.radius = -1.0;
    fit.fit(cluster);
    fresh.fit(other);
    EXPECT_EQ(cluster.ball.centre, other.ball.centre);
    EXPECT_EQ(cluster.ball.radius, other.ball.radius);
    EXPECT_EQ(cluster.cost, other.cost);
  }
}

/// Halves of needles are needles again: the number of pieces would grow without an end in sight.
TEST(NeedleCuts, AreFewHoweverLongNeedlesAre) {
  TriangleMesh mesh = test::torus();
  mesh.positions[7] *= 1e5;
  const DistanceField field(mesh);
  const HausdorffProbe probe(field);
  SurfaceDivision division(probe);
  std::vector<SurfacePiece> pieces = surfacePieces(mesh);
  std::vector<PieceCluster> clusters = division.divide(pieces, 64, {});
  std::vector<std::uint32_t> cutFrom;
  const auto before = std::ranges::count_if(pieces, isNeedle);
  const std::size_t given = pieces.size();
  clusters = division.even(pieces, std::move(clusters), {}, cutFrom);
  EXPECT_EQ(pieces.size(), given + cutFrom.size());
  // Five rounds of cuts, of at most eight needles for each cluster; others are as many as usual
  EXPECT_LE(std::ranges::count_if(pieces, isNeedle), before + std::ptrdiff_t{5 * 2 * 8 * 64});

  std::vector<Vec3> points;
  for (const SurfaceSample& sample : spreadPoints(mesh, 1000)) points.push_back(sample.position);
  const SurfacePartition partition(mesh, points, 1.0);
  std::vector<PieceHolder> owners(8);
  for (std::size_t i = 0; i < owners.size(); ++i) owners[i].ball = {points[100 * i], 0.1};
  std::vector<OwnedPiece> whole = partition.wholeSurface();
  const std::size_t all = whole.size();
  partition.distribute(std::move(whole), true, owners);
  std::size_t owned = 0;
  for (const PieceHolder& owner : owners) owned += owner.pieces.size();
  EXPECT_GE(owned, all);
  EXPECT_LE(owned, all + 2000);
}

TEST_F(BallFitTest, MergesToABallOfAllPieces) {
  BallFit fit(probe_);
  fit.setPieces(pieces_);
  for (int trial = 0; trial < 30; ++trial) {
    PieceCluster a, b;
    a.pieces = some(5);
    b.pieces = some(7);
    const PieceCluster both = fit.merged(a, b, 1e9);
    EXPECT_EQ(both.pieces.size(), 12u);
    EXPECT_LE(farthestCorner(both), both.ball.radius * (1.0 + 1e-9));
    EXPECT_GT(both.cost, 0.0);
  }
}

TEST_F(BallFitTest, SeedsLieAsFarFromThoseBeforeThemAsAnyPiece) {
  std::vector<std::uint32_t> all(pieces_.size());
  std::iota(all.begin(), all.end(), 0u);
  for (const int start : {0, 1, 2, 3, 5}) {
    const auto seeds = farthestSeeds(pieces_, all, 9, start);
    ASSERT_EQ(seeds.size(), 9u);
    const auto distanceFrom = [&seeds](const Vec3& p, std::size_t count) {
      Real least = 1e9;
      for (std::size_t k = 0; k < count; ++k)
        least = std::min(least, glm::distance(p, seeds[k].ball.centre));
      return least;
    };
    for (std::size_t k = 1; k < seeds.size(); ++k) {
      Real farthest = 0.0;
      for (const SurfacePiece& piece : pieces_)
        farthest = std::max(farthest, distanceFrom(piece.middle, k));
      EXPECT_DOUBLE_EQ(distanceFrom(seeds[k].ball.centre, k), farthest) << start << ", " << k;
      EXPECT_EQ(seeds[k].ball.radius, 0.0);
    }
  }
  // No more than there are places
  EXPECT_EQ(farthestSeeds(pieces_, std::vector<std::uint32_t>{4, 4, 4}, 9, 0).size(), 1u);
}

}  // namespace
}  // namespace nearmiss
