// SPDX-License-Identifier: MIT
/// Integer cells of an unbounded grid, and their index in a hash table.
#pragma once

#include <nearmiss/math.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace nearmiss {

struct GridCell {
  std::int64_t x = 0, y = 0, z = 0;
  friend bool operator==(const GridCell&, const GridCell&) = default;
};

/// Returns the cell that contains `at`; `perMetre` is the number of cells per metre. Coordinates
/// times `perMetre` must be below 2^63.
[[nodiscard]] inline GridCell cellAt(const Vec3& at, Real perMetre) noexcept {
  return {static_cast<std::int64_t>(std::floor(at.x * perMetre)),
          static_cast<std::int64_t>(std::floor(at.y * perMetre)),
          static_cast<std::int64_t>(std::floor(at.z * perMetre))};
}

/// Spreads neighbouring cells over all 64 bits. The result is the same on every machine.
[[nodiscard]] inline std::uint64_t hashOf(const GridCell& cell, int level = 0) noexcept {
  std::uint64_t h = static_cast<std::uint64_t>(cell.x) * 0x9e3779b97f4a7c15u;
  h ^= std::rotl(static_cast<std::uint64_t>(cell.y) * 0xc2b2ae3d27d4eb4fu, 21);
  h ^= std::rotl(static_cast<std::uint64_t>(cell.z) * 0x165667b19e3779f9u, 42);
  h ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(level)) << 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}

}  // namespace nearmiss
