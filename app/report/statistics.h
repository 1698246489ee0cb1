// SPDX-License-Identifier: MIT
/// Statistics of time series: means with intervals, distributions, histograms, and downsampling to
/// few columns.
#pragma once

#include <engine/record/series.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::app::report {

/// Settings of the circular block bootstrap. It resamples blocks of consecutive frames, because the
/// times of adjacent frames are correlated. Blocks wrap around, so that frames at both ends have
/// the same weight as others.
struct BootstrapSettings {
  std::size_t block = 30;  ///< values
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

/// With fewer blocks an interval would be far too narrow.
inline constexpr std::size_t minBlocks = 10;

/// Means of the resamples; empty for fewer than minBlocks blocks.
[[nodiscard]] std::vector<double> resampledMeans(std::span<const double> values,
                                                 const BootstrapSettings& settings);

struct Interval {
  double low = 0.0, high = 0.0;
};

/// From the 2.5th to the 97.5th percentile; `nullopt` without values.
[[nodiscard]] std::optional<Interval> interval95(std::vector<double> values);

/// The empirical distribution function as pairs of a value and the fraction of values up to it,
/// ascending. For more than `pointLimit` values, that many points, evenly by rank.
/// @param pointLimit at least 2
[[nodiscard]] std::vector<std::array<double, 2>> distributionOf(std::span<const double> values,
                                                                std::size_t pointLimit);

/// A histogram of positive numbers with logarithmic bins, in bounded memory.
class RatioHistogram {
 public:
  static constexpr int classesPerDecade = 8;

  void add(double value);
  /// Number of values in the bin that starts at 10^(first / classesPerDecade).
  [[nodiscard]] const std::map<int, std::uint64_t>& classes() const noexcept { return classes_; }
  [[nodiscard]] static double lowerEnd(int index) noexcept;
  /// Summary of all finite numbers, including those that are not positive.
  [[nodiscard]] engine::SeriesSummary summary() const { return series_.summary(); }
  [[nodiscard]] std::uint64_t notPositive() const noexcept { return notPositive_; }

 private:
  std::map<int, std::uint64_t> classes_;
  engine::Series series_;
  std::uint64_t notPositive_ = 0;
};

/// Range of a quantity over the frames of a column.
struct ColumnRange {
  double min = 0.0, max = 0.0, sum = 0.0;
  std::size_t count = 0;  ///< 0: no values

  void add(double value);
  void add(const ColumnRange& other);
  [[nodiscard]] std::optional<double> mean() const;
};

/// Data of consecutive frames in the plot of frame times; milliseconds.
struct StripColumn {
  double firstFrame = 0.0;
  std::size_t frames = 0;
  ColumnRange frame, detection, target, budget, slack;

  void add(const StripColumn& next);
};

class StripColumns {
 public:
  static constexpr std::size_t maxColumns = 640;

  /// Adds one frame.
  void add(const StripColumn& frame);
  [[nodiscard]] const std::vector<StripColumn>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t framesPerColumn() const noexcept { return framesPerColumn_; }

 private:
  std::vector<StripColumn> columns_;
  std::size_t framesPerColumn_ = 1;
};

}  // namespace nearmiss::app::report
