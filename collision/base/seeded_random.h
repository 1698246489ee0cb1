// SPDX-License-Identifier: MIT
/// Random numbers that are the same on every machine, for builders that draw samples.
#pragma once

#include <nearmiss/detail/split_mix.h>

namespace nearmiss {

class SeededRandom : public SplitMix {
 public:
  /// Similar seeds give unrelated sequences.
  explicit SeededRandom(std::uint64_t seed) noexcept : SplitMix(seed * 0x9e3779b97f4a7c15u + 1) {}

  /// Returns a uniformly distributed point in the unit ball.
  Vec3 inBall() noexcept {
    for (;;) {
      const Real x = 2.0 * unit() - 1.0, y = 2.0 * unit() - 1.0, z = 2.0 * unit() - 1.0;
      if (x * x + y * y + z * z <= 1.0) return {x, y, z};
    }
  }
};

}  // namespace nearmiss
