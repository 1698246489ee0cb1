// SPDX-License-Identifier: MIT
/// The insphere predicate and exact circumcentres against rational numbers, where they are hardest.
#include "geometry/exact_predicates.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "geometry/uneven_points.h"
#include "oracle/rational.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cross;
using test::dot;
using test::minus;
using test::Random;
using test::rational;
using test::Rational;
using test::RationalPoint;

/// The sign of the determinant with |p|^2 as the fourth column.
int signByRationals(const std::array<Vec3, 5>& p) {
  std::array<RationalPoint, 4> u;
  for (std::size_t i = 0; i < 4; ++i) u[i] = minus(rational(p[i]), rational(p[4]));
  const auto volume = [&](std::size_t i, std::size_t j, std::size_t k) {
    return dot(u[i], cross(u[j], u[k]));
  };
  const Rational determinant =
      dot(u[3], u[3]) * volume(0, 1, 2) - dot(u[2], u[2]) * volume(0, 1, 3) +
      dot(u[1], u[1]) * volume(0, 2, 3) - dot(u[0], u[0]) * volume(1, 2, 3);
  return determinant > 0 ? 1 : determinant < 0 ? -1 : 0;
}

TEST(InSphere, IsPositiveInside) {
  const std::array<Vec3, 4> on{Vec3(1, 0, 0), {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
  const int turn = orientation(on[0], on[1], on[2], on[3]);
  ASSERT_NE(turn, 0);
  const auto at = [&](const Vec3& e) { return turn * inSphere(on[0], on[1], on[2], on[3], e); };
  EXPECT_EQ(at({0.1, 0.2, 0.3}), 1);
  EXPECT_EQ(at({0, 0, -1}), 0);
  EXPECT_EQ(at({0, 0, -std::nextafter(1.0, 2.0)}), -1);
  EXPECT_EQ(at({0, 0, -std::nextafter(1.0, 0.0)}), 1);
}

TEST(InSphere, AgreesWithRationals) {
  Random random(36);
  std::array<int, 3> found{};
  int hard = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    std::array<Vec3, 5> p;
    const int kind = i % 4;
    const Vec3 centre = random.onLattice(kind == 3 ? 1000 : 4);
    for (Vec3& q : p) {
      // Anywhere; on a lattice; a lattice sphere, to the bit; one that rounding has touched
      if (kind == 0) q = random.inCube(1.0);
      if (kind == 1) q = random.onLattice(3);
      if (kind >= 2) {
        Vec3 to(3.0, 4.0, 0.0);
        for (int k = random.whole(0, 2); k > 0; --k) to = Vec3(to.y, to.z, to.x);
        for (int axis = 0; axis < 3; ++axis)
          if (random.chance(0.5)) to[axis] = -to[axis];
        q = centre + (kind == 3 ? 0.1 : 1.0) * to;
      }
    }
    const int expected = signByRationals(p);
    ASSERT_EQ(inSphere(p[0], p[1], p[2], p[3], p[4]), expected) << i;
    ++found[static_cast<std::size_t>(expected + 1)];
    hard += kind == 3 && expected != 0;
  }
  for (const int count : found) EXPECT_GT(count, test::cases(3000) / 20);
  EXPECT_GT(hard, test::cases(3000) / 40);
}

TEST(InSphere, HoldsWhereOneTermOutweighsTheOthers) {
  Random random(38);
  std::array<int, 3> found{};
  const int count = test::cases(10000);
  for (int i = 0; i < count; ++i) {
    const auto p = test::unevenPointsInOnePlane<5>(random);
    const int expected = signByRationals(p);
    ASSERT_EQ(inSphere(p[0], p[1], p[2], p[3], p[4]), expected) << i;
    ++found[static_cast<std::size_t>(expected + 1)];
  }
  for (const int each : found) EXPECT_GT(each, count / 50);
}

TEST(ExactCircumcentre, IsRightHoweverFlatTheTetrahedronIs) {
  Random random(37);
  int flat = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    // Four points on a circle, about, lifted out of its plane by less and less
    const Real lift = std::pow(10.0, random.between(-14.0, 0.0));
    const Quat turn = random.rotation();
    std::array<Vec3, 4> p;
    for (Vec3& q : p) {
      const Vec3 at = random.direction();
      q = Vec3(7.0, -3.0, 1.0) + turn * (glm::normalize(Vec3(at.x, at.y, 0.0)) +
                                         Vec3(0.0, 0.0, lift * random.between(-1.0, 1.0)));
    }
    if (orientation(p[0], p[1], p[2], p[3]) == 0) continue;
    flat += lift < 1e-8;
    const Vec3 centre = exactCircumcentre(p[0], p[1], p[2], p[3]);
    // From the first point: 2 x . u = |u|^2 for the edges u
    const auto a = rational(p[0]);
    const RationalPoint u = minus(rational(p[1]), a), v = minus(rational(p[2]), a),
                        w = minus(rational(p[3]), a);
    const auto vw = cross(v, w), wu = cross(w, u), uv = cross(u, v);
    const Rational twice = 2 * dot(u, vw);
    Real distance = 1.0;
    Vec3 expected;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Rational x =
          (dot(u, u) * vw[axis] + dot(v, v) * wu[axis] + dot(w, w) * uv[axis]) / twice;
      expected[static_cast<int>(axis)] = static_cast<Real>(Rational(x + a[axis]));
      distance += std::abs(static_cast<Real>(x));
    }
    EXPECT_LE(glm::distance(centre, expected), 1e-15 * (8.0 + distance)) << lift;
  }
  EXPECT_GT(flat, test::cases(400) / 4);
}

}  // namespace
}  // namespace nearmiss
