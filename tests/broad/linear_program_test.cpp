// SPDX-License-Identifier: MIT
/// Small linear programs against all vertices, in rational numbers.
#include "broad/small_linear_program.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "oracle/rational.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;
using test::Rational;

/// Half-spaces over a box, all of small whole numbers.
template <int dimension, std::size_t most>
struct Program {
  std::array<Real, dimension> cost{}, low{}, high{};
  std::array<HalfSpace<dimension>, most> halfSpaces{};
  std::size_t count = 0;

  explicit Program(Random& random) : count(random.bits() % most) {
    for (int k = 0; k < dimension; ++k) {
      cost[k] = random.whole(-2, 2);
      low[k] = random.whole(-4, 1);
      high[k] = low[k] + random.whole(0, 5);
    }
    // Those beyond the count have no part in it
    for (HalfSpace<dimension>& half : halfSpaces) {
      for (Real& n : half.normal) n = random.whole(-3, 3);
      half.limit = random.whole(-4, 4);
    }
  }
};

/// Where the first `dimension` of these planes meet: by elimination, if in one point.
template <int dimension>
std::optional<std::array<Rational, dimension>> meetingPoint(
    std::array<std::array<Rational, dimension + 1>, dimension> rows) {
  for (int column = 0; column < dimension; ++column) {
    int with = column;
    while (with < dimension && rows[with][column] == 0) ++with;
    if (with == dimension) return std::nullopt;
    std::swap(rows[column], rows[with]);
    for (int row = 0; row < dimension; ++row) {
      if (row == column) continue;
      const Rational factor = rows[row][column] / rows[column][column];
      for (int k = 0; k <= dimension; ++k) rows[row][k] -= factor * rows[column][k];
    }
  }
  std::array<Rational, dimension> point;
  for (int k = 0; k < dimension; ++k) point[k] = rows[k][dimension] / rows[k][k];
  return point;
}

/// The least cost of all points in which as many planes meet as there are variables, and which keep
/// all constraints: a program over a box has its minimum there.
template <int dimension, std::size_t most>
std::optional<Rational> leastByVertices(const Program<dimension, most>& program) {
  std::array<std::array<Rational, dimension + 1>, most + 2 * dimension> planes{};
  std::size_t count = 0;
  for (int k = 0; k < dimension; ++k) {
    planes[count][k] = 1;
    planes[count++][dimension] = program.high[k];
    planes[count][k] = -1;
    planes[count++][dimension] = -program.low[k];
  }
  for (std::size_t i = 0; i < program.count; ++i, ++count) {
    for (int k = 0; k < dimension; ++k) planes[count][k] = program.halfSpaces[i].normal[k];
    planes[count][dimension] = program.halfSpaces[i].limit;
  }

  std::optional<Rational> least;
  std::array<std::array<Rational, dimension + 1>, dimension> chosen;
  const auto choose = [&](const auto& self, std::size_t from, int have) -> void {
    if (have < dimension) {
      for (std::size_t i = from; i < count; ++i) {
        chosen[have] = planes[i];
        self(self, i + 1, have + 1);
      }
      return;
    }
    const auto point = meetingPoint<dimension>(chosen);
    if (!point) return;
    for (std::size_t i = 0; i < count; ++i) {
      Rational side = -planes[i][dimension];
      for (int k = 0; k < dimension; ++k) side += planes[i][k] * (*point)[k];
      if (side > 0) return;
    }
    Rational cost = 0;
    for (int k = 0; k < dimension; ++k) cost += Rational(program.cost[k]) * (*point)[k];
    if (!least || cost < *least) least = cost;
  };
  choose(choose, 0, 0);
  return least;
}

template <int dimension, std::size_t most>
void expectLeast(int tried) {
  constexpr Real tolerance = 1e-9, hair = 1e-6;
  Random random(static_cast<std::uint64_t>(dimension));
  int feasible = 0;
  for (int i = 0; i < tried; ++i) {
    const Program<dimension, most> program(random);
    std::array<Real, dimension> x{};
    const bool found = minimise<dimension, most>(program.cost, program.low, program.high,
                                                 program.halfSpaces, program.count, tolerance, x);
    const auto least = leastByVertices(program);
    ASSERT_EQ(found, least.has_value()) << dimension << ", " << i;
    if (!found) continue;
    ++feasible;
    Real cost = 0.0;
    for (int k = 0; k < dimension; ++k) {
      cost += program.cost[k] * x[k];
      ASSERT_GE(x[k], program.low[k] - hair) << dimension << ", " << i;
      ASSERT_LE(x[k], program.high[k] + hair) << dimension << ", " << i;
    }
    for (std::size_t h = 0; h < program.count; ++h) {
      Real side = -program.halfSpaces[h].limit;
      for (int k = 0; k < dimension; ++k) side += program.halfSpaces[h].normal[k] * x[k];
      ASSERT_LE(side, hair) << dimension << ", " << i;
    }
    ASSERT_NEAR(cost, static_cast<Real>(*least), hair) << dimension << ", " << i;
  }
  EXPECT_GT(feasible, tried / 5);
  EXPECT_LT(feasible, tried * 9 / 10);
}

/// Without any tolerance: 0 x <= 0 asks nothing, and 0 x <= -1 cannot be.
TEST(LinearProgram, TakesAHalfSpaceWithoutANormal) {
  std::array<Real, 1> x{};
  const auto found = [&x](Real limit) {
    return minimise<1, 1>({1.0}, {-1.0}, {1.0}, {HalfSpace<1>{{0.0}, limit}}, 1, 0.0, x);
  };
  EXPECT_TRUE(found(0.0));
  EXPECT_EQ(x[0], -1.0);
  EXPECT_FALSE(found(-1.0));
}

TEST(LinearProgram, HasItsMinimumInTheBestVertex) {
  expectLeast<1, 4>(test::cases(2000));
  expectLeast<2, 5>(test::cases(2000));
  expectLeast<3, 5>(test::cases(600));
  expectLeast<4, 5>(test::cases(60));
}

/// Rounding never makes a meeting late: what breaks a constraint by no more than the tolerance
/// keeps it, and what breaks it by more does not.
TEST(LinearProgram, ForgivesItsToleranceAndNoMore) {
  const auto solvable = [](const std::array<Real, 2>& normal, Real limit) {
    const std::array<HalfSpace<2>, 1> one{HalfSpace<2>{normal, limit}};
    std::array<Real, 2> x{};
    return minimise<2, 1>({1.0, 1.0}, {0.0, 0.0}, {1.0, 1.0}, one, 1, 0.25, x);
  };
  for (const std::array<Real, 2>& normal : {std::array{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}}) {
    EXPECT_TRUE(solvable(normal, -0.125));
    EXPECT_TRUE(solvable(normal, -0.25));
    EXPECT_FALSE(solvable(normal, -0.375));
  }
}

}  // namespace
}  // namespace nearmiss
