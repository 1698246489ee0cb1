// SPDX-License-Identifier: MIT
#include "lab/simple_fits.h"

#include <nearmiss/spheres.h>

#include <algorithm>
#include <cmath>

namespace nearmiss::app::lab {
namespace {

constexpr int halvings = 16;  // steps of a bisection

/// The cells of a grid with that edge, starting at the body's low corner, that intersect the body.
std::vector<Sphere> cellsOf(const Polyhedron& polyhedron, Real edge, std::size_t most) {
  const Box& bounds = polyhedron.bounds();
  const Vec3 extent = bounds.extent();
  const Real radius = 0.5 * std::sqrt(3.0) * edge * (1.0 + 1e-6);
  const auto along = [&](int axis) {
    return std::max(1, static_cast<int>(std::ceil(extent[axis] / edge)));
  };
  std::vector<Sphere> spheres;
  for (int z = 0; z < along(2); ++z)
    for (int y = 0; y < along(1); ++y)
      for (int x = 0; x < along(0); ++x) {
        const Vec3 middle = bounds.low + (Vec3(x, y, z) + 0.5) * edge;
        const Vec3 away = glm::abs(polyhedron.nearest(middle).position - middle);
        const bool reached = std::max({away.x, away.y, away.z}) <= 0.5 * edge * (1.0 + 1e-9);
        // The nearest point may be outside the cell although others are inside it
        const bool near = glm::length(away) <= radius;
        if (!reached && !near && !polyhedron.contains(middle)) continue;
        spheres.push_back({middle, radius});
        if (spheres.size() > most) return spheres;
      }
  return spheres;
}

std::vector<Sphere> grown(std::vector<Sphere> spheres, Real by) {
  for (Sphere& sphere : spheres) sphere.radius += by;
  return spheres;
}

/// The largest inner balls around grid points; radius 0 at vertices if no point is inside.
std::vector<Sphere> innerBalls(const Polyhedron& polyhedron) {
  constexpr Real cellsAlong = 28.0;
  const Box& bounds = polyhedron.bounds();
  const Vec3 extent = bounds.extent();
  const Real edge = std::max({extent.x, extent.y, extent.z}) / cellsAlong;
  std::vector<Sphere> balls;
  for (Real z = bounds.low.z + 0.5 * edge; z < bounds.high.z; z += edge)
    for (Real y = bounds.low.y + 0.5 * edge; y < bounds.high.y; y += edge)
      for (Real x = bounds.low.x + 0.5 * edge; x < bounds.high.x; x += edge) {
        const Vec3 point(x, y, z);
        if (polyhedron.contains(point))
          balls.push_back({point, polyhedron.nearest(point).distance});
      }
  if (balls.empty())
    for (const Vec3& corner : polyhedron.mesh().positions) balls.push_back({corner, 0.0});
  return balls;
}

}  // namespace

std::vector<Sphere> gridSpheres(const Polyhedron& polyhedron, std::size_t count) {
  const Vec3 extent = polyhedron.bounds().extent();
  Real wide = std::max({extent.x, extent.y, extent.z}), fine = 0.0;
  for (int i = 0; i < halvings; ++i) {
    const Real middle = 0.5 * (wide + fine);
    if (cellsOf(polyhedron, middle, count).size() > count)
      fine = middle;
    else
      wide = middle;
  }
  return cellsOf(polyhedron, wide, count);
}

std::vector<Sphere> greedySpheres(const Polyhedron& polyhedron, std::size_t count) {
  const std::vector<Sphere> balls = innerBalls(polyhedron);
  std::vector<bool> held(balls.size(), false);
  std::vector<Sphere> chosen;
  const auto holds = [&](std::size_t ball, std::size_t point) {
    return glm::distance(balls[ball].centre, balls[point].centre) <= balls[ball].radius;
  };
  while (chosen.size() < count) {
    std::size_t best = 0, most = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      std::size_t gain = 0;
      for (std::size_t k = 0; k < balls.size(); ++k) gain += !held[k] && holds(i, k) ? 1 : 0;
      if (gain <= most) continue;
      most = gain;
      best = i;
    }
    if (most == 0) break;
    chosen.push_back(balls[best]);
    for (std::size_t k = 0; k < balls.size(); ++k)
      if (holds(best, k)) held[k] = true;
  }
  Real tooSmall = 0.0, enough = 2.0 * polyhedron.radius();
  for (int i = 0; i < halvings; ++i) {
    const Real middle = 0.5 * (tooSmall + enough);
    if (checkFlatSet(polyhedron, grown(chosen, middle)).covers())
      enough = middle;
    else
      tooSmall = middle;
  }
  return grown(chosen, enough);
}

}  // namespace nearmiss::app::lab
