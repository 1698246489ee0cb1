// SPDX-License-Identifier: MIT
/// Seeded random numbers that are the same with every compiler and standard library.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>

namespace nearmiss {

/// SplitMix64: a Weyl sequence with a mixing function. 64 bits of state; passes the usual
/// statistical tests; not cryptographically secure. Unlike here, the distributions of the standard
/// library differ between implementations.
class SplitMix {
 public:
  /// Every state starts its own sequence. Neighbouring states start unrelated sequences.
  explicit SplitMix(std::uint64_t state) noexcept : state_(state) {}

  std::uint64_t bits() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Returns a number in [0, 1).
  Real unit() noexcept { return static_cast<Real>(bits() >> 11) * 0x1p-53; }
  Real between(Real low, Real high) noexcept { return low + (high - low) * unit(); }
  [[nodiscard]] std::uint64_t state() const noexcept { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace nearmiss
