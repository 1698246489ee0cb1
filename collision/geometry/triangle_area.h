// SPDX-License-Identifier: MIT
/// The area of a triangle.
#pragma once

#include <nearmiss/triangle_intersection.h>

#include <glm/geometric.hpp>

namespace nearmiss {

[[nodiscard]] inline Real areaOf(const Triangle& t) noexcept {
  return 0.5 * glm::length(glm::cross(t[1] - t[0], t[2] - t[0]));
}

}  // namespace nearmiss
