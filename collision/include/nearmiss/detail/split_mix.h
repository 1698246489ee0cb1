// SPDX-License-Identifier: MIT
/// Seeded random numbers that are the same with every compiler and library.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>

namespace nearmiss {

/// SplitMix64: a Weyl sequence with a mixing function. 64 bits of state, passes the usual tests,
/// no use for secrets. The standard library's distributions differ between libraries; these do not.
class SplitMix {
 public:
  /// Every state starts its own sequence; neighbouring states start unlike ones.
  explicit SplitMix(std::uint64_t state) noexcept : state_(state) {}

  std::uint64_t bits() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  Real unit() noexcept { return static_cast<Real>(bits() >> 11) * 0x1p-53; }
  Real between(Real low, Real high) noexcept { return low + (high - low) * unit(); }
  [[nodiscard]] std::uint64_t state() const noexcept { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace nearmiss
