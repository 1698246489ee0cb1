// SPDX-License-Identifier: MIT
/// Turned boxes: how they fit, and how Gottschalk's tree splits them [GLM96].
#include <nearmiss/advanced/predicates.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "rivals/bounding_volumes.h"
#include "rivals/obb_tree.h"
#include "rivals/swept_volumes.h"
#include "support/campaign.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

Real volumeOf(const Vec3& half) noexcept { return 8.0 * half.x * half.y * half.z; }

/// Points all over the surface of a box of these half sides, its corners among them.
std::vector<Vec3> slab(Random& random, const Vec3& half) {
  std::vector<Vec3> points;
  for (int corner = 0; corner < 8; ++corner)
    points.push_back(half * Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
  for (int i = 0; i < 40; ++i) {
    Vec3 p = half * random.inCube(1.0);
    const int side = random.whole(0, 2);
    p[side] = std::copysign(half[side], p[side]);
    points.push_back(p);
  }
  return points;
}

/// A sliver turned at random has a box no larger than the sliver before it was turned, while boxes
/// along the frame's axes are hundreds of times as large.
TEST(HullAxes, FitASliverHoweverItIsTurned) {
  Random random(1);
  Real frames = 0.0, swept = 0.0;
  const int count = cases(200);
  for (int i = 0; i < count; ++i) {
    const Vec3 half(1.0, random.between(0.05, 0.2), random.between(0.005, 0.02));
    std::vector<Vec3> points = slab(random, half);
    const Quat turn = random.rotation();
    const Vec3 shift = random.inCube(10.0);
    for (Vec3& p : points) p = turn * p + shift;
    const auto box = TurnedBoxVolume::along(hullAxes(points), points);
    ASSERT_LT(volumeOf(box.half), 1.0001 * volumeOf(half)) << i;
    frames += volumeOf(AlignedBoxVolume::around(points).half) / volumeOf(half) / count;
    // The same of axes by points: the corners outweigh what lies at random
    const auto byPoints = TurnedBoxVolume::around(points);
    ASSERT_LT(volumeOf(byPoints.half), 4.0 * volumeOf(half)) << i;
    const auto rectangle = SweptRectangle::around(points);
    swept += rectangle.radius / half.z / count;
  }
  EXPECT_GT(frames, 100.0);
  EXPECT_LT(swept, 5.0) << "a ball swept over the sliver's rectangle is as thin as the sliver";
}

/// Points within the hull, and crowds of points in one corner, turn the box of points and leave
/// that of the hull.
TEST(HullAxes, HeedTheHullAlone) {
  Random random(2);
  int turned = 0;
  for (int i = 0; i < cases(100); ++i) {
    const Vec3 half(1.0, 0.5, 0.2);
    std::vector<Vec3> points = slab(random, half);
    const Quat turn = random.rotation();
    for (Vec3& p : points) p = turn * p;
    const Real alone = volumeOf(TurnedBoxVolume::along(hullAxes(points), points).half);
    const Vec3 corner = turn * (0.98 * half * Vec3(1.0, 1.0, -1.0));
    for (int k = 0; k < 300; ++k) points.push_back(corner + 1e-3 * random.inCube(1.0));
    EXPECT_NEAR(volumeOf(TurnedBoxVolume::along(hullAxes(points), points).half), alone,
                1e-6 * alone);
    turned += volumeOf(TurnedBoxVolume::around(points).half) > 1.3 * alone;
  }
  EXPECT_GT(turned, cases(100) / 2);
}

/// Polygons and lines have axes of their own, as each triangle of a leaf has.
TEST(HullAxes, FitWhatIsFlat) {
  Random random(3);
  for (int i = 0; i < cases(200); ++i) {
    const Quat turn = i % 2 ? random.rotation() : glm::identity<Quat>();
    std::vector<Vec3> points;
    for (const Real x : {-1.0, 1.0})
      for (const Real y : {-0.1, 0.1}) points.push_back(turn * Vec3(x, y, 0.0));
    // Crowded in one place
    for (int k = 0; k < 50; ++k)
      points.push_back(turn * Vec3(0.9 + 0.05 * random.unit(), 0.09 * random.unit(), 0.0));
    const auto box = TurnedBoxVolume::along(hullAxes(points), points);
    EXPECT_NEAR(box.half.x, 1.0, 1e-6);
    EXPECT_NEAR(box.half.y, 0.1, 1e-6);
    EXPECT_NEAR(box.half.z, 0.0, 1e-12);
    const std::vector<Vec3> line{turn * Vec3(0.0), turn * Vec3(1.0), turn * Vec3(0.3)};
    const auto stroke = TurnedBoxVolume::along(hullAxes(line), line);
    EXPECT_NEAR(stroke.half.x, 0.5 * std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(stroke.half.y, 0.0, 1e-12);
  }
  const std::vector<Vec3> point{Vec3(1.0, 2.0, 3.0)};
  EXPECT_EQ(hullAxes(point), glm::dmat3(1.0));
}

/// Children part their triangles by the mean across the longest side that parts them; leaves have
/// one triangle, or several that no side parts. Boxes hold what is below.
TEST(ObbTree, SplitsAtTheMeanAcrossTheLongestSideThatSplits) {
  std::vector<TriangleMesh> meshes{test::torus(30, 14), test::spikyStar(3, 14, 18),
                                   test::heap(150)};
  // The same triangle several times, which nothing parts
  TriangleMesh same = test::cube();
  for (int k = 0; k < 5; ++k) same.triangles.push_back(same.triangles[0]);
  meshes.push_back(same);
  // Two triangles one above the other, which only the shortest side parts
  TriangleMesh twins;
  for (const Real z : {0.0, 0.05})
    for (const Vec3& p : {Vec3(-1.0, 0.0, z), Vec3(1.0, 0.0, z), Vec3(0.0, 0.4, z)})
      twins.positions.push_back(p);
  twins.triangles = {{0, 1, 2}, {3, 4, 5}};
  meshes.push_back(twins);
  int splits = 0, across = 0, bunches = 0;
  for (const TriangleMesh& mesh : meshes) {
    const ObbTree tree(mesh);
    std::vector<int> listed(mesh.triangles.size(), 0);
    const std::function<std::vector<std::uint32_t>(std::uint32_t)> below =
        [&](std::uint32_t node) -> std::vector<std::uint32_t> {
      if (tree.leaf(node)) {
        const auto own = tree.boxes.trianglesOf(tree.boxes.nodes[node]);
        return {own.begin(), own.end()};
      }
      std::vector<std::uint32_t> all = below(node + 1);
      const auto second = below(tree.boxes.nodes[node].offset);
      all.insert(all.end(), second.begin(), second.end());
      return all;
    };
    for (std::uint32_t node = 0; node < tree.boxes.nodes.size(); ++node) {
      const std::vector<std::uint32_t> triangles = below(node);
      const TurnedBoxVolume& box = tree.volume(node);
      Vec3 mean(0.0);
      for (const std::uint32_t t : triangles)
        for (const Vec3& corner : mesh.corners(t)) {
          mean += corner / static_cast<Real>(3 * triangles.size());
          const Vec3 own = glm::abs((corner - box.centre) * box.axes);
          for (int k = 0; k < 3; ++k) ASSERT_LE(own[k], box.half[k] + 1e-12);
        }
      std::array<int, 3> sides{0, 1, 2};
      std::ranges::stable_sort(sides, std::greater<>{}, [&](int k) { return box.half[k]; });
      // The side of the mean that a triangle's middle lies on, across one axis
      const auto beyond = [&](std::uint32_t t, int side) {
        const Triangle c = mesh.corners(t);
        return glm::dot((c[0] + c[1] + c[2]) / 3.0 - mean, box.axes[side]);
      };
      const auto splitting = std::ranges::find_if(sides, [&](int side) {
        const auto [least, most] =
            std::ranges::minmax(triangles, {}, [&](std::uint32_t t) { return beyond(t, side); });
        return beyond(most, side) - beyond(least, side) > 1e-12 * box.half[sides[0]];
      });
      if (tree.leaf(node)) {
        for (const std::uint32_t t : triangles) ++listed[t];
        EXPECT_TRUE(triangles.size() == 1 || splitting == sides.end());
        bunches += triangles.size() > 1;
        continue;
      }
      ASSERT_NE(splitting, sides.end());
      ++splits;
      across += splitting != sides.begin();
      for (const std::uint32_t t : below(node + 1)) ASSERT_LE(beyond(t, *splitting), 1e-12);
      for (const std::uint32_t t : below(tree.boxes.nodes[node].offset))
        ASSERT_GE(beyond(t, *splitting), -1e-12);
    }
    EXPECT_TRUE(std::ranges::all_of(listed, [](int times) { return times == 1; }));
  }
  EXPECT_GT(splits, 500);
  EXPECT_GT(across, 0) << "some nodes fall back to another side";
  EXPECT_EQ(bunches, 1);
}

}  // namespace
}  // namespace nearmiss
