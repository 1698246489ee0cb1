// SPDX-License-Identifier: MIT
/// How the spheres of a level are shared out.
#include "builders/piece_owners.h"
#include "spheres/build_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

std::size_t sumOf(const std::vector<std::size_t>& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::size_t{0});
}

TEST(ChildShares, AreEqualAmongEquals) {
  EXPECT_EQ(childShares(std::vector<Real>(8, 0.3), 64, 32), std::vector<std::size_t>(8, 8));
  EXPECT_EQ(childShares(std::vector<Real>(8, 0.0), 64, 32), std::vector<std::size_t>(8, 8));
  EXPECT_EQ(childShares(std::vector<Real>(1, 5.0), 64, 32), std::vector<std::size_t>(1, 32));
}

TEST(ChildShares, GrowWithTheSquareOfTheHausdorffDistance) {
  EXPECT_EQ(childShares(std::vector<Real>{1.0, 2.0, 2.0}, 18, 32),
            (std::vector<std::size_t>{2, 8, 8}));
  EXPECT_EQ(childShares(std::vector<Real>{1e-9, 0.0, 1.0}, 18, 32),
            (std::vector<std::size_t>{1, 1, 16}));
}

TEST(ChildShares, OfOneGreatDistanceGoToTheSmallOnesTooHoweverSmall) {
  for (const Real small : {1e-3, 1e-5, 1e-9, 1e-100})
    EXPECT_EQ(childShares(std::vector<Real>{small, 1.0, small, small}, 44, 32),
              (std::vector<std::size_t>{4, 32, 4, 4}))
        << small;
}

TEST(ChildShares, NeverHandOutMoreThanThereIsOrLessThanOneEach) {
  test::Random random(5);
  int full = 0;
  const int count = test::cases(300);
  for (int i = 0; i < count; ++i) {
    std::vector<Real> distances(static_cast<std::size_t>(random.whole(1, 200)));
    const Real spread = random.between(0.0, 12.0);
    for (Real& each : distances) each = std::exp(-spread * random.unit());
    const std::size_t total = 8 * distances.size();
    const auto shares = childShares(distances, total, 32);
    ASSERT_EQ(shares.size(), distances.size());
    EXPECT_LE(sumOf(shares), total);
    EXPECT_GE(*std::min_element(shares.begin(), shares.end()), 1u);
    EXPECT_LE(*std::max_element(shares.begin(), shares.end()), 32u);
    full += sumOf(shares) + 1 >= std::min(total, 32 * distances.size());
    // Rounding aside, more where more is to gain
    for (std::size_t a = 0; a < shares.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_TRUE(distances[a] <= distances[b] || shares[a] + 1 >= shares[b]);
  }
  EXPECT_EQ(full, count);
}

TEST(LevelTotal, IsThePowerOfTheBranchingUnlessTheDeepestIsGiven) {
  for (int levels = 1; levels <= 10; ++levels)
    for (int branching = 2; branching <= 8; ++branching)
      for (std::size_t level = 1, all = 1; level <= static_cast<std::size_t>(levels); ++level) {
        all *= static_cast<std::size_t>(branching);
        EXPECT_EQ(levelTotal(static_cast<int>(level), levels, branching, 0), all);
        // The deepest level given what it has anyway
        const auto most = static_cast<std::size_t>(std::pow(branching, levels));
        if (most > maxSpheresOf(levels)) continue;
        EXPECT_EQ(levelTotal(static_cast<int>(level), levels, branching, most), all);
      }
}

TEST(LevelTotal, GrowsAsTheBranchingEvenlyOrByDoubling) {
  const auto totals = [](int levels, int branching, std::size_t most) {
    std::vector<std::size_t> all;
    for (int level = 1; level <= levels; ++level)
      all.push_back(levelTotal(level, levels, branching, most));
    return all;
  };
  using Totals = std::vector<std::size_t>;
  EXPECT_EQ(totals(3, 8, 250), (Totals{8, 64, 250}));
  EXPECT_EQ(totals(3, 8, 100), (Totals{8, 50, 100}));
  EXPECT_EQ(totals(4, 8, 250), (Totals{8, 62, 125, 250}));
  EXPECT_EQ(totals(2, 8, 256), (Totals{16, 256}));
  EXPECT_EQ(totals(3, 2, 1000), (Totals{10, 100, 1000}));
  EXPECT_EQ(totals(1, 8, 250), (Totals{250}));
  EXPECT_EQ(totals(4, 8, 3), (Totals{1, 1, 1, 3}));
  EXPECT_EQ(totals(3, 8, 1), (Totals{1, 1, 1}));
}

TEST(LevelTotal, NeverFallsNorPassesWhatIsGiven) {
  test::Random random(6);
  int less = 0, more = 0;
  const int count = test::cases(3000);
  for (int i = 0; i < count; ++i) {
    const int levels = random.whole(1, 10), branching = random.whole(2, 8);
    const Real greatest = std::log(static_cast<Real>(maxSpheresOf(levels)));
    const auto most = static_cast<std::size_t>(std::exp(greatest * random.unit()));
    (static_cast<Real>(most) < std::pow(branching, levels) ? less : more) += 1;
    std::size_t before = 1;
    for (int level = 1; level <= levels; ++level) {
      const std::size_t total = levelTotal(level, levels, branching, most);
      EXPECT_GE(total, before);
      EXPECT_LE(total, most);
      before = total;
    }
    EXPECT_EQ(before, most);
  }
  EXPECT_GT(less, count / 4);
  EXPECT_GT(more, count / 10);
}

}  // namespace
}  // namespace nearmiss
