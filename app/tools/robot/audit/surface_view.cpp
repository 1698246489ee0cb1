// SPDX-License-Identifier: MIT
#include "tools/robot/audit/surface_view.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss::app::robot {
namespace {

/// Light from above on the right, behind the viewer; illuminates both sides of a surface.
std::uint8_t shadeOf(const Triangle& triangle, const ViewSide& side) {
  const Vec3 normal = normalOf(triangle);
  const Real length = glm::length(normal);
  if (!(length > 0.0)) return 0;
  const Vec3 facing = glm::dot(normal, side.toViewer) < 0.0 ? -normal : normal;
  const Vec3 light = glm::normalize(0.3 * side.right + 0.5 * side.up + 0.9 * side.toViewer);
  const Real lit = std::clamp(glm::dot(facing, light) / length, 0.0, 1.0);
  return static_cast<std::uint8_t>(std::lround(lit * (shadesOfSurface - 1)));
}

bool isOutside(const Vec3& point, std::span<const Sphere> spheres) {
  return std::none_of(spheres.begin(), spheres.end(), [&point](const Sphere& sphere) {
    const Vec3 away = point - sphere.centre;
    return glm::dot(away, away) <= sphere.radius * sphere.radius;
  });
}

std::size_t countFor(Real length, Real cell) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(length / cell)));
}

}  // namespace

SurfaceView::SurfaceView(const TriangleMesh& mesh, std::span<const Sphere> spheres,
                         const ViewSide& side, const std::array<Real, 2>& low,
                         const std::array<Real, 2>& high, Real cell)
    : low_(low),
      cell_(cell),
      width_(countFor(high[0] - low[0], cell)),
      height_(countFor(high[1] - low[1], cell)),
      cells_(width_ * height_),
      points_(cells_.size()),
      depths_(cells_.size(), -std::numeric_limits<Real>::infinity()) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) draw(mesh.corners(t), side);
  for (std::size_t i = 0; i < cells_.size(); ++i)
    cells_[i].outside = cells_[i].shown && isOutside(points_[i], spheres);
}

/// Keeps a point if it is the nearest to the viewer in its cell.
void SurfaceView::put(const Vec3& point, std::uint8_t shade, const ViewSide& side) {
  const Real x = (glm::dot(point, side.right) - low_[0]) / cell_;
  const Real y = (glm::dot(point, side.up) - low_[1]) / cell_;
  const std::size_t column = std::min(static_cast<std::size_t>(std::max(x, 0.0)), width_ - 1);
  const std::size_t row = std::min(static_cast<std::size_t>(std::max(y, 0.0)), height_ - 1);
  const std::size_t index = (height_ - 1 - row) * width_ + column;
  const Real depth = glm::dot(point, side.toViewer);
  if (depth <= depths_[index]) return;
  depths_[index] = depth;
  points_[index] = point;
  cells_[index].shade = shade;
  cells_[index].shown = true;
}

/// Samples a triangle at most half a cell apart, so that triangles seen edge-on are drawn too.
void SurfaceView::draw(const Triangle& triangle, const ViewSide& side) {
  const std::uint8_t shade = shadeOf(triangle, side);
  const auto flat = [&side](const Vec3& p) {
    return Vec3(glm::dot(p, side.right), glm::dot(p, side.up), 0.0);
  };
  const Vec3 a = flat(triangle[0]), b = flat(triangle[1]), c = flat(triangle[2]);
  const Real longest = std::max(glm::distance(a, b), glm::distance(a, c));
  const std::size_t steps = countFor(longest, 0.5 * cell_);
  for (std::size_t i = 0; i <= steps; ++i) {
    // From one side to the other
    const Real share = static_cast<Real>(i) / static_cast<Real>(steps);
    const Vec3 from = triangle[0] + share * (triangle[1] - triangle[0]);
    const Vec3 to = triangle[0] + share * (triangle[2] - triangle[0]);
    const std::size_t across = countFor(glm::distance(flat(from), flat(to)), 0.5 * cell_);
    for (std::size_t k = 0; k <= across; ++k)
      put(from + (static_cast<Real>(k) / static_cast<Real>(across)) * (to - from), shade, side);
  }
}

}  // namespace nearmiss::app::robot
