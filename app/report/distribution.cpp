// SPDX-License-Identifier: MIT
#include "report/distribution.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app {

std::vector<std::array<double, 2>> distributionOf(std::span<const double> values,
                                                  std::size_t most) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size(), points = std::min(n, most);
  std::vector<std::array<double, 2>> shares;
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t rank = points == n ? i : i * (n - 1) / (points - 1);
    // Equal values are one step, which ends at the last of them
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), sorted[rank]);
    const std::array<double, 2> point{
        sorted[rank], static_cast<double>(above - sorted.begin()) / static_cast<double>(n)};
    if (shares.empty() || shares.back()[0] < point[0]) shares.push_back(point);
  }
  return shares;
}

void RatioHistogram::add(double value) {
  if (!std::isfinite(value)) return;
  series_.add(value);
  if (value <= 0.0) {
    ++notPositive_;
    return;
  }
  ++classes_[static_cast<int>(std::floor(std::log10(value) * classesPerDecade))];
}

double RatioHistogram::lowerEnd(int index) noexcept {
  return std::pow(10.0, static_cast<double>(index) / classesPerDecade);
}

}  // namespace nearmiss::app
