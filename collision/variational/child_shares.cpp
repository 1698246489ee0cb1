// SPDX-License-Identifier: MIT
#include "variational/child_shares.h"

#include <nearmiss/assertion.h>

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

Real shareOf(Real distance, Real perSquare, std::size_t most) noexcept {
  return std::clamp(perSquare * distance * distance, 1.0, static_cast<Real>(most));
}

Real power(std::size_t base, int exponent) noexcept {
  Real all = 1.0;
  for (int i = 0; i < exponent; ++i) all *= static_cast<Real>(base);
  return all;
}

}  // namespace

std::size_t levelTotal(int level, int levels, int branching, std::size_t most) noexcept {
  NEARMISS_ASSERT(1 <= level && level <= levels, level, levels);
  const Real branched = power(static_cast<std::size_t>(branching), level);
  if (most == 0) return static_cast<std::size_t>(branched);
  if (level == levels) return most;
  const Real last = static_cast<Real>(most);
  const Real even = std::pow(last, static_cast<Real>(level) / static_cast<Real>(levels));
  const Real doubling = last / power(2, levels - level);
  // What is a whole number may have come out a little less
  const Real total = std::min(std::max(branched, even), doubling) * (1.0 + 1e-12);
  return std::max(std::size_t{1}, static_cast<std::size_t>(total));
}

std::vector<std::size_t> childShares(std::span<const Real> distances, std::size_t total,
                                     std::size_t most) {
  NEARMISS_ASSERT(total >= distances.size(), total, distances.size());
  const Real greatest = *std::max_element(distances.begin(), distances.end());
  // Where all distances are 0 all are alike
  const auto relative = [&](Real each) { return greatest > 0.0 ? each / greatest : 1.0; };
  const auto sum = [&](Real perSquare) {
    Real all = 0.0;
    for (const Real each : distances) all += shareOf(relative(each), perSquare, most);
    return all;
  };
  // The greatest factor that does not hand out too much, by bisection
  Real low = 0.0, high = static_cast<Real>(total) * static_cast<Real>(total);
  for (int i = 0; i < 100; ++i) {
    const Real middle = 0.5 * (low + high);
    (sum(middle) <= static_cast<Real>(total) ? low : high) = middle;
  }
  // What rounding takes from one is given to the next
  std::vector<std::size_t> shares;
  Real owed = 0.0;
  for (const Real each : distances) {
    owed += shareOf(relative(each), low, most);
    const auto share = std::clamp(static_cast<std::size_t>(owed + 1e-6), std::size_t{1}, most);
    shares.push_back(share);
    owed -= static_cast<Real>(share);
  }
  return shares;
}

}  // namespace nearmiss
