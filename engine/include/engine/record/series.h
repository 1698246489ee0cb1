// SPDX-License-Identifier: MIT
/// A series of numbers and its statistics, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace nearmiss::engine {

/// Statistics of one series. Files that contain them define each in words.
struct SeriesSummary {
  std::size_t n = 0;
  double mean = 0, sd = 0, min = 0, max = 0;
  double p50 = 0, p90 = 0, p95 = 0, p99 = 0, p99_9 = 0;  ///< nearest rank
  double low1pct = 0;  ///< mean of the largest 1 %, at least one value
  double cv = 0;       ///< sd / mean
};
[[nodiscard]] SeriesSummary summarise(std::span<const double> values);

/// Collects finite numbers. Stores the first exactUpTo exactly. Larger series are counted in bins
/// of sign, exponent and leading ten bits: percentiles and the mean of the largest 1 % are then
/// accurate to 0.1 %; the other statistics stay exact.
class Series {
 public:
  static constexpr std::size_t exactUpTo = std::size_t{1} << 16;
  static constexpr double relativeError = 0x1p-10;

  void add(double value);
  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  [[nodiscard]] SeriesSummary summary() const;

 private:
  struct Class {
    std::uint64_t count = 0;
    double sum = 0.0;
  };
  void count(double value);
  [[nodiscard]] SeriesSummary summaryOfClasses() const;

  std::size_t n_ = 0;
  double min_ = 0.0, max_ = 0.0, mean_ = 0.0, squares_ = 0.0;
  std::vector<double> values_;             ///< empty once bins are in use
  std::map<std::int64_t, Class> classes_;  ///< in increasing order
};

}  // namespace nearmiss::engine
