// SPDX-License-Identifier: MIT
#include "sampling/spread_points.h"

#include "geometry/closest_points.h"

#include <cstdint>

namespace nearmiss {

/// Multiples of powers of 1 / x modulo 1, with x^4 = x + 1.
Vec3 evenPoint(std::size_t k) noexcept {
  constexpr Vec3 step(0.8191725133961645, 0.6710436067037893, 0.5497004779019703);
  const Vec3 at = 0.5 + static_cast<Real>(k + 1) * step;
  return at - glm::floor(at);
}

std::vector<SurfaceSample> spreadPoints(const TriangleMesh& mesh, std::size_t count) {
  std::vector<Real> areaUpTo;
  Real area = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto p = mesh.corners(t);
    area += areaOf(p);
    areaUpTo.push_back(area);
  }
  std::vector<SurfaceSample> points;
  std::size_t t = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Real at = (static_cast<Real>(k) + 0.5) / static_cast<Real>(count) * area;
    while (t + 1 < areaUpTo.size() && areaUpTo[t] < at) ++t;
    const auto p = mesh.corners(t);
    Vec3 share = evenPoint(k);
    if (share.x + share.y > 1.0) share = 1.0 - share;
    points.push_back(
        {p[0] + share.x * (p[1] - p[0]) + share.y * (p[2] - p[0]), static_cast<std::uint32_t>(t)});
  }
  return points;
}

}  // namespace nearmiss
