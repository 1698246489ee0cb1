// SPDX-License-Identifier: MIT
#include "extras/box_fitting.h"

#include <nearmiss/assertion.h>

#include "sampling/distinct_points.h"
#include "sampling/spread_points.h"
#include "tree/sphere_packing.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace nearmiss {
namespace {

constexpr std::size_t directions = 64;
constexpr int turns = 12, refinements = 6;

using Axes = std::array<Vec3, 3>;

Eigen::Vector3d eigen(const Vec3& v) noexcept { return {v.x, v.y, v.z}; }

/// The eigenvectors of a symmetric matrix of any scale, with ascending eigenvalues.
Axes eigenvectors(const Eigen::Matrix3d& m) {
  const Real trace = m.trace();
  if (!(trace > 0.0)) return {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m / trace);
  Axes axes;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = solver.eigenvectors().col(k).normalized();
    axes[static_cast<std::size_t>(k)] = Vec3(axis[0], axis[1], axis[2]);
  }
  return axes;
}

/// Axes along which the pieces extend, and across which they face, least to most.
std::array<Vec3, 6> suggestedNormals(std::span<const Triangle> pieces) {
  Vec3 middle(0.0);
  Real area = 0.0;
  for (const Triangle& p : pieces) {
    const Real own = glm::length(glm::cross(p[1] - p[0], p[2] - p[0]));
    middle += own * (p[0] + p[1] + p[2]) / 3.0;
    area += own;
  }
  middle = area > 0.0 ? middle / area : pieces[0][0];
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero(), facing = Eigen::Matrix3d::Zero();
  for (const Triangle& p : pieces) {
    const Eigen::Vector3d normal = eigen(glm::cross(p[1] - p[0], p[2] - p[0]));
    const Real own = normal.norm();
    for (const Vec3& corner : p) {
      const Eigen::Vector3d from = eigen(corner - middle);
      spread += own * from * from.transpose();
    }
    if (own > 0.0) facing += normal * normal.transpose() / own;
  }
  const Axes along = eigenvectors(spread), across = eigenvectors(facing);
  return {along[0], along[1], along[2], across[0], across[1], across[2]};
}

/// The corners that lie farthest in some of many directions: they span all, about.
std::vector<Vec3> farthestCorners(std::span<const Vec3> corners) {
  std::vector<Vec3> spanning;
  for (std::size_t k = 0; k < directions; ++k) {
    const Vec3 share = evenPoint(k);
    const Real z = 2.0 * share.x - 1.0, around = 2.0 * std::numbers::pi * share.y;
    const Real r = std::sqrt(1.0 - z * z);
    const Vec3 direction(r * std::cos(around), r * std::sin(around), z);
    Real most = -std::numeric_limits<Real>::infinity();
    Vec3 farthest(0.0);
    for (const Vec3& corner : corners)
      if (const Real reach = glm::dot(direction, corner); reach > most) {
        most = reach;
        farthest = corner;
      }
    spanning.push_back(farthest);
  }
  return spanning;
}

/// What the box along these axes around the corners has for a surface, but for a factor.
Real surfaceAlong(const Axes& axes, const std::vector<Vec3>& corners) {
  std::array<Real, 3> extent;
  for (std::size_t k = 0; k < 3; ++k) {
    Real low = std::numeric_limits<Real>::infinity(), high = -low;
    for (const Vec3& corner : corners) {
      const Real at = glm::dot(axes[k], corner);
      low = std::min(low, at);
      high = std::max(high, at);
    }
    extent[k] = high - low;
  }
  return extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
}

/// Perpendicular to a unit vector, turned about it by an angle.
Axes axesAbout(const Vec3& normal, Real angle) {
  const Vec3 least = std::abs(normal.x) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  const Vec3 u = glm::normalize(glm::cross(normal, least));
  const Vec3 v = glm::cross(normal, u);
  const Real c = std::cos(angle), s = std::sin(angle);
  return {normal, c * u + s * v, c * v - s * u};
}

Axes bestAxes(std::span<const Triangle> pieces, std::span<const Vec3> allCorners) {
  const std::vector<Vec3> corners = farthestCorners(allCorners);
  Axes best{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  Real least = surfaceAlong(best, corners);
  for (const Vec3& normal : suggestedNormals(pieces)) {
    Real step = 0.5 * std::numbers::pi / turns;
    Real angle = 0.0, own = std::numeric_limits<Real>::infinity();
    const auto attempt = [&](Real at) {
      const Axes axes = axesAbout(normal, at);
      const Real surface = surfaceAlong(axes, corners);
      if (surface < own) {
        own = surface;
        angle = at;
      }
      if (surface < least) {
        least = surface;
        best = axes;
      }
    };
    for (int turn = 0; turn < turns; ++turn) attempt(turn * step);
    for (int round = 0; round < refinements; ++round) {
      step *= 0.5;
      const Real from = angle;
      attempt(from - step);
      attempt(from + step);
    }
  }
  return best;
}

}  // namespace

NodeBox fitBox(std::span<const Triangle> pieces, Real margin) {
  NEARMISS_ASSERT(!pieces.empty());
  DistinctPoints distinct;
  distinct.start(3 * pieces.size());
  for (const Triangle& piece : pieces)
    for (const Vec3& corner : piece) distinct.add(corner);
  const std::span<const Vec3> corners = distinct.points();
  Axes axes = bestAxes(pieces, corners);
  for (Vec3& axis : axes) axis = roundedToFloat(axis);

  // The middle along each axis, then all distances from it as it is stored
  Vec3 centre(0.0);
  std::array<Real, 3> half{};
  for (const Vec3& axis : axes) {
    Real low = std::numeric_limits<Real>::infinity(), high = -low;
    for (const Vec3& corner : corners) {
      const Real at = glm::dot(axis, corner);
      low = std::min(low, at);
      high = std::max(high, at);
    }
    centre += 0.5 * (low + high) * axis;
  }
  centre = roundedToFloat(centre);
  for (const Vec3& corner : corners)
    for (std::size_t k = 0; k < 3; ++k)
      half[k] = std::max(half[k], std::abs(glm::dot(axes[k], corner - centre)));

  std::array<std::size_t, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return half[a] != half[b] ? half[a] < half[b] : a < b;
  });
  NodeBox box;
  for (int k = 0; k < 3; ++k) {
    box.centre[k] = static_cast<float>(centre[k]);
    const std::size_t from = order[static_cast<std::size_t>(k)];
    box.half[k] = floatAtLeast(half[from] + margin);
    for (int i = 0; i < 3; ++i) box.axis[k][i] = static_cast<float>(axes[from][i]);
  }
  return box;
}

}  // namespace nearmiss
