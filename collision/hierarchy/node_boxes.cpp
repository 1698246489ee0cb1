// SPDX-License-Identifier: MIT
#include <nearmiss/node_boxes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearmiss {

Real NodeBox::excess(const Vec3& p) const noexcept {
  const Vec3 from = p - Vec3(centre[0], centre[1], centre[2]);
  Real most = -std::numeric_limits<Real>::infinity();
  for (int k = 0; k < 3; ++k)
    most = std::max(
        most, std::abs(glm::dot(Vec3(axis[k][0], axis[k][1], axis[k][2]), from)) - Real{half[k]});
  return most;
}

bool isBoxFor(const NodeBox& box, const Sphere& sphere) noexcept {
  constexpr Real crooked = 0x1p-22;
  const auto axis = [&box](int k) { return Vec3(box.axis[k][0], box.axis[k][1], box.axis[k][2]); };
  // Written so that what is no number fails
  for (int i = 0; i < 3; ++i) {
    if (!(box.half[i] >= 0.0f && Real{box.half[i]} <= 2.0 * sphere.radius)) return false;
    for (int j = 0; j <= i; ++j)
      if (!(std::abs(glm::dot(axis(i), axis(j)) - (i == j ? 1.0 : 0.0)) <= crooked)) return false;
  }
  const Vec3 centre(box.centre[0], box.centre[1], box.centre[2]);
  return glm::distance(centre, sphere.centre) <= 2.0 * sphere.radius;
}

}  // namespace nearmiss
