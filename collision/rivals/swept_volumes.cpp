// SPDX-License-Identifier: MIT
#include "rivals/swept_volumes.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

/// Returns the distance of a point, relative to the centre, from a rectangle.
Real distanceFrom(const Vec3& own, const Real (&half)[2]) noexcept {
  return glm::length(Vec3(std::max(std::abs(own.x) - half[0], 0.0),
                          std::max(std::abs(own.y) - half[1], 0.0), own.z));
}

/// Returns how far the rectangle of a volume extends to either side of its centre along an axis.
Real reachAlong(const SweptVolume& volume, const Vec3& axis) noexcept {
  return volume.half[0] * std::abs(glm::dot(axis, volume.axes[0])) +
         volume.half[1] * std::abs(glm::dot(axis, volume.axes[1]));
}

}  // namespace

glm::dmat3 axesOfSpread(const glm::dmat3& covariance) {
  Eigen::Matrix3d spread;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) spread(i, j) = covariance[j][i];
  const Real trace = spread.trace();
  if (!(trace > 0.0) || !std::isfinite(trace)) return glm::dmat3(1.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread / trace);
  const auto column = [&solver](int k) {
    const Eigen::Vector3d axis = solver.eigenvectors().col(k).normalized();
    return Vec3(axis[0], axis[1], axis[2]);
  };
  const Vec3 first = column(2), second = column(1);
  return {first, second, glm::cross(first, second)};
}

glm::dmat3 principalAxes(std::span<const Vec3> points) {
  Vec3 mean(0.0);
  for (const Vec3& p : points) mean += p / static_cast<Real>(points.size());
  glm::dmat3 spread(0.0);
  for (const Vec3& p : points) spread += glm::outerProduct(p - mean, p - mean);
  return axesOfSpread(spread);
}

SweptVolume SweptVolume::around(std::span<const Vec3> points, int sides) {
  SweptVolume volume;
  volume.axes = principalAxes(points);
  Box box;
  for (const Vec3& p : points) box.include(p * volume.axes);
  volume.centre = volume.axes * box.centre();
  const Vec3 half = 0.5 * box.extent();
  // The smallest extents are left to the radius
  const Real least = sides == 2 ? half[2] : sides == 1 ? std::max(half[1], half[2]) : 0.0;
  for (int k = 0; k < sides; ++k) volume.half[k] = std::max(half[k] - least, 0.0);
  for (const Vec3& p : points)
    volume.radius =
        std::max(volume.radius, distanceFrom((p - volume.centre) * volume.axes, volume.half));
  return volume;
}

Sphere SweptVolume::enclosing() const noexcept {
  return {centre, std::hypot(half[0], half[1]) + radius};
}

Real SweptVolume::reachFrom(const Vec3& point) const noexcept {
  const Vec3 own = glm::abs((point - centre) * axes);
  return glm::length(own + Vec3(half[0], half[1], 0.0)) + radius;
}

namespace {

/// Calls visit(squared length of an axis, gap of the rectangles along it) for normals, sides, cross
/// products of sides, and the line of centres, until it returns true. Returns whether it did. The
/// gap is scaled by the length of the axis.
bool anyAxis(const SweptVolume& a, const SweptVolume& b, const VolumeMotion& motion,
             const auto& visit) {
  SweptVolume moved = b;
  moved.axes = motion.axes * b.axes;
  const Vec3 between = motion(b.centre) - a.centre;
  // Lengths whose squares underflow are inconclusive
  const auto offer = [&](const Vec3& axis) {
    const Real square = glm::dot(axis, axis);
    return square > 1e-18 && visit(square, std::abs(glm::dot(between, axis)) - reachAlong(a, axis) -
                                               reachAlong(moved, axis));
  };
  if (offer(between) || offer(a.axes[2]) || offer(moved.axes[2])) return true;
  for (int i = 0; i < 2; ++i)
    if (offer(a.axes[i]) || offer(moved.axes[i])) return true;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (offer(glm::cross(a.axes[i], moved.axes[j]))) return true;
  return false;
}

}  // namespace

bool apart(const SweptVolume& a, const SweptVolume& b, const VolumeMotion& motion) noexcept {
  const Real reach = a.radius + b.radius + motion.slack;
  return anyAxis(a, b, motion, [reach](Real square, Real gap) {
    return gap > 0.0 && gap * gap > reach * reach * square;
  });
}

Real gapBetween(const SweptVolume& a, const SweptVolume& b, const VolumeMotion& motion,
                Real enough) noexcept {
  // Squared, so that at most one root is needed
  const Real reach = a.radius + b.radius + motion.slack;
  const Real goal = (enough + reach) * (enough + reach);
  Real widest = 0.0;
  anyAxis(a, b, motion, [&](Real square, Real gap) {
    if (gap > 0.0 && gap * gap > widest * square) widest = gap * gap / square;
    return widest >= goal;
  });
  return std::max(std::sqrt(widest) - reach, 0.0);
}

}  // namespace nearmiss
