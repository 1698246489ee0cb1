// SPDX-License-Identifier: MIT
#include <nearmiss/node_boxes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearmiss {

Real NodeBox::excess(const Vec3& p) const noexcept {
  const Vec3 from = p - middle();
  Real most = -std::numeric_limits<Real>::infinity();
  for (int k = 0; k < 3; ++k)
    most = std::max(most, std::abs(glm::dot(direction(k), from)) - Real{half[k]});
  return most;
}

bool isBoxFor(const NodeBox& box, const Sphere& sphere) noexcept {
  constexpr Real crooked = 0x1p-22;
  // Written so that NaN fails
  for (int i = 0; i < 3; ++i) {
    if (!(box.half[i] >= 0.0f && Real{box.half[i]} <= 2.0 * sphere.radius)) return false;
    for (int j = 0; j <= i; ++j)
      if (!(std::abs(glm::dot(box.direction(i), box.direction(j)) - (i == j ? 1.0 : 0.0)) <=
            crooked))
        return false;
  }
  return glm::distance(box.middle(), sphere.centre) <= 2.0 * sphere.radius;
}

}  // namespace nearmiss
