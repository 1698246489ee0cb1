// SPDX-License-Identifier: MIT
/// Finds the indices of bodies in a span by their keys, which do not change when indices do.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearmiss {

class KeyIndices {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  void read(std::span<const BodyState> bodies) {
    indices_.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) indices_.emplace_back(bodies[i].key, i);
    std::sort(indices_.begin(), indices_.end());
  }
  /// Returns the index of the body with that key, or `none`.
  [[nodiscard]] std::uint32_t of(std::uint32_t key) const noexcept {
    const auto at = std::lower_bound(indices_.begin(), indices_.end(), std::pair(key, 0u));
    return at != indices_.end() && at->first == key ? at->second : none;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> indices_;
};

}  // namespace nearmiss
