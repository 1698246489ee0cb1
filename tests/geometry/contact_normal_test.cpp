// SPDX-License-Identifier: MIT
/// The contact normal against samples of the surface inside the other solid, closed forms,
/// symmetry.
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/contact_normal.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

Pose reversed(const Pose& pose) {
  const Quat back = glm::conjugate(pose.rotation);
  return {back * -pose.position, back};
}

std::optional<Vec3> normalBetween(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                                  std::size_t maxLeafPairs = std::size_t{1} << 20) {
  ContactSearch search;
  std::uint64_t tests = 0;
  search.begin(a, b, bToA, maxLeafPairs);
  while (!search.ended()) search.step(tests);
  return search.found();
}

Pose at(const Vec3& position) { return {position, glm::identity<Quat>()}; }

std::vector<Polyhedron> solids() {
  std::vector<Polyhedron> all;
  for (TriangleMesh mesh : {test::cube(0.7), test::sphere(10, 14), test::torus(14, 8),
                            test::spikyStar(3, 6, 9, 0.4), test::comb(4, 1.0)})
    all.emplace_back(std::move(mesh));
  return all;
}

/// The area vector of a's surface inside b by midpoints of small parts of every triangle: another
/// way to the same integral, without any contour.
struct SampledArea {
  Vec3 vector{0.0};
  Real size = 0.0;  ///< of the surface inside
};

SampledArea sampledArea(const Polyhedron& a, const Polyhedron& b, const Pose& bToA, Real spacing) {
  const Pose aToB = reversed(bToA);
  SampledArea sum;
  for (std::size_t t = 0; t < a.mesh().triangles.size(); ++t) {
    const auto c = a.mesh().corners(t);
    const Vec3 area = 0.5 * glm::cross(c[1] - c[0], c[2] - c[0]);
    const Real longest =
        std::max({glm::distance(c[0], c[1]), glm::distance(c[1], c[2]), glm::distance(c[2], c[0])});
    const int n = std::max(1, static_cast<int>(std::ceil(longest / spacing)));
    const Vec3 part = area / static_cast<Real>(n * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n - i; ++j)
        for (int upper = 0; upper < (j < n - i - 1 ? 2 : 1); ++upper) {
          const Real u = (i + (upper == 1 ? 2.0 : 1.0) / 3.0) / n;
          const Real v = (j + (upper == 1 ? 2.0 : 1.0) / 3.0) / n;
          const Vec3 p = c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]);
          if (!b.contains(transformed(aToB, p))) continue;
          sum.vector += part;
          sum.size += glm::length(part);
        }
  }
  return sum;
}

TEST(ContactNormal, PointsAgainstTheSurfaceInsideTheOther) {
  const auto all = solids();
  Random random(81);
  int compared = 0, slanted = 0;
  for (int i = 0; i < cases(120); ++i) {
    const auto pair = test::randomNearMissPair(random, all, 0.2);
    const Polyhedron& a = all[pair[0].shape.index()];
    const Polyhedron& b = all[pair[1].shape.index()];
    const Pose bToA = relativePose(pair[0].pose, pair[1].pose);
    const auto normal = normalBetween(a, b, bToA);
    const SampledArea area = sampledArea(a, b, bToA, 0.02);
    // Volumes too small for the samples prove nothing
    if (!(glm::length(area.vector) > 0.02)) continue;
    ASSERT_TRUE(normal) << "case " << i;
    ASSERT_NEAR(glm::length(*normal), 1.0, 1e-12);
    const Vec3 expected = -glm::normalize(area.vector);
    EXPECT_GT(glm::dot(*normal, expected), 0.99) << "case " << i;
    ++compared;
    slanted += glm::dot(*normal, -glm::normalize(bToA.position)) < 0.9;
  }
  EXPECT_GT(compared, cases(120) / 5);
  EXPECT_GT(slanted, compared / 10) << "normals that the line of centres would not do for";
}

TEST(ContactNormal, IsTheSameSeenFromTheOtherSide) {
  const auto all = solids();
  Random random(82);
  int found = 0;
  for (int i = 0; i < cases(2000); ++i) {
    const auto pair = test::randomNearMissPair(random, all, 0.0);
    const Polyhedron& a = all[pair[0].shape.index()];
    const Polyhedron& b = all[pair[1].shape.index()];
    const Pose bToA = relativePose(pair[0].pose, pair[1].pose);
    const auto there = normalBetween(a, b, bToA);
    const auto back = normalBetween(b, a, reversed(bToA));
    const bool touches = distanceBetween(a, b, bToA) == 0.0;
    ASSERT_EQ(there.has_value(), back.has_value()) << "case " << i;
    ASSERT_TRUE(touches || !there) << "case " << i;
    if (!there) continue;
    ++found;
    // One that lies inside the other has many ways out; these are compared below
    if (oneInsideOther(a, b, bToA)) continue;
    ASSERT_LT(glm::distance(*there, -(bToA.rotation * *back)), 1e-6) << "case " << i;
  }
  EXPECT_GT(found, cases(2000) / 4);
}

TEST(ContactNormal, IsTheFaceNormalOfBoxesThatOverlapFaceToFace) {
  const Polyhedron large(test::cube(1.0)), small(test::cube(0.4));
  for (int axis = 0; axis < 3; ++axis)
    for (const Real sign : {1.0, -1.0}) {
      Vec3 offset(0.11, -0.07, 0.05);
      offset[axis] = sign * 1.3;
      Vec3 expected(0.0);
      expected[axis] = -sign;
      const auto normal = normalBetween(large, small, at(offset));
      ASSERT_TRUE(normal);
      EXPECT_LT(glm::distance(*normal, expected), 1e-12);
    }
}

TEST(ContactNormal, IsTheLineOfCentresOfBalls) {
  const Polyhedron ball(test::sphere(40, 60));
  Random random(83);
  for (int i = 0; i < cases(40); ++i) {
    const Vec3 away = random.direction();
    const auto normal = normalBetween(ball, ball, {1.6 * away, random.rotation()});
    ASSERT_TRUE(normal);
    EXPECT_GT(glm::dot(*normal, -away), 0.995);
  }
}

TEST(ContactNormal, LeadsOutTheShortestWayFromInside) {
  const Polyhedron room(test::box({-3, -2, -1}, {3, 2, 1})), guest(test::cube(0.3));
  Random random(84);
  for (int i = 0; i < cases(300); ++i) {
    const Vec3 centre{random.between(-2.4, 2.4), random.between(-1.4, 1.4),
                      random.between(-0.4, 0.4)};
    const Pose pose{centre, random.rotation()};
    // The one of the six walls through which the last corner gets soonest
    Vec3 expected(0.0);
    Real shortest = std::numeric_limits<Real>::infinity(), second = shortest;
    const Vec3 half{3, 2, 1};
    for (int axis = 0; axis < 3; ++axis)
      for (const Real sign : {1.0, -1.0}) {
        Real last = 0.0;
        for (const Vec3& corner : guest.mesh().positions)
          last = std::max(last, half[axis] - sign * transformed(pose, corner)[axis]);
        if (last < shortest) {
          second = shortest;
          shortest = last;
          expected = Vec3(0.0);
          expected[axis] = sign;
        } else {
          second = std::min(second, last);
        }
      }
    if (second - shortest < 1e-6) continue;
    ASSERT_TRUE(oneInsideOther(room, guest, pose));
    const auto normal = normalBetween(room, guest, pose);
    ASSERT_TRUE(normal);
    EXPECT_LT(glm::distance(*normal, -expected), 1e-9) << "the room goes the other way";
    const auto seenByGuest = normalBetween(guest, room, reversed(pose));
    ASSERT_TRUE(seenByGuest);
    EXPECT_LT(glm::distance(pose.rotation * *seenByGuest, expected), 1e-9);
  }
}

TEST(ContactNormal, MovesWithTheBoxesThatCrossAtACorner) {
  const Polyhedron box(test::cube(1.0));
  const auto corner = normalBetween(box, box, at({1.6, 1.6, 1.6}));
  ASSERT_TRUE(corner);
  EXPECT_LT(glm::distance(*corner, Vec3(-std::sqrt(1.0 / 3.0))), 1e-12);
}

TEST(ContactNormal, IsNotSoughtAmongTooManyLeaves) {
  const Polyhedron ball(test::sphere(40, 60));
  const Pose near = at({1.6, 0.0, 0.0});
  EXPECT_TRUE(normalBetween(ball, ball, near));
  EXPECT_FALSE(normalBetween(ball, ball, near, 1));
}

TEST(ContactNormal, LessensTheSharedVolumeFastest) {
  // Of two slabs that overlap by a wedge: any other direction lessens it less
  const Polyhedron a(test::box({-1, -1, -1}, {1, 1, 0})), b(test::box({-1, -1, 0}, {1, 1, 1}));
  const Quat tilt = glm::angleAxis(0.2, glm::normalize(Vec3(1, 1, 0)));
  const Pose pose{{0, 0, -0.1}, tilt};
  const auto normal = normalBetween(a, b, pose);
  ASSERT_TRUE(normal);
  EXPECT_LT(normal->z, -0.9);
}

TEST(ContactNormal, IsNotThereWithoutContactOrDirection) {
  const Polyhedron cube(test::cube(1.0));
  EXPECT_FALSE(normalBetween(cube, cube, at({2.5, 0, 0})));
  // A rod through a plate leaves it on both sides alike
  const Polyhedron plate(test::box({-1, -1, -0.1}, {1, 1, 0.1}));
  const Polyhedron rod(test::box({-0.1, -0.1, -1}, {0.1, 0.1, 1}));
  EXPECT_FALSE(normalBetween(plate, rod, at({0.01, 0.02, 0.03})));
  // Corner against face, exactly: a contact without a contour
  const Polyhedron tip(TriangleMesh{{{0, 0, 0}, {-1, -1, 2}, {1, -1, 2}, {0, 1, 2}},
                                    {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}});
  EXPECT_FALSE(normalBetween(cube, tip, at({0.1, 0.2, 1.0})));
}

}  // namespace
}  // namespace nearmiss
