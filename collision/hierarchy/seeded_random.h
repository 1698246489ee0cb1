// SPDX-License-Identifier: MIT
/// Random numbers that are the same on every machine: for builders that draw samples.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <cstdint>

namespace nearmiss {

/// A Weyl sequence with a mixing function (splitmix).
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) noexcept : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::uint64_t bits() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  Real unit() noexcept { return static_cast<Real>(bits() >> 11) * 0x1p-53; }
  /// Even in the ball of radius 1.
  Vec3 inBall() noexcept {
    for (;;) {
      const Real x = 2.0 * unit() - 1.0, y = 2.0 * unit() - 1.0, z = 2.0 * unit() - 1.0;
      if (x * x + y * y + z * z <= 1.0) return {x, y, z};
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace nearmiss
