// SPDX-License-Identifier: MIT
#include "volumes/box_volumes.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace nearmiss {

AlignedBoxVolume AlignedBoxVolume::around(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.include(p);
  return {box.centre(), 0.5 * box.extent()};
}

glm::dmat3 principalAxes(std::span<const Vec3> points) {
  Vec3 mean(0.0);
  for (const Vec3& p : points) mean += p / static_cast<Real>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3& p : points) {
    const Eigen::Vector3d from(p.x - mean.x, p.y - mean.y, p.z - mean.z);
    spread += from * from.transpose();
  }
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

TurnedBoxVolume TurnedBoxVolume::around(std::span<const Vec3> points) {
  TurnedBoxVolume volume;
  volume.axes = principalAxes(points);
  Box box;
  for (const Vec3& p : points) box.include(p * volume.axes);
  volume.centre = volume.axes * box.centre();
  volume.half = 0.5 * box.extent();
  return volume;
}

bool boxesApart(const Vec3& halfA, const Vec3& halfB, const glm::dmat3& axes, const Vec3& centre,
                Real slack) noexcept {
  constexpr Real doubt = 1e-9;
  Real r[3][3], most[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      r[i][j] = axes[j][i];
      most[i][j] = std::abs(r[i][j]) + doubt;
    }
  // Faces of a, then of b
  for (int i = 0; i < 3; ++i)
    if (std::abs(centre[i]) >
        halfA[i] + halfB[0] * most[i][0] + halfB[1] * most[i][1] + halfB[2] * most[i][2] + slack)
      return true;
  for (int j = 0; j < 3; ++j)
    if (std::abs(centre[0] * r[0][j] + centre[1] * r[1][j] + centre[2] * r[2][j]) >
        halfA[0] * most[0][j] + halfA[1] * most[1][j] + halfA[2] * most[2][j] + halfB[j] + slack)
      return true;
  // Pairs of edges; such an axis is no longer than 1, so that the slack is enough along it
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const Real reachA = halfA[i1] * most[i2][j] + halfA[i2] * most[i1][j];
      const Real reachB = halfB[j1] * most[i][j2] + halfB[j2] * most[i][j1];
      if (std::abs(centre[i2] * r[i1][j] - centre[i1] * r[i2][j]) > reachA + reachB + slack)
        return true;
    }
  return false;
}

bool apart(const AlignedBoxVolume& a, const AlignedBoxVolume& b,
           const VolumeMotion& motion) noexcept {
  return boxesApart(a.half, b.half, motion.axes, motion(b.centre) - a.centre, motion.slack);
}

bool apart(const TurnedBoxVolume& a, const TurnedBoxVolume& b,
           const VolumeMotion& motion) noexcept {
  const Vec3 between = motion(b.centre) - a.centre;
  return boxesApart(a.half, b.half, glm::transpose(a.axes) * (motion.axes * b.axes),
                    between * a.axes, motion.slack);
}

}  // namespace nearmiss
