// SPDX-License-Identifier: MIT
#include <engine/record/series.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random.h"

namespace nearmiss::engine {
namespace {

/// Everything but n: each with how far it may be from the exact value, relatively.
void expectClose(const SeriesSummary& found, const SeriesSummary& exact, double error) {
  const auto close = [](double a, double b, double relative) {
    EXPECT_NEAR(a, b, relative * std::abs(b) + 1e-300);
  };
  EXPECT_EQ(found.n, exact.n);
  EXPECT_EQ(found.min, exact.min);
  EXPECT_EQ(found.max, exact.max);
  close(found.mean, exact.mean, 1e-10);
  close(found.sd, exact.sd, 1e-9);
  close(found.cv, exact.cv, 1e-9);
  for (const auto member : {&SeriesSummary::p50, &SeriesSummary::p90, &SeriesSummary::p95,
                            &SeriesSummary::p99, &SeriesSummary::p99_9, &SeriesSummary::low1pct})
    close(found.*member, exact.*member, error);
}

/// Times of frames as they are: a bulk, a long tail, some zeros; and numbers below zero.
std::vector<double> values(std::size_t count, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = random.unit();
    all.push_back(u < 0.02   ? 0.0
                  : u < 0.05 ? -std::exp(random.between(-9.0, 3.0))
                             : std::exp(random.between(-9.0, 3.0) * u * u));
  }
  return all;
}

Series seriesOf(const std::vector<double>& all) {
  Series series;
  for (const double value : all) series.add(value);
  return series;
}

TEST(Series, IsExactUpToItsLimit) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{1000}, Series::exactUpTo}) {
    const auto all = values(count, count + 1);
    const Series series = seriesOf(all);
    EXPECT_EQ(series.size(), count);
    expectClose(series.summary(), summarise(all), 0.0);
  }
}

TEST(Series, KeepsItsPromiseBeyondIt) {
  for (const std::size_t count : {Series::exactUpTo + 1, std::size_t{300'000}}) {
    const auto all = values(count, count);
    expectClose(seriesOf(all).summary(), summarise(all), Series::relativeError);
    std::vector<double> negative;
    for (const double value : all) negative.push_back(-value);
    expectClose(seriesOf(negative).summary(), summarise(negative), Series::relativeError);
  }
}

TEST(Series, KeepsTheSpreadOfAnEvenRun) {
  // Where sums of squares would have lost all digits
  Series series;
  std::vector<double> all;
  for (int i = 0; i < 200'000; ++i) all.push_back(1e6 + (i % 2 == 0 ? 1e-3 : -1e-3));
  for (const double value : all) series.add(value);
  EXPECT_NEAR(series.summary().sd, 1e-3, 1e-6);
}

}  // namespace
}  // namespace nearmiss::engine
