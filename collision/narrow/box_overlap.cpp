// SPDX-License-Identifier: MIT
#include "narrow/box_overlap.h"

#include <algorithm>
#include <cmath>

namespace nearmiss {

MovedBox::MovedBox(const NodeBox& box) noexcept
    : centre(box.centre[0], box.centre[1], box.centre[2]) {
  for (int k = 0; k < 3; ++k) {
    axis[k] = Vec3(box.axis[k][0], box.axis[k][1], box.axis[k][2]);
    half[k] = box.half[k];
  }
}

MovedBox::MovedBox(const Pose& by, const NodeBox& box) noexcept : MovedBox(box) {
  centre = transformed(by, centre);
  for (Vec3& each : axis) each = by.rotation * each;
}

bool boxesApart(const MovedBox& a, const MovedBox& b, Real slack) noexcept {
  const Vec3 between = b.centre - a.centre;
  // The thinnest axes come first: they part most
  Real cosine[3][3], along[3];
  for (int i = 0; i < 3; ++i) {
    Real reach = a.half[i] + slack;
    for (int j = 0; j < 3; ++j) {
      cosine[i][j] = glm::dot(a.axis[i], b.axis[j]);
      reach += b.half[j] * std::abs(cosine[i][j]);
    }
    along[i] = glm::dot(between, a.axis[i]);
    if (std::abs(along[i]) > reach) return true;
  }
  for (int j = 0; j < 3; ++j) {
    Real reach = b.half[j] + slack;
    for (int i = 0; i < 3; ++i) reach += a.half[i] * std::abs(cosine[i][j]);
    if (std::abs(glm::dot(between, b.axis[j])) > reach) return true;
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const Real distance = std::abs(along[i2] * cosine[i1][j] - along[i1] * cosine[i2][j]);
      const Real reach =
          a.half[i1] * std::abs(cosine[i2][j]) + a.half[i2] * std::abs(cosine[i1][j]) +
          b.half[j1] * std::abs(cosine[i][j2]) + b.half[j2] * std::abs(cosine[i][j1]);
      if (distance > reach + slack) return true;
    }
  }
  return false;
}

bool boxApart(const MovedBox& box, const Sphere& sphere, Real slack) noexcept {
  const Vec3 from = sphere.centre - box.centre;
  Real squared = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Real beyond = std::max(0.0, std::abs(glm::dot(box.axis[k], from)) - box.half[k]);
    squared += beyond * beyond;
  }
  const Real reach = sphere.radius + slack;
  return squared > reach * reach;
}

}  // namespace nearmiss
