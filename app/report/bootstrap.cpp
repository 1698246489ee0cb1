// SPDX-License-Identifier: MIT
#include "report/bootstrap.h"

#include <nearmiss/detail/split_mix.h>

#include <algorithm>

#include "order_statistics.h"

namespace nearmiss::app {

std::vector<double> resampledMeans(std::span<const double> values,
                                   const BootstrapSettings& settings) {
  std::vector<double> means;
  if (values.size() < leastBlocks * settings.block) return means;

  // Sums up to each value, so that a block costs one subtraction
  std::vector<double> sums{0.0};
  sums.reserve(values.size() + 1);
  for (const double value : values) sums.push_back(sums.back() + value);

  const std::size_t starts = values.size() - settings.block + 1;
  SplitMix random(settings.seed);
  means.reserve(settings.resamples);
  for (std::size_t resample = 0; resample < settings.resamples; ++resample) {
    double sum = 0.0;
    for (std::size_t left = values.size(); left > 0;) {
      // The last block is as long as what is left, so that all resamples have as many values
      const std::size_t length = std::min(settings.block, left);
      const auto start = static_cast<std::size_t>(random.bits() % starts);
      sum += sums[start + length] - sums[start];
      left -= length;
    }
    means.push_back(sum / static_cast<double>(values.size()));
  }
  return means;
}

std::optional<Interval> interval95(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const double low = percentile(values, 0.025);
  return Interval{low, percentile(values, 0.975)};
}

}  // namespace nearmiss::app
