// SPDX-License-Identifier: MIT
#include "pair/beyond_planes.h"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <cmath>

namespace nearmiss {
namespace {

/// Returns the point nearest to the origin on the common line of two planes.
std::optional<Vec3> nearestOn(const BeyondPlane& p, const BeyondPlane& q) noexcept {
  const Real cosine = glm::dot(p.normal, q.normal);
  const Real determinant = 1.0 - cosine * cosine;
  if (!(determinant > 1e-8)) return std::nullopt;
  return ((p.reach - cosine * q.reach) * p.normal + (q.reach - cosine * p.reach) * q.normal) /
         determinant;
}

std::optional<Vec3> cornerOf(const BeyondPlane& p, const BeyondPlane& q,
                             const BeyondPlane& r) noexcept {
  const Vec3 across = glm::cross(q.normal, r.normal);
  const Real volume = glm::dot(p.normal, across);
  if (!(std::abs(volume) > 1e-5)) return std::nullopt;
  return (p.reach * across + q.reach * glm::cross(r.normal, p.normal) +
          r.reach * glm::cross(p.normal, q.normal)) /
         volume;
}

}  // namespace

std::optional<Vec3> nearestBeyond(std::span<const BeyondPlane> planes) noexcept {
  std::optional<Vec3> best;
  const auto offer = [&](const std::optional<Vec3>& point) {
    if (!point) return;
    const Real square = glm::dot(*point, *point);
    if (best && square >= glm::dot(*best, *best)) return;
    const Real doubt = 1e-9 * std::sqrt(square);
    for (const BeyondPlane& plane : planes)
      if (glm::dot(plane.normal, *point) < plane.reach - doubt) return;
    best = point;
  };
  offer(Vec3(0.0));
  for (std::size_t i = 0; i < planes.size(); ++i) {
    offer(planes[i].reach * planes[i].normal);
    for (std::size_t j = 0; j < i; ++j) {
      offer(nearestOn(planes[i], planes[j]));
      for (std::size_t k = 0; k < j; ++k) offer(cornerOf(planes[i], planes[j], planes[k]));
    }
  }
  return best;
}

std::optional<Vec3> BeyondPlanes::with(const BeyondPlane& plane) {
  planes_.push_back(plane);
  auto nearest = nearestBeyond(planes_);
  while (!nearest && planes_.size() > 1) {
    planes_.erase(planes_.begin());
    nearest = nearestBeyond(planes_);
  }
  return nearest;
}

}  // namespace nearmiss
