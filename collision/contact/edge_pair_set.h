// SPDX-License-Identifier: MIT
/// A set of pairs of edges of two surfaces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "narrow/visited_pairs.h"

namespace nearmiss {

/// Pairs of edges that were visited: one bit each if there are few edges.
class EdgePairSet {
 public:
  void begin(std::size_t edgesOfA, std::size_t edgesOfB) {
    constexpr std::size_t maxBits = std::size_t{1} << 20;
    row_ = edgesOfB != 0 && edgesOfA < maxBits / edgesOfB ? edgesOfB : 0;
    if (row_ == 0) return others_.clear();
    // A previous search was aborted for lack of memory or time
    if (std::exchange(open_, true)) std::ranges::fill(bits_, 0);
    bits_.resize(std::max(bits_.size(), edgesOfA * edgesOfB / 64 + 1), 0);
  }

  /// Adds a pair. Returns true if it is new.
  bool add(std::uint32_t a, std::uint32_t b) {
    if (row_ == 0) return others_.add(a, b);
    const std::size_t at = a * row_ + b;
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    const bool isNew = (bits_[at / 64] & bit) == 0;
    bits_[at / 64] |= bit;
    return isNew;
  }

  /// Clears all pairs that were added, given with a's edge in the upper half.
  void forget(const std::vector<std::uint64_t>& pairs) noexcept {
    for (std::size_t i = 0; row_ != 0 && i < pairs.size(); ++i)
      bits_[((pairs[i] >> 32) * row_ + static_cast<std::uint32_t>(pairs[i])) / 64] = 0;
    if (row_ != 0) open_ = false;
  }

 private:
  std::size_t row_ = 0;              ///< bits per edge of a; 0: too many
  std::vector<std::uint64_t> bits_;  ///< all 0 between searches
  bool open_ = false;                ///< begun, and not yet cleared
  VisitedPairs others_;
};

}  // namespace nearmiss
