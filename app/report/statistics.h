// SPDX-License-Identifier: MIT
/// Statistics of series of times: means with intervals, distributions, histograms, and a series of
/// any length as few columns.
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

/// The circular block bootstrap resamples blocks of consecutive frames, since the times of
/// neighbouring frames depend on each other. After the last frame a block goes on with the first,
/// so that slow frames at either end count as often as all others.
struct BootstrapSettings {
  std::size_t block = 30;  ///< values
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

/// An interval of fewer blocks would be much too narrow.
inline constexpr std::size_t minBlocks = 10;

/// The means of the resamples; none where there are fewer than minBlocks blocks of values.
[[nodiscard]] std::vector<double> resampledMeans(std::span<const double> values,
                                                 const BootstrapSettings& settings);

struct Interval {
  double low = 0.0, high = 0.0;
};

/// From the 2.5th to the 97.5th percentile; nothing for no values.
[[nodiscard]] std::optional<Interval> interval95(std::vector<double> values);

/// The empirical distribution function: value, and the share of values that are no greater;
/// ascending. Of more values than `pointLimit` it has that many, evenly by rank.
/// @param pointLimit 2 or more
[[nodiscard]] std::vector<std::array<double, 2>> distributionOf(std::span<const double> values,
                                                                std::size_t pointLimit);

/// Counts positive numbers in classes of one ratio of ends, in memory that does not grow with
/// their number.
class RatioHistogram {
 public:
  static constexpr int classesPerDecade = 8;

  void add(double value);
  /// The class that begins at 10^(first / classesPerDecade), and how many values are in it.
  [[nodiscard]] const std::map<int, std::uint64_t>& classes() const noexcept { return classes_; }
  [[nodiscard]] static double lowerEnd(int index) noexcept;
  /// Of all finite numbers, those that are not positive included.
  [[nodiscard]] engine::SeriesSummary summary() const { return series_.summary(); }
  [[nodiscard]] std::uint64_t notPositive() const noexcept { return notPositive_; }

 private:
  std::map<int, std::uint64_t> classes_;
  engine::Series series_;
  std::uint64_t notPositive_ = 0;
};

/// Of one quantity over the frames of a column.
struct ColumnRange {
  double min = 0.0, max = 0.0, sum = 0.0;
  std::size_t count = 0;  ///< 0: nothing was measured

  void add(double value);
  void add(const ColumnRange& other);
  [[nodiscard]] std::optional<double> mean() const;
};

/// What the strip shows of consecutive frames; milliseconds.
struct StripColumn {
  double firstFrame = 0.0;
  std::size_t frames = 0;
  ColumnRange frame, detection, target, budget, slack;

  void add(const StripColumn& next);
};

class StripColumns {
 public:
  static constexpr std::size_t maxColumns = 640;

  /// One frame.
  void add(const StripColumn& frame);
  [[nodiscard]] const std::vector<StripColumn>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t framesPerColumn() const noexcept { return framesPerColumn_; }

 private:
  std::vector<StripColumn> columns_;
  std::size_t framesPerColumn_ = 1;
};

}  // namespace nearmiss::app::report
