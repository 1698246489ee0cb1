// SPDX-License-Identifier: MIT
/// Mean and percentiles of values in memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace nearmiss::app {

/// Nearest rank, 0 < share <= 1; 0 without values. Reorders the values.
[[nodiscard]] inline double percentile(std::vector<double>& values, double share) {
  if (values.empty()) return 0.0;
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  const auto index = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(rank), 1,
                                                static_cast<std::ptrdiff_t>(values.size()));
  const auto at = values.begin() + index - 1;
  std::nth_element(values.begin(), at, values.end());
  return *at;
}
[[nodiscard]] inline double median(std::vector<double>& values) { return percentile(values, 0.5); }

/// 0 without values.
[[nodiscard]] inline double mean(const std::vector<double>& values) noexcept {
  if (values.empty()) return 0.0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace nearmiss::app
