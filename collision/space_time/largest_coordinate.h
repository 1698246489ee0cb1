// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <cmath>

namespace nearmiss {

/// The length of the vector in the maximum norm.
[[nodiscard]] inline Real largestCoordinate(const Vec3& v) noexcept {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace nearmiss
