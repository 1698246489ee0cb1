// SPDX-License-Identifier: MIT
/// Numbers on their way to and from a page.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/time_budget.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace nearmiss::engine {

inline void add(std::vector<double>& rows, const Vec3& v) {
  rows.insert(rows.end(), {v.x, v.y, v.z});
}

inline void add(std::vector<double>& rows, const Sphere& sphere) {
  add(rows, sphere.centre);
  rows.push_back(sphere.radius);
}

/// Returns a budget given in microseconds; unlimited if it is negative or NaN.
[[nodiscard]] inline Clock::Duration budgetOf(double microseconds) noexcept {
  constexpr double most = 1e9;
  return microseconds >= 0.0
             ? std::chrono::nanoseconds(std::llround(1e3 * std::min(microseconds, most)))
             : Clock::Duration::max();
}

}  // namespace nearmiss::engine
