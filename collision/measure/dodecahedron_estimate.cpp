// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_measure.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace nearmiss {
namespace {

constexpr Real phi = std::numbers::phi;

/// The directions of the vertices of a dodecahedron, all of length sqrt(3).
std::array<Vec3, 20> dodecahedron() noexcept {
  std::array<Vec3, 20> vertices;
  std::size_t count = 0;
  for (const Real a : {-1.0, 1.0})
    for (const Real b : {-1.0, 1.0}) {
      for (const Real c : {-1.0, 1.0}) vertices[count++] = {a, b, c};
      vertices[count++] = {0.0, a / phi, b * phi};
      vertices[count++] = {a / phi, b * phi, 0.0};
      vertices[count++] = {b * phi, 0.0, a / phi};
    }
  return vertices;
}

}  // namespace

DodecahedronEstimate dodecahedronEstimate(const Polyhedron& polyhedron, const Sphere& sphere) {
  DodecahedronEstimate estimate;
  for (const Vec3& direction : dodecahedron()) {
    const Vec3 vertex = sphere.centre + sphere.radius / std::numbers::sqrt3 * direction;
    estimate.sampled = std::max(estimate.sampled, polyhedron.nearest(vertex).distance);
  }
  // The point farthest from all vertices is the middle of a face: there the angle to a vertex has
  // the cosine sqrt((5 + 2 sqrt 5) / 15), and distances change no faster than points move
  const Real cosine = std::sqrt((5.0 + 2.0 * std::sqrt(5.0)) / 15.0);
  const Real covering = std::sqrt(2.0 - 2.0 * cosine) * (1.0 + 1e-12);
  estimate.corrected = estimate.sampled + covering * sphere.radius;
  return estimate;
}

}  // namespace nearmiss
