// SPDX-License-Identifier: MIT
/// Linear programs in few variables, by Seidel's incremental method without shuffling.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace nearmiss {

/// The half-space dot(normal, x) <= limit.
template <int dimension>
struct HalfSpace {
  std::array<Real, dimension> normal{};
  Real limit = 0.0;
};

/// Minimises dot(cost, x) over low <= x <= high and `count` half-spaces, at most `most`. Returns
/// false if infeasible. A constraint counts as satisfied if it is violated by at most `tolerance`.
/// With a tolerance above the rounding errors of the limits, the result is the minimum over a
/// superset of the feasible region.
/// @pre low <= high
template <int dimension, std::size_t most>
bool minimise(const std::array<Real, dimension>& cost, const std::array<Real, dimension>& low,
              const std::array<Real, dimension>& high,
              const std::array<HalfSpace<dimension>, most>& halfSpaces, std::size_t count,
              Real tolerance, std::array<Real, dimension>& x) {
  for (int k = 0; k < dimension; ++k) {
    NEARMISS_ASSERT(low[k] <= high[k], low[k], high[k]);
    x[k] = cost[k] >= 0.0 ? low[k] : high[k];
  }

  if constexpr (dimension == 1) {
    Real first = low[0], last = high[0];
    for (std::size_t i = 0; i < count; ++i) {
      const Real n = halfSpaces[i].normal[0];
      const Real limit = halfSpaces[i].limit + tolerance;
      if (n > 0.0) last = std::fmin(last, limit / n);
      if (n < 0.0) first = std::fmax(first, limit / n);
      if (n == 0.0 && limit < 0.0) return false;
    }
    x[0] = cost[0] >= 0.0 ? first : last;
    return first <= last;
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const HalfSpace<dimension>& broken = halfSpaces[i];
      Real side = -broken.limit;
      for (int k = 0; k < dimension; ++k) side += broken.normal[k] * x[k];
      if (side <= tolerance) continue;

      // The optimum lies on the plane of the violated constraint: solve it for its largest variable
      int gone = 0;
      for (int k = 1; k < dimension; ++k)
        if (std::abs(broken.normal[k]) > std::abs(broken.normal[gone])) gone = k;
      const Real pivot = broken.normal[gone];
      if (pivot == 0.0) return false;

      // x[gone] = offset - dot(slope, rest)
      constexpr int fewer = dimension - 1;
      std::array<Real, fewer> slope, subCost, subLow, subHigh, rest;
      const Real offset = broken.limit / pivot;
      for (int k = 0, r = 0; k < dimension; ++k) {
        if (k == gone) continue;
        slope[r] = broken.normal[k] / pivot;
        subCost[r] = cost[k] - cost[gone] * slope[r];
        subLow[r] = low[k];
        subHigh[r] = high[k];
        ++r;
      }
      std::array<HalfSpace<fewer>, most + 2> sub;
      for (int r = 0; r < fewer; ++r) {
        sub[0].normal[r] = -slope[r];
        sub[1].normal[r] = slope[r];
      }
      sub[0].limit = high[gone] - offset;
      sub[1].limit = offset - low[gone];
      for (std::size_t j = 0; j < i; ++j) {
        const HalfSpace<dimension>& old = halfSpaces[j];
        for (int k = 0, r = 0; k < dimension; ++k) {
          if (k == gone) continue;
          sub[j + 2].normal[r] = old.normal[k] - old.normal[gone] * slope[r];
          ++r;
        }
        sub[j + 2].limit = old.limit - old.normal[gone] * offset;
      }
      if (!minimise<fewer, most + 2>(subCost, subLow, subHigh, sub, i + 2, tolerance, rest))
        return false;
      x[gone] = offset;
      for (int k = 0, r = 0; k < dimension; ++k) {
        if (k == gone) continue;
        x[k] = rest[r];
        x[gone] -= slope[r] * rest[r];
        ++r;
      }
    }
    return true;
  }
}

}  // namespace nearmiss
