// SPDX-License-Identifier: MIT
#include "measure/facet_group.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace nearmiss {
namespace {

/// An edge without length is its corner.
float perSquare(const Vec3& edge) noexcept {
  const Real square = glm::dot(edge, edge);
  return square > 1e-37 ? static_cast<float>(1.0 / square) : 0.0f;
}

std::size_t oppositeOfLongest(const Triangle& triangle) noexcept {
  std::size_t corner = 0;
  Real longest = -1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real length = glm::distance(triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
    if (length <= longest) continue;
    longest = length;
    corner = i;
  }
  return corner;
}

}  // namespace

/// Works the dual basis of the edges out in double, from the corner opposite of the longest edge:
/// from floats, or from the tip of a needle, its end would be lost in rounding.
void FacetGroup::set(std::size_t lane, const Triangle& triangle) noexcept {
  const std::size_t from = oppositeOfLongest(triangle);
  const Vec3& a = triangle[from];
  const Vec3 ab = triangle[(from + 1) % 3] - a, ac = triangle[(from + 2) % 3] - a;
  const Vec3 normal = glm::cross(ab, ac);
  const Real square = glm::dot(normal, normal);
  put(corner_, lane, a);
  put(edge1_, lane, ab);
  put(edge2_, lane, ac);
  perSquare1_[lane] = perSquare(ab);
  perSquare2_[lane] = perSquare(ac);
  perSquare3_[lane] = perSquare(ac - ab);
  const bool hasArea = perSquare1_[lane] > 0.0f && perSquare2_[lane] > 0.0f &&
                       square > 1e-12 * glm::dot(ab, ab) * glm::dot(ac, ac);
  put(normal_, lane, hasArea ? normal / std::sqrt(square) : Vec3(0.0));
  put(along1_, lane, hasArea ? glm::cross(ac, normal) / square : Vec3(0.0));
  put(along2_, lane, hasArea ? glm::cross(normal, ab) / square : Vec3(0.0));
  most_[lane] = hasArea ? 1.0f : -1.0f;
}

}  // namespace nearmiss
