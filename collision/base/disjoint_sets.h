// SPDX-License-Identifier: MIT
/// Disjoint sets of numbers that are joined in pairs (union-find).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace nearmiss {

/// A set is represented by its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t i) noexcept {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) noexcept {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace nearmiss
