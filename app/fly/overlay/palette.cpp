// SPDX-License-Identifier: MIT
#include "fly/overlay/palette.h"

#include <cmath>

namespace nearmiss::app {

glm::vec3 linear(Rgb c) noexcept {
  const auto decoded = [](float s) {
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  };
  const glm::vec3 s = srgb(c);
  return {decoded(s.x), decoded(s.y), decoded(s.z)};
}

}  // namespace nearmiss::app
