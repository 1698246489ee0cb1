// SPDX-License-Identifier: MIT
/// Means of frame times and how sure they are: the moving-block bootstrap, which resamples blocks
/// of consecutive frames, since the times of neighbouring frames depend on each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::app {

struct BootstrapSettings {
  std::size_t block = 30;  ///< values
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

/// An interval of fewer blocks would be much too narrow.
inline constexpr std::size_t leastBlocks = 10;

/// The means of the resamples; none where there are fewer than leastBlocks blocks of values.
[[nodiscard]] std::vector<double> resampledMeans(std::span<const double> values,
                                                 const BootstrapSettings& settings);

struct Interval {
  double low = 0.0, high = 0.0;
};

/// From the 2.5th to the 97.5th percentile; nothing for no values.
[[nodiscard]] std::optional<Interval> interval95(std::vector<double> values);

}  // namespace nearmiss::app
