// SPDX-License-Identifier: MIT
/// One step of a hash over words of 64 bits.
#pragma once

#include <cstdint>

namespace nearmiss {

[[nodiscard]] inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9fb21c651e98df25u;
  return hash ^ (hash >> 35);
}

}  // namespace nearmiss
