// SPDX-License-Identifier: MIT
/// Segments in which triangles cross: every path against one pair at a time, bit for bit.
#include "geometry/crossings.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <optional>
#include <utility>

#include "support/campaign.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using Segment = std::array<Vec3, 2>;

/// Where a triangle's edges cross a plane, by increasing place along a line; nothing if they do
/// not.
std::optional<std::array<std::pair<Real, Vec3>, 2>> spanOf(const Triangle& t, const Vec3& onPlane,
                                                           const Vec3& normal, const Vec3& along) {
  std::array<Real, 3> height{};
  for (std::size_t i = 0; i < 3; ++i) height[i] = glm::dot(t[i] - onPlane, normal);
  std::array<std::pair<Real, Vec3>, 2> ends;
  std::size_t found = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if ((height[i] < 0.0) == (height[j] < 0.0)) continue;
    const Vec3 at = t[i] + (t[j] - t[i]) * (height[i] / (height[i] - height[j]));
    ends[found++] = {glm::dot(at, along), at};
  }
  if (found < 2) return std::nullopt;
  if (!(ends[0].first <= ends[1].first)) std::swap(ends[0], ends[1]);
  return ends;
}

std::optional<Segment> segmentOf(const Triangle& a, const Triangle& b) {
  const auto normalOf = [](const Triangle& t) { return glm::cross(t[1] - t[0], t[2] - t[0]); };
  const Vec3 normalA = normalOf(a), normalB = normalOf(b), along = glm::cross(normalA, normalB);
  const auto spanA = spanOf(a, b[0], normalB, along), spanB = spanOf(b, a[0], normalA, along);
  if (!spanA || !spanB) return std::nullopt;
  const auto begin = (*spanA)[0].first > (*spanB)[0].first ? (*spanA)[0] : (*spanB)[0];
  const auto end = (*spanA)[1].first < (*spanB)[1].first ? (*spanA)[1] : (*spanB)[1];
  if (!(begin.first < end.first)) return std::nullopt;
  return Segment{begin.second, end.second};
}

Triangle randomTriangle(test::Random& random) {
  Triangle t{random.inCube(1.0), random.inCube(1.0), random.inCube(1.0)};
  // Needles, points, edges and corners in common planes
  if (random.chance(0.1)) t[2] = t[0] + 1e-12 * random.inCube(1.0);
  if (random.chance(0.05)) t[1] = t[0];
  if (random.chance(0.3))
    for (Vec3& corner : t) corner = glm::round(2.0 * corner) * 0.5;
  return t;
}

TEST(Crossings, AreThoseOfOnePairAfterTheOtherOnEveryPath) {
  ASSERT_FALSE(crossingPaths().empty());
  test::Random random(17);
  int crossing = 0, apart = 0;
  for (int i = 0; i < test::cases(20000); ++i) {
    CrossingPairs pairs;
    std::array<std::optional<Segment>, CrossingPairs::width> expected;
    for (std::size_t lane = 0; lane < CrossingPairs::width; ++lane) {
      const Triangle a = randomTriangle(random), b = randomTriangle(random);
      pairs.put(lane, a, b);
      expected[lane] = segmentOf(a, b);
      ++(expected[lane] ? crossing : apart);
    }
    for (const CrossingPath& path : crossingPaths()) {
      CrossingSegments segments;
      const unsigned found = path.find(pairs, segments);
      for (std::size_t lane = 0; lane < CrossingPairs::width; ++lane) {
        ASSERT_EQ((found >> lane & 1u) != 0, expected[lane].has_value()) << path.name << ' ' << i;
        if (!expected[lane]) continue;
        const Segment got{segments.beginOf(lane), segments.endOf(lane)};
        ASSERT_EQ(std::memcmp(got.data(), expected[lane]->data(), sizeof got), 0)
            << path.name << ' ' << i;
      }
    }
  }
  EXPECT_GT(crossing, test::cases(5000));
  EXPECT_GT(apart, test::cases(5000));
}

TEST(Crossings, RunAlongTheCrossProductOfTheNormals) {
  // A floor, and a wall that stands on both sides of it
  const Triangle floor{Vec3(-1, -1, 0), Vec3(3, -1, 0), Vec3(-1, 3, 0)};
  const Triangle wall{Vec3(0, 0, -1), Vec3(1, 0, -1), Vec3(0.5, 0, 1)};
  for (const CrossingPath& path : crossingPaths()) {
    CrossingPairs pairs;
    CrossingSegments segments;
    pairs.put(3, floor, wall);
    ASSERT_EQ(path.find(pairs, segments), 8u) << path.name;
    // The normals are (0, 0, 16) and (0, -2, 0), their product leads along x
    EXPECT_EQ(segments.beginOf(3), Vec3(0.25, 0, 0)) << path.name;
    EXPECT_EQ(segments.endOf(3), Vec3(0.75, 0, 0)) << path.name;
  }
}

}  // namespace
}  // namespace nearmiss
