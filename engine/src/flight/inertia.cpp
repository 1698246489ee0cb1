// SPDX-License-Identifier: MIT
#include <engine/flight/inertia.h>
#include <nearmiss/mesh.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Sums of x x^T over a body, and of 1.
struct Moments {
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  double content = 0.0;

  /// Of a tetrahedron with a corner in the origin (`divisor` 20) or a triangle (12), `amount` its
  /// volume or area: corners and their sum enter alike.
  void add(const Triangle& t, double amount, double divisor) {
    const Eigen::Vector3d a = eigen(t[0]), b = eigen(t[1]), c = eigen(t[2]), sum = a + b + c;
    second += amount / divisor *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    content += amount;
  }
};

Triangle cornersOf(const BodyPart& part, std::size_t triangle) {
  Triangle corners = part.polyhedron->mesh().corners(triangle);
  for (Vec3& corner : corners) corner = transformed(part.pose, corner);
  return corners;
}

void addSolid(Moments& moments, const BodyPart& part) {
  for (std::size_t t = 0; t < part.polyhedron->mesh().triangles.size(); ++t) {
    const Triangle corners = cornersOf(part, t);
    moments.add(corners, glm::dot(corners[0], glm::cross(corners[1], corners[2])) / 6.0, 20.0);
  }
}

void addSheet(Moments& moments, const BodyPart& part) {
  for (std::size_t t = 0; t < part.polyhedron->mesh().triangles.size(); ++t) {
    const Triangle corners = cornersOf(part, t);
    const Vec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
    moments.add(corners, 0.5 * glm::length(normal), 12.0);
  }
}

Moments momentsOf(std::span<const BodyPart> parts, void (*add)(Moments&, const BodyPart&)) {
  Moments moments;
  for (const BodyPart& part : parts) add(moments, part);
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
  constexpr double thinnest = 0.02;  // of the radius
  double radius = 0.0;
  bool solid = true;
  for (const BodyPart& part : parts) {
    radius = std::max(radius, glm::length(part.pose.position) + part.polyhedron->radius());
    solid = solid && part.polyhedron->report().solid();
  }
  Moments moments = momentsOf(parts, solid ? addSolid : addSheet);
  // Inside out, or of no volume to speak of
  if (!(moments.content > 1e-12 * radius * radius * radius)) {
    moments = momentsOf(parts, addSheet);
    if (!(moments.content > 0.0)) return {};
  }
  const Eigen::Matrix3d second = moments.second / moments.content;
  const double least = thinnest * thinnest * radius * radius;
  const Eigen::Matrix3d inertia = (second.trace() + least) * Eigen::Matrix3d::Identity() - second;
  const Eigen::Matrix3d inverse = inertia.inverse();
  if (!inverse.allFinite()) return {};
  return {{inverse(0, 0), inverse(1, 1), inverse(2, 2)},
          {inverse(1, 2), inverse(0, 2), inverse(0, 1)}};
}

}  // namespace nearmiss::engine
