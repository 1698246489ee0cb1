// SPDX-License-Identifier: MIT
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <cmath>

#include "console/order_statistics.h"
#include "report/statistics.h"

namespace nearmiss::app::report {

std::vector<double> resampledMeans(std::span<const double> values,
                                   const BootstrapSettings& settings) {
  std::vector<double> means;
  if (values.size() < minBlocks * settings.block) return means;

  // Prefix sums, so that a block costs one subtraction
  std::vector<double> sums{0.0};
  sums.reserve(values.size() + settings.block);
  for (const double value : values) sums.push_back(sums.back() + value);
  for (std::size_t i = 0; i + 1 < settings.block; ++i) sums.push_back(sums.back() + values[i]);

  SplitMix random(settings.seed);
  means.reserve(settings.resamples);
  for (std::size_t resample = 0; resample < settings.resamples; ++resample) {
    double sum = 0.0;
    for (std::size_t left = values.size(); left > 0;) {
      // Truncate the last block, so that all resamples have the same size
      const std::size_t length = std::min(settings.block, left);
      const auto start = static_cast<std::size_t>(random.bits() % values.size());
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

std::vector<std::array<double, 2>> distributionOf(std::span<const double> values,
                                                  std::size_t pointLimit) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size(), points = std::min(n, pointLimit);
  std::vector<std::array<double, 2>> shares;
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t rank = points == n ? i : i * (n - 1) / (points - 1);
    // Equal values form one step at the last of them
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

void ColumnRange::add(double value) { add(ColumnRange{value, value, value, 1}); }

void ColumnRange::add(const ColumnRange& other) {
  if (other.count == 0) return;
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  sum += other.sum;
  count += other.count;
}

std::optional<double> ColumnRange::mean() const {
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

void StripColumn::add(const StripColumn& next) {
  frames += next.frames;
  frame.add(next.frame);
  detection.add(next.detection);
  target.add(next.target);
  budget.add(next.budget);
  slack.add(next.slack);
}

void StripColumns::add(const StripColumn& frame) {
  if (!columns_.empty() && columns_.back().frames < framesPerColumn_) {
    columns_.back().add(frame);
    return;
  }
  if (columns_.size() == maxColumns) {
    // Merge pairs of columns to limit their number
    for (std::size_t i = 0; i < maxColumns / 2; ++i) {
      StripColumn joined = columns_[2 * i];
      joined.add(columns_[2 * i + 1]);
      columns_[i] = joined;
    }
    columns_.resize(maxColumns / 2);
    framesPerColumn_ *= 2;
  }
  columns_.push_back(frame);
}

}  // namespace nearmiss::app::report
