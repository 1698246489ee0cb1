// SPDX-License-Identifier: MIT
/// Seeded random numbers that are the same with every compiler and library.
#pragma once

#include <nearmiss/detail/split_mix.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace nearmiss::test {

/// What a campaign adds to every seed, from NEARMISS_SEED: 0 for the usual cases, else others.
[[nodiscard]] inline std::uint64_t campaignSeed() {
  static const std::uint64_t added = [] {
    const char* text = std::getenv("NEARMISS_SEED");
    const std::uint64_t number = text ? std::strtoull(text, nullptr, 10) : 0;
    return number == 0 ? 0 : SplitMix(number).bits();
  }();
  return added;
}

class Random : public SplitMix {
 public:
  explicit Random(std::uint64_t seed)
      : SplitMix((seed + campaignSeed()) * 0x9e3779b97f4a7c15u + 1) {}

  /// In [low, high], both included.
  int whole(int low, int high) noexcept {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// One of `entries`, of which there are some.
  template <class Entries>
  const auto& anyOf(const Entries& entries) noexcept {
    return entries[static_cast<std::size_t>(whole(0, static_cast<int>(entries.size()) - 1))];
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
};

}  // namespace nearmiss::test
