// SPDX-License-Identifier: MIT
/// Seeded random numbers that are the same with every compiler and library.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <cstdint>

namespace nearmiss::test {

/// A Weyl sequence with a mixing function (splitmix): small, fast, good enough for tests.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::uint64_t bits() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  Real unit() noexcept { return static_cast<Real>(bits() >> 11) * 0x1p-53; }
  Real between(Real low, Real high) noexcept { return low + (high - low) * unit(); }
  /// In [low, high], both included.
  int whole(int low, int high) noexcept {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(Real probability) noexcept { return unit() < probability; }
  Vec3 inCube(Real half) noexcept {
    const Real x = between(-half, half), y = between(-half, half), z = between(-half, half);
    return {x, y, z};
  }
  Vec3 onLattice(int half) noexcept {
    const int x = whole(-half, half), y = whole(-half, half), z = whole(-half, half);
    return {x, y, z};
  }
  Vec3 direction() noexcept {
    for (;;) {
      const Vec3 v = inCube(1.0);
      const Real square = v.x * v.x + v.y * v.y + v.z * v.z;
      if (square > 0.01 && square <= 1.0) return v / std::sqrt(square);
    }
  }
  Quat rotation() noexcept {
    for (;;) {
      const Real w = between(-1, 1), x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
      const Real square = w * w + x * x + y * y + z * z;
      const Real scale = 1.0 / std::sqrt(square);
      if (square > 0.01 && square <= 1.0) return {w * scale, x * scale, y * scale, z * scale};
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace nearmiss::test
