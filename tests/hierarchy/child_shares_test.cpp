// SPDX-License-Identifier: MIT
/// How the spheres of a level are shared out.
#include "hierarchy/child_shares.h"

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

TEST(ChildShares, GrowWithTheSquareOfTheInaccuracy) {
  EXPECT_EQ(childShares(std::vector<Real>{1.0, 2.0, 2.0}, 18, 32),
            (std::vector<std::size_t>{2, 8, 8}));
  EXPECT_EQ(childShares(std::vector<Real>{1e-9, 0.0, 1.0}, 18, 32),
            (std::vector<std::size_t>{1, 1, 16}));
}

TEST(ChildShares, NeverHandOutMoreThanThereIsOrLessThanOneEach) {
  test::Random random(5);
  int full = 0;
  const int count = test::cases(300);
  for (int i = 0; i < count; ++i) {
    std::vector<Real> inaccuracies(static_cast<std::size_t>(random.whole(1, 200)));
    const Real spread = random.between(0.0, 12.0);
    for (Real& each : inaccuracies) each = std::exp(-spread * random.unit());
    const std::size_t total = 8 * inaccuracies.size();
    const auto shares = childShares(inaccuracies, total, 32);
    ASSERT_EQ(shares.size(), inaccuracies.size());
    EXPECT_LE(sumOf(shares), total);
    EXPECT_GE(*std::min_element(shares.begin(), shares.end()), 1u);
    EXPECT_LE(*std::max_element(shares.begin(), shares.end()), 32u);
    full += sumOf(shares) + 1 >= std::min(total, 32 * inaccuracies.size());
    // Rounding aside, more where more is to gain
    for (std::size_t a = 0; a < shares.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_TRUE(inaccuracies[a] <= inaccuracies[b] || shares[a] + 1 >= shares[b]);
  }
  EXPECT_EQ(full, count);
}

}  // namespace
}  // namespace nearmiss
