// SPDX-License-Identifier: MIT
/// Seeded random numbers: they must always be the published ones.
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace nearmiss {
namespace {

TEST(SplitMix, GivesThePublishedSequence) {
  SplitMix random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u})
    EXPECT_EQ(random.bits(), expected);
}

TEST(SplitMix, UnitIsHalfOpenAndEven) {
  SplitMix random(5);
  std::array<int, 10> bins{};
  for (int i = 0; i < 100000; ++i) {
    const Real u = random.unit();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++bins[static_cast<std::size_t>(u * 10)];
  }
  for (const int count : bins) EXPECT_NEAR(count, 10000, 500);
}

}  // namespace
}  // namespace nearmiss
