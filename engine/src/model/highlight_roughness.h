// SPDX-License-Identifier: MIT
/// Materials of two kinds of lighting.
#pragma once

#include <algorithm>
#include <cmath>

namespace nearmiss::engine {

/// The width of a Blinn-Phong highlight, as a roughness. @param shininess its exponent, above 0
[[nodiscard]] inline float highlightRoughness(float shininess) noexcept {
  if (!std::isfinite(shininess)) return 0.0f;
  return std::clamp(std::sqrt(std::sqrt(2.0f / (shininess + 2.0f))), 0.0f, 1.0f);
}

}  // namespace nearmiss::engine
