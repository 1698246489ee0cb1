// SPDX-License-Identifier: MIT
/// Rounds doubles to floats: to the nearest, up or down.
#pragma once

#include <nearmiss/math.h>

#include <bit>
#include <cstdint>
#include <limits>

namespace nearmiss {

/// Rounds `value` to the nearest float. Volatile, because gcc 12 at -O2 removes the rounding of two
/// neighbouring coordinates on their way from double to float and back.
[[nodiscard]] inline float nearestFloat(Real value) noexcept {
  const volatile float rounded = static_cast<float>(value);
  return rounded;
}

/// Returns the smallest float that is not below `value`.
[[nodiscard]] inline float floatAtLeast(Real value) noexcept {
  const float nearest = nearestFloat(value);
  if (!(Real{nearest} < value)) return nearest;
  // The next float, without a function call
  const auto bits = std::bit_cast<std::int32_t>(nearest);
  return nearest == 0.0f ? std::numeric_limits<float>::denorm_min()
                         : std::bit_cast<float>(nearest > 0.0f ? bits + 1 : bits - 1);
}

/// Returns the largest float that is not above `value`.
[[nodiscard]] inline float floatAtMost(Real value) noexcept { return -floatAtLeast(-value); }

}  // namespace nearmiss
