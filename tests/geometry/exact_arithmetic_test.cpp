// SPDX-License-Identifier: MIT
#include "geometry/exact_arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "geometry/exact_predicates.h"
#include "geometry/uneven_points.h"
#include "oracle/rational.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using exact::Expansion;
using test::Random;
using test::Rational;

double anyDouble(Random& random) {
  const double mantissa = random.between(-1.0, 1.0);
  // Short mantissas make ties and cancellation likely
  const double kept = random.chance(0.5) ? mantissa : std::round(mantissa * 16) / 16;
  return std::ldexp(kept, random.whole(-60, 60));
}

template <std::size_t n>
Rational valueOf(const Expansion<n>& e) {
  Rational sum = 0;
  for (std::size_t i = 0; i < e.size(); ++i) sum += Rational(e[i]);
  return sum;
}

/// The value of the lowest bit that is set.
double lowestBit(double a) {
  int exponent = 0;
  auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(a, &exponent), 53));
  return std::ldexp(static_cast<double>(digits & -digits), exponent - 53);
}

template <std::size_t n>
void expectWellFormed(const Expansion<n>& e) {
  for (std::size_t i = 0; i < e.size(); ++i) {
    ASSERT_NE(e[i], 0.0);
    const double below = i > 0 ? std::fabs(e[i - 1]) : 0.0;
    ASSERT_LT(below, lowestBit(e[i])) << "terms overlap";
  }
}

/// The next double up or down, but never below 1e-50: products must not underflow.
double beside(Random& random, double a) {
  if (a == 0.0) return random.chance(0.5) ? 1e-50 : -1e-50;
  return std::nextafter(a, random.chance(0.5) ? 1e3 : -1e3);
}

/// Triangles twice, once turned over, but for the last: what they enclose cancels.
TEST(ExactVolume, IsRightToAnUlpWhereTermsCancel) {
  Random random(14);
  for (int i = 0; i < test::cases(500); ++i) {
    std::vector<Triangle> triangles;
    for (int k = random.whole(1, 4); k > 0; --k) {
      Triangle t;
      for (Vec3& corner : t)
        corner = {beside(random, random.whole(-9, 9)), beside(random, random.whole(-9, 9)),
                  beside(random, random.whole(-9, 9))};
      triangles.push_back(t);
      triangles.push_back({t[1], t[0], t[2]});
    }
    const bool cancels = random.chance(0.2);
    if (!cancels) triangles.pop_back();
    for (std::size_t k = triangles.size(); k > 1; --k)
      std::swap(triangles[k - 1], triangles[random.bits() % k]);
    ExactVolume volume;
    Rational truth = 0;
    for (const Triangle& t : triangles) {
      volume.add(t);
      const auto minor = [&t](int x, int y) {
        return Rational(t[1][x]) * Rational(t[2][y]) - Rational(t[1][y]) * Rational(t[2][x]);
      };
      truth += Rational(t[0].x) * minor(1, 2) + Rational(t[0].y) * minor(2, 0) +
               Rational(t[0].z) * minor(0, 1);
    }
    ASSERT_EQ(truth == 0, cancels) << i;
    const Real found = volume.sixfold(), expected = static_cast<Real>(truth);
    EXPECT_LE(std::abs(found - expected), 1e-15 * std::abs(expected)) << i;
  }
}

TEST(ExactArithmetic, TwoTermOperationsLoseNothing) {
  Random random(1);
  for (int i = 0; i < test::cases(20000); ++i) {
    const double a = anyDouble(random), b = anyDouble(random);
    const auto sum = exact::twoSum(a, b);
    const auto product = exact::twoProduct(a, b);
    ASSERT_EQ(Rational(sum.head) + Rational(sum.tail), Rational(a) + Rational(b));
    ASSERT_EQ(Rational(product.head) + Rational(product.tail), Rational(a) * Rational(b));
    ASSERT_EQ(sum.head, a + b);
    ASSERT_EQ(product.head, a * b);
  }
}

TEST(ExactArithmetic, ExpansionsAddAndMultiplyAsRationals) {
  Random random(2);
  int longSums = 0;
  const int count = test::cases(5000);
  for (int i = 0; i < count; ++i) {
    const auto a = exact::difference(anyDouble(random), anyDouble(random));
    const auto b = exact::difference(anyDouble(random), anyDouble(random));
    const auto c = exact::difference(anyDouble(random), anyDouble(random));
    const auto d = exact::difference(anyDouble(random), anyDouble(random));
    const auto minor = a * b - c * d;
    const auto volume = minor * a + (a * c) * d;
    const Rational exactMinor = valueOf(a) * valueOf(b) - valueOf(c) * valueOf(d);
    const Rational exactVolume = exactMinor * valueOf(a) + valueOf(a) * valueOf(c) * valueOf(d);
    ASSERT_EQ(valueOf(minor), exactMinor);
    ASSERT_EQ(valueOf(volume), exactVolume);
    ASSERT_EQ(volume.sign(), exactVolume.sign());
    expectWellFormed(volume);
    longSums += volume.size() > 4;
  }
  EXPECT_GT(longSums, count / 2);
}

TEST(ExactArithmetic, NothingIsTheSumOfOpposites) {
  const auto a = exact::difference(0.1, 1e-30);
  EXPECT_EQ((a - a).size(), 0u);
  EXPECT_EQ((a - a).sign(), 0);
  EXPECT_EQ(((a - a) * a[0]).sign(), 0);
}

/// Four points of which the last lies nearly or exactly in the plane of the others.
std::array<Vec3, 4> nearlyCoplanar(Random& random) {
  std::array<Vec3, 4> p{random.inCube(10), random.inCube(10), random.inCube(10), Vec3(0.0)};
  if (random.chance(0.3))
    for (Vec3& q : p) q = random.onLattice(2);
  const Real s = random.between(-1, 2), t = random.between(-1, 2);
  if (random.chance(0.8)) p[3] = p[0] + s * (p[1] - p[0]) + t * (p[2] - p[0]);
  for (int axis = 0; axis < 3; ++axis)
    for (int ulps = random.whole(0, 2); ulps > 0; --ulps) p[3][axis] = beside(random, p[3][axis]);
  return p;
}

TEST(Orientation, AgreesWithRationalsOnNearlyCoplanarPoints) {
  Random random(3);
  int zeros = 0, positive = 0;
  const int count = test::cases(20000);
  for (int i = 0; i < count; ++i) {
    const auto p = nearlyCoplanar(random);
    const int expected = test::rationalOrientation(p[0], p[1], p[2], p[3]);
    ASSERT_EQ(orientation(p[0], p[1], p[2], p[3]), expected) << i;
    ASSERT_EQ(orientation(p[1], p[0], p[2], p[3]), -expected) << i;
    const Triangle triangle{p[0], p[1], p[2]};
    ASSERT_EQ(TrianglePlane(triangle).side(p[3]), expected) << i;
    zeros += expected == 0;
    positive += expected > 0;
  }
  EXPECT_GT(zeros, count / 50);
  EXPECT_GT(positive, count / 5);
  EXPECT_LT(positive, count * 4 / 5);
}

TEST(Orientation, HoldsWhereOneTermOutweighsTheOthers) {
  Random random(6);
  std::array<int, 3> found{};
  const int count = test::cases(20000);
  for (int i = 0; i < count; ++i) {
    const auto p = test::unevenPointsInOnePlane<4>(random);
    const int expected = test::rationalOrientation(p[0], p[1], p[2], p[3]);
    ASSERT_EQ(orientation(p[0], p[1], p[2], p[3]), expected) << i;
    const Triangle triangle{p[0], p[1], p[2]};
    ASSERT_EQ(TrianglePlane(triangle).side(p[3]), expected) << i;
    ++found[static_cast<std::size_t>(expected + 1)];
  }
  for (const int each : found) EXPECT_GT(each, count / 50);
}

TEST(Orientation, IsPositiveOnTheSideAwayFromTheNormal) {
  EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), 1);
  EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), -1);
  EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 7, 0}), 0);
}

TEST(Orientation2d, AgreesWithRationalsOnNearlyCollinearPoints) {
  Random random(4);
  int zeros = 0;
  const int count = test::cases(20000);
  for (int i = 0; i < count; ++i) {
    Vec3 a = random.inCube(10), b = random.inCube(10);
    if (random.chance(0.3)) a = random.onLattice(4), b = random.onLattice(4);
    Vec3 c = a + random.whole(-4, 4) * 0.25 * (b - a);
    if (random.chance(0.5)) c.y = beside(random, c.y);
    const auto u = test::minus(test::rational(b), test::rational(a));
    const auto v = test::minus(test::rational(c), test::rational(a));
    const auto normal = test::cross(u, v);
    for (const Projection projection : projections)
      ASSERT_EQ(orientation2d(projection, a, b, c), normal[static_cast<int>(projection)].sign())
          << i;
    ASSERT_EQ(collinear(a, b, c), test::isZero(normal));
    zeros += test::isZero(normal);
  }
  EXPECT_GT(zeros, count / 50);
  EXPECT_LT(zeros, count * 4 / 5);
}

TEST(ExactTests, PointsInTrianglesAgreeWithClipping) {
  Random random(5);
  int hits = 0;
  const int count = test::cases(8000);
  for (int i = 0; i < count; ++i) {
    const Triangle t{random.onLattice(2), random.onLattice(2), random.onLattice(2)};
    Vec3 p = random.onLattice(2);
    if (random.chance(0.5)) p = 0.5 * (t[0] + t[random.whole(0, 2)]);
    if (random.chance(0.2)) p = 0.25 * (t[0] + t[1]) + 0.5 * t[2];
    const bool expected = test::trianglesMeetByClipping({p, p, p}, t);
    ASSERT_EQ(pointInTriangle(p, t), expected) << i;
    hits += expected;
  }
  EXPECT_GT(hits, count / 5);
  EXPECT_LT(hits, count * 4 / 5);
}

}  // namespace
}  // namespace nearmiss
