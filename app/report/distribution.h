// SPDX-License-Identifier: MIT
/// How values are distributed: shares below, and counts in classes of equal ratio.
#pragma once

#include <engine/record/series.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace nearmiss::app {

/// The empirical distribution function: value, and the share of values that are no greater; from
/// the least value to the greatest. Of more than `most` values so many, evenly by rank.
/// @param most at least 2
[[nodiscard]] std::vector<std::array<double, 2>> distributionOf(std::span<const double> values,
                                                                std::size_t most);

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

}  // namespace nearmiss::app
