// SPDX-License-Identifier: MIT
/// Annealed spheres, together and apart: never worse than the octree's, most of them much better,
/// what they hold, and the rule of Metropolis.
#include <gtest/gtest.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "rivals/annealed.h"
#include "spheres/enclosing_ball.h"
#include "spheres/triangle_clipping.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/same_tree.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(ClippedTriangle, HasExactlyWhatTheTriangleHasInTheBox) {
  Random random(1);
  int met = 0, apart = 0, corners = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    // Of all sizes, flat and on a lattice now and then, so that corners lie on planes
    const bool lattice = i % 3 == 0;
    Triangle triangle;
    const Real size = random.chance(0.5) ? 3.0 : 0.5;
    for (Vec3& p : triangle) {
      p = size * random.inCube(1.0);
      if (lattice) p = glm::round(p);
    }
    const Vec3 low = lattice ? Vec3(-1.0) : random.inCube(1.0);
    const Box box{low, low + 1.0};
    std::vector<Vec3> polygon;
    appendClipped(triangle, box, polygon);
    for (const Vec3& p : polygon)
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(p[axis], box.low[axis]);
        EXPECT_LE(p[axis], box.high[axis]);
      }
    bool any = false;
    for (int k = 0; k < 40; ++k) {
      const Real u = random.unit(), v = (1.0 - u) * random.unit();
      const Vec3 p =
          triangle[0] + u * (triangle[1] - triangle[0]) + v * (triangle[2] - triangle[0]);
      if (!box.contains(p)) continue;
      any = true;
      // No direction leads farther than the corners do
      for (int d = 0; d < 20; ++d) {
        const Vec3 direction = random.direction();
        Real most = -std::numeric_limits<Real>::infinity();
        for (const Vec3& corner : polygon) most = std::max(most, glm::dot(corner, direction));
        ASSERT_LE(glm::dot(p, direction), most + 1e-12) << i;
      }
    }
    met += any;
    apart += polygon.empty();
    corners = std::max(corners, static_cast<int>(polygon.size()));
  }
  EXPECT_GT(met, test::cases(3000) / 10);
  EXPECT_GT(apart, test::cases(3000) / 10);
  EXPECT_GE(corners, 7);
}

class EveryAnnealedMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

TEST_P(EveryAnnealedMesh, HasNoSphereWorseThanTheOctreesIfAnnealedApart) {
  const SphereTreeSettings settings{.levels = 3};
  const SphereTree octree = *buildOctreeSphereTree(polyhedron_, settings);
  const SphereTree annealed = *buildAnnealedSphereTree(polyhedron_, settings);
  ASSERT_EQ(octree.data().packs.size(), annealed.data().packs.size());
  EXPECT_EQ(octree.data().leafTriangles, annealed.data().leafTriangles);
  std::vector<SphereId> ids;
  for (int level = 0; level < octree.levelCount(); ++level) {
    octree.spheresOf(level, ids);
    for (const SphereId id : ids) ASSERT_LE(annealed.hausdorff(id), octree.hausdorff(id)) << id;
  }
}

TEST_P(EveryAnnealedMesh, HasNoLevelWorseThanTheOctrees) {
  const SphereTreeSettings settings{.levels = 2, .annealed = {.schedule = {.steps = 60}}};
  const SphereTree annealed = *buildAnnealedTogether(polyhedron_, settings, nullptr);
  test::expectCertified(annealed, polyhedron_);
  const auto start = levelReports(*buildOctreeSphereTree(polyhedron_, settings));
  const auto reports = levelReports(annealed);
  ASSERT_EQ(reports.size(), start.size());
  for (std::size_t level = 0; level < reports.size(); ++level)
    EXPECT_LE(reports[level].hausdorffMax, start[level].hausdorffMax) << level;
}

INSTANTIATE_TEST_SUITE_P(, EveryAnnealedMesh,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

TEST(Annealed, FitsMuchCloserThanTheOctree) {
  for (const char* builder : {"annealed", "annealed-apart"})
    for (const TriangleMesh& mesh : {test::torus(40, 20), test::bedOfNails(), test::spikyStar(3)}) {
      const Polyhedron polyhedron(mesh);
      const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 2}));
      const auto annealed =
          levelReports(*findSphereTreeBuilder(builder)->build(polyhedron, {.levels = 2}, nullptr));
      for (std::size_t level = 1; level < octree.size(); ++level) {
        EXPECT_LT(annealed[level].hausdorffMean, 0.75 * octree[level].hausdorffMean) << level;
        EXPECT_LT(annealed[level].hausdorffMax, 0.9 * octree[level].hausdorffMax) << level;
      }
    }
}

/// Spheres that share their surface leave their octants, and have smaller Hausdorff distances for
/// it.
TEST(Annealed, TogetherSpheresGetFartherThanApart) {
  Real mean = 0.0, greatest = 0.0;
  for (const TriangleMesh& mesh : {test::torus(40, 20), test::bedOfNails(), test::spikyStar(3)}) {
    const Polyhedron polyhedron(mesh);
    const SphereTree together = *buildAnnealedTogether(polyhedron, {.levels = 2}, nullptr);
    const SphereTree apart = *buildAnnealedSphereTree(polyhedron, {.levels = 2});
    // Leaves list what they took over
    EXPECT_NE(together.data().leafTriangles, apart.data().leafTriangles);
    for (std::size_t level = 1; level <= 2; ++level) {
      const SphereLevelReport one = levelReports(together)[level];
      const SphereLevelReport other = levelReports(apart)[level];
      mean += one.hausdorffMean / other.hausdorffMean / 6.0;
      greatest += one.hausdorffMax / other.hausdorffMax / 6.0;
    }
  }
  EXPECT_LT(mean, 0.9);
  EXPECT_LT(greatest, 1.1);
}

/// With hardly any steps spheres together are often worse than the octree's. Then the tree is the
/// one of spheres annealed apart, and that is counted, by thread too.
TEST(Annealed, CountsTheTreesThatGaveWay) {
  const SphereTreeSettings settings{.levels = 2, .annealed = {.schedule = {.steps = 1}}};
  int gaveWayTimes = 0, held = 0;
  for (const TriangleMesh& mesh : test::allMeshes()) {
    const Polyhedron polyhedron(mesh);
    const std::uint64_t before = fallbacks(Fallback::AnnealedApart);
    const std::uint64_t here = fallbacksHere(Fallback::AnnealedApart);
    const SphereTree together = *buildAnnealedTogether(polyhedron, settings, nullptr);
    const std::uint64_t counted = fallbacks(Fallback::AnnealedApart) - before;
    EXPECT_EQ(fallbacksHere(Fallback::AnnealedApart) - here, counted);
    const SphereTree apart = *buildAnnealedSphereTree(polyhedron, settings);
    bool same = together.data().packs.size() == apart.data().packs.size();
    for (std::size_t p = 0; same && p < apart.data().packs.size(); ++p)
      for (int lane = 0; lane < SpherePack::width; ++lane)
        same = same && together.data().packs[p].x[lane] == apart.data().packs[p].x[lane] &&
               together.data().packs[p].r[lane] == apart.data().packs[p].r[lane];
    EXPECT_EQ(counted, same ? 1u : 0u);
    ++(same ? gaveWayTimes : held);
  }
  EXPECT_GT(gaveWayTimes, 0);
  EXPECT_GT(held + gaveWayTimes, 5);
}

/// A tree file tells of it by its builder's name.
TEST(Annealed, NamesWhatItGaveWayToInTheFile) {
  EXPECT_EQ(builderOfFile("annealed", false), "annealed");
  EXPECT_FALSE(gaveWay("annealed"));
  EXPECT_EQ(builderOfFile("annealed", true), "annealed (gave way to annealed-apart)");
  EXPECT_TRUE(gaveWay(builderOfFile("annealed", true)));
}

TEST(Annealed, IsTheOctreeWithoutSteps) {
  const Polyhedron polyhedron(test::torus());
  const SphereTreeSettings settings{.levels = 2, .annealed = {.schedule = {.steps = 0}}};
  EXPECT_TRUE(test::same(buildOctreeSphereTree(polyhedron, settings)->data(),
                         buildAnnealedSphereTree(polyhedron, settings)->data()));
}

TEST(Annealed, FitsCloserTheLongerItCools) {
  const Polyhedron polyhedron(test::spikyStar(3));
  const auto levelTwo = [&](int steps) {
    return levelReports(*buildAnnealedSphereTree(
        polyhedron, {.levels = 2, .annealed = {.schedule = {.steps = steps}}}))[2];
  };
  const SphereLevelReport none = levelTwo(0), few = levelTwo(10), many = levelTwo(300);
  EXPECT_LT(few.hausdorffMean, none.hausdorffMean);
  EXPECT_LT(many.hausdorffMean, 0.9 * few.hausdorffMean);
  EXPECT_LT(many.hausdorffMax, none.hausdorffMax);
}

TEST(Annealed, DependsOnItsSeedAlone) {
  const Polyhedron polyhedron(test::comb());
  SphereTreeSettings settings{.levels = 2};
  const SphereTree first = *buildAnnealedSphereTree(polyhedron, settings);
  EXPECT_TRUE(test::same(first.data(), buildAnnealedSphereTree(polyhedron, settings)->data()));
  settings.annealed.schedule.seed = 2;
  EXPECT_FALSE(test::same(first.data(), buildAnnealedSphereTree(polyhedron, settings)->data()));
}

TEST(Annealed, TellsSchedulesApartAndRefusesImpossibleOnes) {
  const Polyhedron polyhedron(test::cube());
  const std::uint64_t usual = hashOf("annealed", SphereTreeSettings{});
  for (const AnnealingSchedule& schedule :
       {AnnealingSchedule{.seed = 2}, AnnealingSchedule{.steps = 301},
        AnnealingSchedule{.heat = 0.2}, AnnealingSchedule{.cooled = 0.02}})
    EXPECT_NE(hashOf("annealed", {.annealed = {.schedule = schedule}}), usual);
  for (const AnnealingSchedule& schedule :
       {AnnealingSchedule{.steps = -1}, AnnealingSchedule{.steps = 2000000},
        AnnealingSchedule{.heat = -0.1}, AnnealingSchedule{.heat = 1.5},
        AnnealingSchedule{.heat = std::numeric_limits<Real>::quiet_NaN()},
        AnnealingSchedule{.cooled = 0.0}, AnnealingSchedule{.cooled = 2.0}}) {
    for (const char* builder : {"annealed", "annealed-apart"}) {
      const auto tree = findSphereTreeBuilder(builder)->build(
          polyhedron, {.annealed = {.schedule = schedule}}, nullptr);
      ASSERT_FALSE(tree);
      EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
    }
  }
}

/// Moves that lost, and how often the rule of Metropolis would take them.
struct Acceptance {
  double taken = 0.0, expected = 0.0, variance = 0.0, losing = 0.0, likely = 0.0;
  void add(const TriedMove& move) {
    if (move.loss <= 0.0) {
      EXPECT_TRUE(move.taken || move.loss == 0.0);
      return;
    }
    const double chance = std::exp(-move.loss / move.temperature);
    taken += move.taken;
    expected += chance;
    variance += chance * (1.0 - chance);
    ++losing;
    likely += chance > 0.1 && chance < 0.9;
  }
  void expectMetropolis() const {
    EXPECT_GT(likely, 200.0);  // or it would hardly matter what the rule says
    EXPECT_NEAR(taken, expected, 5.0 * std::sqrt(variance)) << losing;
    // Neither whatever is better only, nor everything
    EXPECT_GT(expected, 10.0 * std::sqrt(variance));
    EXPECT_GT(losing - expected, 10.0 * std::sqrt(variance));
  }
};

TEST(Metropolis, TakesLossesAsOftenAsTheirSizeSays) {
  SeededRandom random(7);
  for (const Real loss : {0.05, 0.3, 1.0, 2.0, 4.0}) {
    const int count = test::cases(20000);
    int taken = 0;
    for (int i = 0; i < count; ++i) taken += 10.0 + loss * 3.0 < allowedEnergy(10.0, 3.0, random);
    const double chance = std::exp(-loss);
    EXPECT_NEAR(taken, count * chance, 5.0 * std::sqrt(count * chance * (1.0 - chance))) << loss;
  }
  for (int i = 0; i < 1000; ++i) EXPECT_GT(allowedEnergy(1.0, 0.5, random), 1.0 - 1e-9);
  EXPECT_EQ(allowedEnergy(1.0, 0.0, random), 1.0);
}

TEST(Metropolis, RulesSpheresAnnealedApart) {
  const Polyhedron polyhedron(test::spikyStar(3));
  const DistanceField field(polyhedron.mesh());
  const HausdorffProbe probe(field);
  Random random(6);
  Acceptance acceptance;
  const MoveWatcher watcher = [&](const TriedMove& move) { acceptance.add(move); };
  SphereAnnealing annealing(probe, {}, &watcher);
  for (std::uint64_t i = 0; i < 20; ++i) {
    std::vector<Vec3> held;
    for (int k = 0; k < 12; ++k) held.push_back(0.4 * random.inCube(1.0) + Vec3(0.3, 0.2, 0.1));
    static_cast<void>(annealing.anneal({Vec3(0.0), 1.5}, held, i));
  }
  acceptance.expectMetropolis();
}

TEST(Annealed, ApartHearsACancellation) {
  const Polyhedron polyhedron(test::cube());
  const DistanceField field(polyhedron.mesh());
  const HausdorffProbe probe(field);
  const std::vector<Vec3> held{{0.3, 0.2, 0.1}, {0.1, 0.4, 0.2}};
  const Sphere start{Vec3(0.0), 1.5};
  std::atomic<bool> cancelled = true;
  int moves = 0, last = 0;
  const MoveWatcher watcher = [&](const TriedMove&) { cancelled = ++moves >= last; };
  SphereAnnealing annealing(probe, {.steps = 100000}, &watcher);
  EXPECT_EQ(annealing.anneal(start, held, 1, &cancelled).centre, start.centre);
  EXPECT_EQ(moves, 0);
  cancelled = false;
  last = 100;
  const Sphere best = annealing.anneal(start, held, 1, &cancelled);
  EXPECT_LT(moves, 200);
  for (const Vec3& p : held) EXPECT_LE(glm::distance(p, best.centre), best.radius);
}

/// A sphere's surface in patches by octants, shared out among as many balls as families times four.
struct SharedCase {
  std::vector<Sphere> spheres;
  std::vector<std::uint32_t> families;
  SharedSurface surface;

  SharedCase(Random& random, std::uint32_t familyCount) {
    for (std::uint32_t i = 0; i < 4 * familyCount; ++i) families.push_back(i / 4);
    for (std::uint32_t i = 0; i < families.size(); ++i)
      for (int k = 0; k < 6; ++k) {
        SharedSurface::Patch patch;
        patch.begin = static_cast<std::uint32_t>(surface.points.size());
        const Vec3 at = random.direction();
        for (int p = 0; p < 4; ++p)
          surface.points.push_back(glm::normalize(at + 0.2 * random.inCube(1.0)));
        patch.end = static_cast<std::uint32_t>(surface.points.size());
        patch.owner = i;
        patch.bounds = smallestEnclosingBall(std::span(surface.points).subspan(patch.begin));
        surface.patches.push_back(patch);
      }
    for (std::size_t i = 0; i < families.size(); ++i) spheres.push_back({Vec3(0.0), 1.0 + 1e-6});
  }
};

TEST(Metropolis, RulesSpheresAnnealedTogether) {
  const Polyhedron polyhedron(test::sphere(24, 32));
  const DistanceField field(polyhedron.mesh());
  const HausdorffProbe probe(field);
  Random random(8);
  Acceptance acceptance;
  const MoveWatcher watcher = [&](const TriedMove& move) { acceptance.add(move); };
  const AnnealingSchedule schedule{.steps = 100};
  SetAnnealing annealing(probe, schedule, &watcher);
  for (std::uint64_t i = 0; i < 4; ++i) {
    SharedCase shared(random, 2);
    annealing.anneal(shared.spheres, shared.families, shared.surface, i);
  }
  acceptance.expectMetropolis();
}

TEST(Annealed, TogetherTellsHowFarItHasCome) {
  const Polyhedron polyhedron(test::sphere());
  const DistanceField field(polyhedron.mesh());
  const HausdorffProbe probe(field);
  Random random(10);
  SharedCase shared(random, 2);
  const AnnealingSchedule schedule{.steps = 20};
  BuildProgress progress;
  SetAnnealing(probe, schedule)
      .anneal(shared.spheres, shared.families, shared.surface, 1, &progress, 0.25f, 0.75f);
  EXPECT_GT(progress.fraction, 0.7f);
  EXPECT_LT(progress.fraction, 0.75f);
}

TEST(Annealed, TogetherEveryPatchStaysHeldAndInItsFamily) {
  const Polyhedron polyhedron(test::sphere(24, 32));
  const DistanceField field(polyhedron.mesh());
  const HausdorffProbe probe(field);
  Random random(9);
  int handed = 0;
  for (int i = 0; i < test::cases(20); ++i) {
    SharedCase shared(random, 3);
    const SharedSurface before = shared.surface;
    const AnnealingSchedule schedule{.steps = random.whole(1, 60), .heat = random.unit()};
    SetAnnealing(probe, schedule).anneal(shared.spheres, shared.families, shared.surface, 1);
    std::vector<int> owned(shared.spheres.size(), 0);
    for (std::size_t p = 0; p < before.patches.size(); ++p) {
      const SharedSurface::Patch& patch = shared.surface.patches[p];
      const Sphere& ball = shared.spheres[patch.owner];
      ++owned[patch.owner];
      handed += patch.owner != before.patches[p].owner;
      EXPECT_EQ(shared.families[patch.owner], shared.families[before.patches[p].owner]);
      for (std::uint32_t k = patch.begin; k < patch.end; ++k)
        ASSERT_LE(glm::distance(shared.surface.points[k], ball.centre), ball.radius) << i;
    }
    for (const int count : owned) EXPECT_GT(count, 0);
  }
  EXPECT_GT(handed, test::cases(20) * 5);
}

/// What is annealed holds its points from the first move to the last, at any temperature.
TEST(Annealed, HoldsWhatItMust) {
  const Polyhedron polyhedron(test::bedOfNails());
  const DistanceField field(polyhedron.mesh());
  const HausdorffProbe probe(field);
  Random random(5);
  for (int i = 0; i < test::cases(60); ++i) {
    std::vector<Vec3> held;
    for (int k = random.whole(1, 30); k > 0; --k) held.push_back(random.inCube(0.5));
    const AnnealingSchedule schedule{.steps = random.whole(1, 200), .heat = random.unit()};
    SphereAnnealing annealing(probe, schedule);
    const Sphere start{Vec3(0.0), 2.0};
    const Sphere best = annealing.anneal(start, held, static_cast<std::uint64_t>(i));
    for (const Vec3& p : held) ASSERT_LE(glm::distance(p, best.centre), best.radius);
    ProbeMemory before, after;
    EXPECT_LE(probe.explore(best, after), 1.1 * probe.explore(start, before));
  }
}

}  // namespace
}  // namespace nearmiss
