// SPDX-License-Identifier: MIT
/// A seeded random generator that gives the same numbers with every compiler and library.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>

namespace nearmiss::engine {

/// SplitMix64: 64 bits of state, passes the usual tests, good enough to steer drones.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  Real unit() noexcept { return static_cast<Real>(next() >> 11) * 0x1.0p-53; }
  Real between(Real low, Real high) noexcept { return low + (high - low) * unit(); }
  [[nodiscard]] std::uint64_t state() const noexcept { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace nearmiss::engine
