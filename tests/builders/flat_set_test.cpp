// SPDX-License-Identifier: MIT
/// Flat sets of spheres: that they cover, reach less far out than a tree's, and are the same each
/// time; and that what looks them over finds what is wrong.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "builders/flat_search.h"
#include "builders/solid_volume.h"
#include "spheres/surface_samples.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

std::vector<Sphere> oneLevel(const Polyhedron& polyhedron, std::size_t count) {
  SphereTreeSettings settings;
  settings.levels = 1;
  settings.variational.objective = SphereObjective::Outside;
  settings.variational.maxSpheres = count;
  const auto tree = buildVariationalSphereTree(polyhedron, settings);
  std::vector<SphereId> ids;
  tree->spheresOf(1, ids);
  std::vector<Sphere> spheres;
  for (const SphereId id : ids) spheres.push_back(tree->sphere(id));
  return spheres;
}

std::vector<Sphere> fitted(const Polyhedron& polyhedron, std::size_t count) {
  const auto spheres = fitFlatSet(polyhedron, {.count = count});
  EXPECT_TRUE(spheres.has_value());
  return spheres ? *spheres : std::vector<Sphere>{};
}

/// A solid and a set of four for it.
struct FittedTorus {
  Polyhedron polyhedron{test::torus(16, 8)};
  std::vector<Sphere> spheres = fitted(polyhedron, 4);
};
const FittedTorus& fittedTorus() {
  static const FittedTorus torus;
  return torus;
}

void expectBetterThanATree(const Polyhedron& polyhedron, const std::vector<Sphere>& spheres,
                           std::size_t count) {
  EXPECT_GE(spheres.size(), 1u);
  EXPECT_LE(spheres.size(), count);
  EXPECT_TRUE(checkFlatSet(polyhedron, spheres).covers()) << count;
  const UnionVolume volume = measureUnion(polyhedron, spheres);
  EXPECT_NEAR(volume.missed, 0.0, 1e-9);
  EXPECT_LT(volume.outside, 1.02 * measureUnion(polyhedron, oneLevel(polyhedron, count)).outside)
      << count;
}

TEST(FlatSet, CoversSolidsAndReachesLessFarOutThanATree) {
  expectBetterThanATree(fittedTorus().polyhedron, fittedTorus().spheres, 4);
  const Polyhedron hollow(test::hollowCube());
  for (const std::size_t count : {1u, 3u})
    expectBetterThanATree(hollow, fitted(hollow, count), count);
}

TEST(FlatSet, CoversOpenSurfacesAndLooseParts) {
  std::vector<TriangleMesh> meshes{test::openTorus(), test::twoCubes()};
  for (TriangleMesh& mesh : meshes) {
    const Polyhedron polyhedron(std::move(mesh));
    EXPECT_TRUE(checkFlatSet(polyhedron, fitted(polyhedron, 2)).covers());
  }
}

TEST(FlatSet, IsTheSameForAnyNumberOfThreads) {
  const std::vector<Sphere>& one = fittedTorus().spheres;
  const auto three = fitFlatSet(fittedTorus().polyhedron, {.count = 4, .workers = 3});
  ASSERT_TRUE(three);
  ASSERT_EQ(one.size(), three->size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].centre, (*three)[i].centre);
    EXPECT_EQ(one[i].radius, (*three)[i].radius);
  }
}

TEST(FlatSet, IsNoWorseThanWhatItBeginsWith) {
  const Polyhedron polyhedron(test::box(Vec3(-1.0, -0.6, -0.4), Vec3(1.0, 0.6, 0.4)));
  // A ball about each of four cells
  std::vector<Sphere> cells;
  for (const Real x : {-0.5, 0.5})
    for (const Real y : {-0.3, 0.3})
      cells.push_back({Vec3(x, y, 0.0), glm::length(Vec3(0.5, 0.3, 0.4)) * (1.0 + 1e-7)});
  ASSERT_TRUE(checkFlatSet(polyhedron, cells).covers());
  const Real before = measureUnion(polyhedron, cells).outside;
  for (const bool ownStarts : {false, true}) {
    const auto spheres =
        fitFlatSet(polyhedron, {.count = 4, .start = cells, .ownStarts = ownStarts});
    ASSERT_TRUE(spheres);
    EXPECT_LE(spheres->size(), 4u);
    EXPECT_TRUE(checkFlatSet(polyhedron, *spheres).covers());
    EXPECT_LE(measureUnion(polyhedron, *spheres).outside, 1.001 * before) << ownStarts;
  }
  // In any unit
  TriangleMesh small = test::box(Vec3(-1e-12, -6e-13, -4e-13), Vec3(1e-12, 6e-13, 4e-13));
  for (Sphere& cell : cells) cell = {1e-12 * cell.centre, 1e-12 * cell.radius};
  const Polyhedron tiny(std::move(small));
  const auto spheres = fitFlatSet(tiny, {.count = 4, .start = cells, .ownStarts = false});
  ASSERT_TRUE(spheres);
  EXPECT_TRUE(checkFlatSet(tiny, *spheres).covers());
  EXPECT_LE(measureUnion(tiny, *spheres).outside, 1.001e-36 * before);
}

TEST(FlatSet, SaysWhatItCannotDo) {
  const Polyhedron polyhedron(test::cube(1.0));
  const std::vector<Sphere> two(2, Sphere{Vec3(0.0), 2.0});
  for (const FlatSetSettings& settings :
       {FlatSetSettings{.count = 0}, FlatSetSettings{.count = maxSpheresOfFlatSet + 1},
        FlatSetSettings{.workers = 0}, FlatSetSettings{.count = 1, .start = two}}) {
    const auto spheres = fitFlatSet(polyhedron, settings);
    ASSERT_FALSE(spheres);
    EXPECT_EQ(spheres.error().code, ErrorCode::Unsupported);
  }
  BuildProgress progress;
  progress.cancelled = true;
  const auto spheres = fitFlatSet(polyhedron, {.count = 8}, &progress);
  ASSERT_FALSE(spheres);
  EXPECT_EQ(spheres.error().code, ErrorCode::Cancelled);
}

/// A pot about z: walls and bottom of one thickness, open above.
TriangleMesh pot(int sectors, Real radius, Real height, Real wall) {
  const std::vector<std::pair<Real, Real>> rings{
      {radius, 0.0}, {radius, height}, {radius - wall, height}, {radius - wall, wall}};
  TriangleMesh mesh;
  for (const auto& [r, z] : rings)
    for (int k = 0; k < sectors; ++k) {
      const Real angle = 2.0 * std::numbers::pi * k / sectors;
      mesh.positions.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
  const auto n = static_cast<std::uint32_t>(sectors);
  for (std::uint32_t ring = 0; ring < 3; ++ring)
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = ring * n + k, b = ring * n + (k + 1) % n;
      mesh.triangles.push_back({a, b, b + n});
      mesh.triangles.push_back({a, b + n, a + n});
    }
  // Many long triangles meet in the middle of the bottom
  mesh.positions.emplace_back(0.0, 0.0, 0.0);
  mesh.positions.emplace_back(0.0, 0.0, wall);
  for (std::uint32_t k = 0; k < n; ++k) {
    mesh.triangles.push_back({4 * n, (k + 1) % n, k});
    mesh.triangles.push_back({4 * n + 1, 3 * n + k, 3 * n + (k + 1) % n});
  }
  return mesh;
}

TEST(FlatSet, CoversThinPotsWithAnyNumberOfSpheres) {
  test::Random random(1);
  for (int i = 0; i < test::cases(2); ++i) {
    const Real radius = random.between(0.02, 0.1), height = random.between(0.02, 0.3);
    const Real wall = std::pow(10.0, random.between(-5.0, -2.3));
    const Polyhedron polyhedron(pot(random.whole(6, 10), radius, height, wall));
    ASSERT_TRUE(polyhedron.report().solid());
    const std::size_t count = 1 + static_cast<std::size_t>(5 * i) % 12;
    const auto spheres = fitFlatSet(
        polyhedron, {.count = count, .seed = static_cast<std::uint64_t>(random.whole(1, 99))});
    ASSERT_TRUE(spheres);
    EXPECT_LE(spheres->size(), count);
    EXPECT_TRUE(checkFlatSet(polyhedron, *spheres).covers()) << "wall " << wall << ", " << count;
  }
}

/// A cube, cut into pieces, and a search that begins with the given balls.
struct SearchedCube {
  explicit SearchedCube(const std::vector<Sphere>& balls) {
    cutEvenly(pieces, 400);
    std::vector<Vec3> points;
    for (const SurfacePiece& piece : pieces)
      points.insert(points.end(), piece.corners.begin(), piece.corners.end());
    Box region;
    for (const Real end : {-3.0, 3.0}) region.include(Vec3(end));
    search.emplace(VolumeGrid(parts, region, 20'000), VolumeGrid(parts, region, 5'000), points, 1,
                   &cancelled);
    search->start(balls);
  }
  /// True if growing balls comes to an end within a minute, and they cover.
  bool isCoveredSurely() {
    BuildProgress progress;
    const std::jthread watch([&progress](const std::stop_token& stop) {
      for (int i = 0; i < 600 && !stop.stop_requested(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      progress.cancelled = true;
    });
    return coverSurely({polyhedron, parts, pieces}, *search, &progress) &&
           checkFlatSet(polyhedron, search->used()).covers();
  }

  std::atomic<bool> cancelled = false;
  Polyhedron polyhedron{test::cube(1.0)};
  SolidParts parts{polyhedron};
  std::vector<SurfacePiece> pieces{surfacePieces(polyhedron.mesh())};
  std::optional<FlatSearch> search;
};

TEST(CloseGaps, LooksForNoneOnceCancelled) {
  std::vector<Sphere> balls;
  for (const Real x : {-0.5, 0.5})
    for (const Real y : {-0.5, 0.5})
      for (const Real z : {-0.5, 0.5}) balls.push_back({Vec3(x, y, z), 0.5});
  SearchedCube cut(balls), whole(balls);
  const std::size_t before = cut.search->pointCount();
  cut.cancelled = true;
  closeGaps({cut.polyhedron, cut.parts, cut.pieces}, 2, *cut.search);
  EXPECT_EQ(cut.search->pointCount(), before);
  closeGaps({whole.polyhedron, whole.parts, whole.pieces}, 2, *whole.search);
  EXPECT_GT(whole.search->pointCount(), before) << "there was no gap";
}

TEST(ShrinkBalls, LeavesThemAsTheyAreOnceCancelled) {
  SearchedCube cut({{Vec3(0.0), 4.0}}), whole({{Vec3(0.0), 4.0}});
  const Real radius = cut.search->balls()[0].radius;
  cut.cancelled = true;
  shrinkBalls({cut.polyhedron, cut.parts, cut.pieces}, *cut.search);
  EXPECT_EQ(cut.search->balls()[0].radius, radius);
  shrinkBalls({whole.polyhedron, whole.parts, whole.pieces}, *whole.search);
  EXPECT_LT(whole.search->balls()[0].radius, radius);
}

TEST(CoverSurely, EndsWhereABallHasNoSize) {
  // The large ball holds all corners but one, which it misses by a little; there the other sits,
  // which no share of its size makes larger
  for (const Real off : {1e-2, 3e-3, 1e-3, 3e-4}) {
    const Vec3 centre(-off), corner(1.0);
    const Real radius = glm::distance(centre, Vec3(1.0, 1.0, -1.0)) * (1.0 + 1e-12);
    ASSERT_GT(glm::distance(centre, corner), radius);
    SearchedCube cube({{corner, 0.0}, {centre, radius}});
    ASSERT_EQ(cube.search->balls()[0].radius, 0.0);
    EXPECT_TRUE(cube.isCoveredSurely()) << off;
    EXPECT_LT(cube.search->pointCount(), 20'000u) << off;
  }
}

TEST(CoverSurely, EndsWhereABallIsNoBall) {
  // It would hold nothing, whatever it grew to, and cost nothing
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Sphere& none : {Sphere{Vec3(nan), 1.0}, Sphere{Vec3(0.0), nan}, Sphere{}}) {
    SearchedCube cube({none, {Vec3(0.5), 1.0}});
    EXPECT_TRUE(cube.isCoveredSurely());
    SearchedCube alone({none});
    EXPECT_TRUE(alone.isCoveredSurely());
    EXPECT_LT(alone.search->pointCount(), 20'000u);
  }
}

/// Balls about the surface of a cube of half side 1, none of which reaches its middle.
std::vector<Sphere> skin() {
  std::vector<Sphere> spheres;
  for (Real x = -1.0; x <= 1.0; x += 0.25)
    for (Real y = -1.0; y <= 1.0; y += 0.25)
      for (Real z = -1.0; z <= 1.0; z += 0.25)
        if (std::max({std::abs(x), std::abs(y), std::abs(z)}) == 1.0)
          spheres.push_back({Vec3(x, y, z), 0.3});
  return spheres;
}

TEST(FlatSetCheck, FindsAHoleInside) {
  const Polyhedron polyhedron(test::cube(1.0));
  std::vector<Sphere> spheres = skin();
  FlatSetCheck check = checkFlatSet(polyhedron, spheres);
  EXPECT_EQ(check.openTriangles, 0u);
  EXPECT_GT(check.holes, 0u);
  EXPECT_TRUE(polyhedron.contains(check.where));
  EXPECT_GT(measureUnion(polyhedron, spheres).missed, 0.1);

  spheres.push_back({Vec3(0.0), 1.4});
  EXPECT_TRUE(checkFlatSet(polyhedron, spheres).covers());
}

TEST(FlatSetCheck, LeavesHollowsOpen) {
  // From side to side of the walls, and no farther
  std::vector<Sphere> spheres = skin();
  for (Sphere& sphere : spheres) sphere = {0.75 * sphere.centre, 0.45};
  const Polyhedron polyhedron(test::hollowCube());
  EXPECT_EQ(checkFlatSet(polyhedron, spheres).holes, 0u);
  EXPECT_GT(checkFlatSet(Polyhedron(test::cube(1.0)), spheres).holes, 0u);
}

TEST(FlatSetCheck, FindsAnOpenTriangle) {
  const Polyhedron polyhedron(test::cube(1.0));
  const FlatSetCheck check = checkFlatSet(polyhedron, std::vector<Sphere>{{Vec3(0.0), 1.7}});
  EXPECT_EQ(check.openTriangles, 12u);
  EXPECT_NEAR(glm::length(check.where), std::sqrt(3.0), 0.1);
}

/// Balls through the middle of the cube, no other of which holds it.
std::vector<Sphere> throughTheMiddle(int count) {
  test::Random random(8);
  std::vector<Sphere> spheres;
  for (int i = 0; i < count; ++i) {
    const Vec3 centre = random.inCube(0.9);
    spheres.push_back({centre, glm::length(centre)});
  }
  return spheres;
}

TEST(FlatSetCheck, CountsEachThreeSpheresThatMeetInOnePlace) {
  const Polyhedron polyhedron(test::cube(1.0));
  const std::size_t threes = 24 * 23 * 22 / 6;
  const FlatSetCheck check = checkFlatSet(polyhedron, throughTheMiddle(24));
  EXPECT_GE(check.holes, threes);
  EXPECT_LT(check.holes, 1.2 * static_cast<double>(threes));
}

TEST(FlatSetCheck, HearsACancellation) {
  const Polyhedron polyhedron(test::cube(1.0));
  const std::vector<Sphere> spheres = throughTheMiddle(8);
  BuildProgress progress;
  const auto whole = checkFlatSet(polyhedron, spheres, &progress);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->holes, checkFlatSet(polyhedron, spheres).holes);
  EXPECT_EQ(whole->openTriangles, checkFlatSet(polyhedron, spheres).openTriangles);
  EXPECT_GT(whole->openTriangles, 0u);
  progress.cancelled = true;
  const auto cut = checkFlatSet(polyhedron, spheres, &progress);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::Cancelled);

  // Also between one meeting and the next, and no more are looked for than are wanted
  const SolidParts parts(polyhedron);
  EXPECT_GT(holeCorners(parts, spheres, 1000).size(), 8u);
  EXPECT_EQ(holeCorners(parts, spheres, 8).size(), 8u);
  EXPECT_TRUE(holeCorners(parts, spheres, 1000, &progress.cancelled).empty());
  // Parts of what is no solid are polyhedra of their own
  TriangleMesh mesh = test::cube(1.0);
  test::append(mesh, test::cube(1.0), Vec3(0.5));
  const Polyhedron two(mesh);
  EXPECT_FALSE(SolidParts(two).empty());
  EXPECT_TRUE(SolidParts(two, &progress.cancelled).empty());
}

}  // namespace
}  // namespace nearmiss
