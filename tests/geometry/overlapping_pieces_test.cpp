// SPDX-License-Identifier: MIT
/// Pieces whose volume says nothing about where they fit: it counts parts of space twice where they
/// pass through themselves, or lie within themselves, and of slender ones it is rounded.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "support/hard_meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// A tube about the unit circle that goes round so many times, each through the other.
TriangleMesh hose(int rounds, Real radius) {
  constexpr int around = 48, across = 8;
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i) {
    const Real turn = 2.0 * std::numbers::pi * i / around;
    const Vec3 out(std::cos(rounds * turn), std::sin(rounds * turn), 0.0);
    const Vec3 middle = out + Vec3(0.0, 0.0, rounds > 1 ? 0.05 * std::sin(turn) : 0.0);
    for (int j = 0; j < across; ++j) {
      const Real side = 2.0 * std::numbers::pi * j / across;
      mesh.positions.push_back(
          middle + radius * (std::cos(side) * out + std::sin(side) * Vec3(0.0, 0.0, 1.0)));
    }
  }
  const auto at = [](int i, int j) {
    return static_cast<std::uint32_t>(i % around * across + j % across);
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

/// Cones in each other, all with their tip in the origin.
TriangleMesh nestedCones(int count, Real height, Real radius) {
  constexpr std::uint32_t sides = 24;
  TriangleMesh mesh{{Vec3(0.0)}, {}};
  for (int n = 0; n < count; ++n) {
    const Real part = 1.0 - 0.05 * n;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t k = 0; k < sides; ++k) {
      const Real turn = 2.0 * std::numbers::pi * k / sides;
      mesh.positions.emplace_back(part * part * part * radius * std::cos(turn),
                                  part * part * part * radius * std::sin(turn), part * height);
    }
    mesh.positions.emplace_back(0.0, 0.0, part * height);
    for (std::uint32_t k = 0; k < sides; ++k) {
      const std::uint32_t p = first + k, q = first + (k + 1) % sides;
      mesh.triangles.push_back({0, q, p});
      mesh.triangles.push_back({first + sides, p, q});
    }
  }
  return mesh;
}

TEST(OneInsideOther, OfWhatCountsSpaceTwice) {
  const auto volumeOf = [](const Polyhedron& polyhedron) {
    return std::abs(polyhedron.report().volume);
  };
  // Through itself
  const Polyhedron ring(hose(1, 0.41)), wound(hose(2, 0.3));
  ASSERT_TRUE(ring.report().solid());
  ASSERT_TRUE(wound.report().closed());
  ASSERT_GT(wound.report().selfIntersections, 0u);
  ASSERT_EQ(wound.components().size(), 1u);
  ASSERT_GT(std::abs(wound.components()[0].volume), volumeOf(ring));
  for (const Vec3& point : wound.mesh().positions) ASSERT_TRUE(ring.contains(point));
  EXPECT_TRUE(oneInsideOther(ring, wound, {}));
  EXPECT_TRUE(oneInsideOther(wound, ring, {}));
  // Within itself
  const Polyhedron cone(nestedCones(1, 1.05, 1.15)), cones(nestedCones(3, 1.0, 1.0));
  ASSERT_TRUE(cone.report().solid() && cones.report().closed());
  ASSERT_EQ(cones.report().selfIntersections, 0u);
  ASSERT_EQ(cones.components().size(), 1u);
  ASSERT_GT(volumeOf(cones), volumeOf(cone));
  const Pose above{{0.0, 0.0, 0.03}, glm::identity<Quat>()};
  EXPECT_TRUE(oneInsideOther(cone, cones, above));
  EXPECT_TRUE(oneInsideOther(cones, cone, {-above.position, above.rotation}));
}

TEST(OneInsideOther, OfSlenderRodsThatNearlyFill) {
  test::Random random(6);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const Vec3 along = random.direction();
    const Real less = 1.0 - 1e-6;
    const Polyhedron outer(test::rod(along, 1.0, 1e-6)), inner(test::rod(along, less, less * 1e-6));
    ASSERT_TRUE(outer.report().solid() && inner.report().solid());
    EXPECT_TRUE(mayHold(outer, inner));
    EXPECT_TRUE(oneInsideOther(outer, inner, {}));
    EXPECT_TRUE(oneInsideOther(inner, outer, {}));
  }
}

}  // namespace
}  // namespace nearmiss
