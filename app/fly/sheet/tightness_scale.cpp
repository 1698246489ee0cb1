// SPDX-License-Identifier: MIT
#include "fly/sheet/tightness_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>

#include "fly/overlay/palette.h"

namespace nearmiss::app {

void TightnessScale::include(double h) {
  if (h > 0.0 && std::isfinite(h)) values_.push_back(h);
}

void TightnessScale::settle() {
  if (values_.empty()) return;
  const auto twentieth = values_.begin() + static_cast<std::ptrdiff_t>(values_.size() / 20);
  std::nth_element(values_.begin(), twentieth, values_.end());
  low_ = *twentieth;
  high_ = *std::max_element(values_.begin(), values_.end());
  // Spheres that are all alike are in the middle of some scale
  if (high_ < 2.0 * low_) {
    low_ *= 0.5;
    high_ *= 2.0;
  }
}

double TightnessScale::place(double h) const noexcept {
  if (!(h > low_)) return 0.0;
  return std::clamp(std::log(h / low_) / std::log(high_ / low_), 0.0, 1.0);
}

glm::vec3 TightnessScale::colourAt(double place) noexcept {
  constexpr std::array<Rgb, 5> stops{0x1F4FA8, 0x2E95D1, 0x6CC3B0, 0xE9D75C, 0xF08A24};
  const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  return glm::mix(srgb(stops[below]), srgb(stops[below + 1]),
                  static_cast<float>(at - static_cast<double>(below)));
}

}  // namespace nearmiss::app
