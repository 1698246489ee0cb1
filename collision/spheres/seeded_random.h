// SPDX-License-Identifier: MIT
/// Random numbers that are the same on every machine: for builders that draw samples.
#pragma once

#include <nearmiss/detail/split_mix.h>

namespace nearmiss {

class SeededRandom : public SplitMix {
 public:
  /// Seeds that lie close begin far from each other.
  explicit SeededRandom(std::uint64_t seed) noexcept : SplitMix(seed * 0x9e3779b97f4a7c15u + 1) {}

  /// Even in the ball of radius 1.
  Vec3 inBall() noexcept {
    for (;;) {
      const Real x = 2.0 * unit() - 1.0, y = 2.0 * unit() - 1.0, z = 2.0 * unit() - 1.0;
      if (x * x + y * y + z * z <= 1.0) return {x, y, z};
    }
  }
};

}  // namespace nearmiss
