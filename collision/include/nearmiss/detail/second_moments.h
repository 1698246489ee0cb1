// SPDX-License-Identifier: MIT
/// Integrals over bodies made of triangles, from which mass and inertia are computed.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace nearmiss {

/// The integrals of 1, x and x x^T over solids or sheets, about the origin.
struct SecondMoments {
  Real content = 0.0;  ///< volume or area
  Vec3 first{0.0};
  glm::dmat3 second{0.0};  ///< symmetric

  /// Adds the tetrahedron of the origin and a triangle. Its volume is negative if the triangle
  /// faces the origin.
  void addSolid(const Triangle& t) noexcept {
    add(t, glm::dot(t[0], glm::cross(t[1], t[2])) / 6.0, 4.0, 20.0);
  }
  /// Adds a triangle of a sheet.
  void addSheet(const Triangle& t) noexcept {
    add(t, 0.5 * glm::length(glm::cross(t[1] - t[0], t[2] - t[0])), 3.0, 12.0);
  }

 private:
  /// The corners and their sum have the same weight.
  void add(const Triangle& t, Real amount, Real corners, Real divisor) noexcept {
    const Vec3 &a = t[0], &b = t[1], &c = t[2], sum = a + b + c;
    content += amount;
    first += amount / corners * sum;
    const Real share = amount / divisor;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        second[k][i] += share * (a[i] * a[k] + b[i] * b[k] + c[i] * c[k] + sum[i] * sum[k]);
  }
};

}  // namespace nearmiss
