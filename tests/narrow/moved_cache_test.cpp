// SPDX-License-Identifier: MIT
/// A moved pack is not moved again until it is evicted or the pair of bodies changes.
#include <gtest/gtest.h>

#include "spheres/moved_packs.h"

namespace nearmiss {
namespace {

TEST(MovedCache, MovesAgainOnlyWhatItForgot) {
  MovedCache<int> cache(7);
  int moves = 0, pair = 0;
  const auto ask = [&](std::uint32_t number) {
    return cache.get(number, [&](int& moved) {
      ++moves;
      moved = 1000 * pair + static_cast<int>(number);
    });
  };
  for (pair = 0; pair < 3; ++pair) {
    cache.reset();
    moves = 0;
    for (int round = 0; round < 4; ++round)
      for (std::uint32_t number = 0; number < 7; ++number)
        ASSERT_EQ(ask(number), 1000 * pair + static_cast<int>(number));
    EXPECT_EQ(moves, 7);
    // 3 and 11 share one of eight slots
    EXPECT_EQ(ask(11), 1000 * pair + 11);
    EXPECT_EQ(ask(3), 1000 * pair + 3);
    EXPECT_EQ(ask(4), 1000 * pair + 4);
    EXPECT_EQ(moves, 9);
  }
}

/// Number 0 of an unused slot is not taken for one that was moved.
TEST(MovedCache, RemembersNothingAtFirst) {
  MovedCache<int> cache(1);
  EXPECT_EQ(cache.get(0, [](int& moved) { moved = 5; }), 5);
}

}  // namespace
}  // namespace nearmiss
