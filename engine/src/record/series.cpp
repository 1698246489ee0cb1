// SPDX-License-Identifier: MIT
#include <engine/record/series.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace nearmiss::engine {
namespace {

/// The rank, from 1, of the smallest value that at least this share of n values does not exceed.
std::uint64_t nearestRank(std::uint64_t n, double perMille) {
  const double rank = std::ceil(perMille * static_cast<double>(n) / 1000.0);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, n);
}

/// What values of one class have in common: sign, exponent and leading bits, in the order of the
/// values.
std::int64_t classOf(double value) noexcept {
  constexpr int dropped = 52 - 10;
  const auto magnitude =
      static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(std::abs(value)) >> dropped);
  return std::signbit(value) ? -magnitude : magnitude;
}

}  // namespace

SeriesSummary summarise(std::span<const double> values) {
  SeriesSummary s;
  s.n = values.size();
  if (s.n == 0) return s;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());

  // Sum the sorted values, so that the order of frames does not change the last digits
  const auto n = static_cast<double>(s.n);
  double sum = 0.0, squares = 0.0;
  for (const double value : sorted) sum += value;
  s.mean = sum / n;
  for (const double value : sorted) squares += (value - s.mean) * (value - s.mean);
  s.sd = s.n > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0;
  s.cv = s.mean != 0.0 ? s.sd / s.mean : 0.0;

  s.min = sorted.front();
  s.max = sorted.back();
  const auto at = [&](double perMille) { return sorted[nearestRank(s.n, perMille) - 1]; };
  s.p50 = at(500.0);
  s.p90 = at(900.0);
  s.p95 = at(950.0);
  s.p99 = at(990.0);
  s.p99_9 = at(999.0);
  const std::size_t slowest = (s.n + 99) / 100;
  double slow = 0.0;
  for (std::size_t i = s.n - slowest; i < s.n; ++i) slow += sorted[i];
  s.low1pct = slow / static_cast<double>(slowest);
  return s;
}

void Series::add(double value) {
  min_ = n_ == 0 ? value : std::min(min_, value);
  max_ = n_ == 0 ? value : std::max(max_, value);
  // Welford's recurrence: sums of squares would lose the digits of a long, even run
  ++n_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(n_);
  squares_ += before * (value - mean_);

  if (n_ <= exactUpTo) {
    values_.push_back(value);
    return;
  }
  for (const double kept : values_) count(kept);
  if (values_.capacity() > 0) values_ = {};
  count(value);
}

void Series::count(double value) {
  Class& its = classes_[classOf(value)];
  ++its.count;
  its.sum += value;
}

SeriesSummary Series::summary() const {
  return n_ <= exactUpTo ? summarise(values_) : summaryOfClasses();
}

SeriesSummary Series::summaryOfClasses() const {
  SeriesSummary s;
  s.n = n_;
  s.mean = mean_;
  s.sd = std::sqrt(squares_ / static_cast<double>(n_ - 1));
  s.cv = s.mean != 0.0 ? s.sd / s.mean : 0.0;
  s.min = min_;
  s.max = max_;

  // The mean of the class in which the rank lies stands for the value there
  const std::array ranks{nearestRank(n_, 500.0), nearestRank(n_, 900.0), nearestRank(n_, 950.0),
                         nearestRank(n_, 990.0), nearestRank(n_, 999.0)};
  const std::array<double*, 5> wanted{&s.p50, &s.p90, &s.p95, &s.p99, &s.p99_9};
  std::size_t next = 0;
  std::uint64_t below = 0;
  for (const auto& [key, each] : classes_) {
    below += each.count;
    for (; next < ranks.size() && ranks[next] <= below; ++next)
      *wanted[next] = std::clamp(each.sum / static_cast<double>(each.count), min_, max_);
  }

  const std::uint64_t slowest = (n_ + 99) / 100;
  std::uint64_t left = slowest;
  double slow = 0.0;
  for (auto each = classes_.rbegin(); left > 0 && each != classes_.rend(); ++each) {
    const std::uint64_t taken = std::min(left, each->second.count);
    slow += each->second.sum / static_cast<double>(each->second.count) * static_cast<double>(taken);
    left -= taken;
  }
  s.low1pct = slow / static_cast<double>(slowest);
  return s;
}

}  // namespace nearmiss::engine
