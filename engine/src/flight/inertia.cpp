// SPDX-License-Identifier: MIT
#include <engine/flight/inertia.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/detail/second_moments.h>
#include <nearmiss/mesh.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

Triangle cornersOf(const BodyPart& part, std::size_t triangle) {
  Triangle corners = part.polyhedron->mesh().corners(triangle);
  for (Vec3& corner : corners) corner = transformed(part.pose, corner);
  return corners;
}

SecondMoments momentsOf(std::span<const BodyPart> parts,
                        void (SecondMoments::*add)(const Triangle&) noexcept) {
  SecondMoments moments;
  for (const BodyPart& part : parts)
    for (std::size_t t = 0; t < part.polyhedron->mesh().triangles.size(); ++t)
      (moments.*add)(cornersOf(part, t));
  return moments;
}

}  // namespace

Real InverseInertia::norm() const noexcept {
  return std::sqrt(glm::dot(diagonal, diagonal) + 2.0 * glm::dot(mixed, mixed));
}

InverseInertia inverseInertiaOf(const Polyhedron& polyhedron) {
  const BodyPart whole{&polyhedron, {}};
  return inverseInertiaOf(std::span(&whole, 1));
}

InverseInertia inverseInertiaOf(std::span<const BodyPart> parts) {
  constexpr double thinnest = 0.02;  // relative to the radius
  double radius = 0.0;
  bool solid = true;
  for (const BodyPart& part : parts) {
    radius = std::max(radius, glm::length(part.pose.position) + part.polyhedron->radius());
    solid = solid && part.polyhedron->report().solid();
  }
  SecondMoments moments =
      momentsOf(parts, solid ? &SecondMoments::addSolid : &SecondMoments::addSheet);
  // Inside out, or of negligible volume
  if (!(moments.content > 1e-12 * radius * radius * radius)) {
    moments = momentsOf(parts, &SecondMoments::addSheet);
    if (!(moments.content > 0.0)) return {};
  }
  Eigen::Matrix3d second;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      second(row, column) = moments.second[column][row] / moments.content;
  const double least = thinnest * thinnest * radius * radius;
  const Eigen::Matrix3d inertia = (second.trace() + least) * Eigen::Matrix3d::Identity() - second;
  const Eigen::Matrix3d inverse = inertia.inverse();
  if (!inverse.allFinite()) return {};
  return {{inverse(0, 0), inverse(1, 1), inverse(2, 2)},
          {inverse(1, 2), inverse(0, 2), inverse(0, 1)}};
}

}  // namespace nearmiss::engine
