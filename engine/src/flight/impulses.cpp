// SPDX-License-Identifier: MIT
#include "flight/impulses.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace nearmiss::engine {
namespace {

using Values = ImpulseProblem::Values;

/// A pivot smaller than this relative to the diagonal is rounding error: the points are dependent.
constexpr Real minPivotShare = 1e-11;
/// Relative to the highest speed; smaller differences count as equal.
constexpr Real speedTolerance = 1e-12;

/// Sets of points that receive an impulse, smallest first, since these are best conditioned. If a
/// problem is solvable, some set of independent points solves it.
constexpr std::array<unsigned, 15> supports{1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};

/// Returns impulses at the points of `support` only that reverse the speeds there, by LDL^T;
/// `nullopt` if these points are dependent.
std::optional<Values> reversing(const ImpulseProblem& problem, unsigned support) noexcept {
  std::array<std::size_t, ImpulseProblem::maxPoints> at{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < problem.count; ++i)
    if (support >> i & 1u) at[n++] = i;
  std::array<Values, ImpulseProblem::maxPoints> lower{};
  Values pivot{}, x{};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Real sum = problem.response[at[i]][at[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * pivot[k] * lower[j][k];
      lower[i][j] = sum / pivot[j];
    }
    const Real whole = problem.response[at[i]][at[i]];
    pivot[i] = whole;
    for (std::size_t k = 0; k < i; ++k) pivot[i] -= lower[i][k] * lower[i][k] * pivot[k];
    if (!(pivot[i] > minPivotShare * whole) || !std::isfinite(pivot[i])) return std::nullopt;
    x[i] = -2.0 * problem.parting[at[i]];
    for (std::size_t k = 0; k < i; ++k) x[i] -= lower[i][k] * x[k];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= pivot[i];
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower[k][i] * x[k];
  }
  Values all{};
  for (std::size_t i = 0; i < n; ++i) all[at[i]] = x[i];
  return all;
}

/// The largest violation of the condition after[i] + before[i] >= 0.
Real failureOf(const ImpulseProblem& problem, const Values& impulses) noexcept {
  Real worst = 0.0;
  for (std::size_t i = 0; i < problem.count; ++i) {
    // Ignore points that no impulse can move
    if (!(problem.response[i][i] > 0.0)) continue;
    Real sum = 2.0 * problem.parting[i];
    for (std::size_t j = 0; j < problem.count; ++j) sum += problem.response[i][j] * impulses[j];
    worst = std::max(worst, -sum);
  }
  return worst;
}

}  // namespace

ImpulseProblem::Values solve(const ImpulseProblem& problem) noexcept {
  Real fastest = 0.0;
  for (std::size_t i = 0; i < problem.count; ++i)
    fastest = std::max(fastest, std::abs(problem.parting[i]));
  Values best{};
  Real least = failureOf(problem, best);
  for (const unsigned support : supports) {
    if (!(least > speedTolerance * fastest)) break;
    if (support >> problem.count) continue;
    const auto impulses = reversing(problem, support);
    if (!impulses || std::ranges::any_of(*impulses, [](Real x) { return !(x >= 0.0); })) continue;
    const Real failure = failureOf(problem, *impulses);
    if (!(failure < least)) continue;
    least = failure;
    best = *impulses;
  }
  return best;
}

}  // namespace nearmiss::engine
