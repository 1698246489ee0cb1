// SPDX-License-Identifier: MIT
/// What is said of many times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace nearmiss::bench {

/// By nearest rank. @pre sorted, not empty
[[nodiscard]] inline double percentile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

[[nodiscard]] inline double meanOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

}  // namespace nearmiss::bench
