// SPDX-License-Identifier: MIT
#include "ray/ball_probe.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

constexpr Real notReached = std::numeric_limits<Real>::infinity();
/// Squared sines: of triangles whose plane is accurate to 1e-10, and of those that have a plane at
/// all.
constexpr Real flatSine = 1e-10, noSine = 1e-16;

/// A moving ball of `radius` whose centre starts at `from`.
struct MovedBall {
  Vec3 from, direction;
  Real radius;
  [[nodiscard]] Vec3 at(Real t) const noexcept { return from + t * direction; }
};

/// Returns when c + 2 b t + a t^2 falls to 0 or below; infinity if it does not or if it increases.
Real firstRoot(Real a, Real b, Real c) noexcept {
  if (b >= 0.0 || a <= 0.0) return notReached;
  // It may have touched by a rounding error
  if (c <= 0.0) return 0.0;
  const Real discriminant = b * b - a * c;
  return discriminant < 0.0 ? notReached : c / (std::sqrt(discriminant) - b);
}

Real touchOfCorner(const MovedBall& ball, const Vec3& p) noexcept {
  const Vec3 to = ball.from - p;
  return firstRoot(glm::dot(ball.direction, ball.direction), glm::dot(ball.direction, to),
                   glm::dot(to, to) - ball.radius * ball.radius);
}

Real touchOfEdge(const MovedBall& ball, const Vec3& p, const Vec3& q) noexcept {
  const Vec3 edge = q - p;
  const Real square = glm::dot(edge, edge);
  if (square == 0.0) return notReached;
  const Vec3 to = ball.from - p;
  const Vec3 across = to - edge * (glm::dot(to, edge) / square);
  const Vec3 moved = ball.direction - edge * (glm::dot(ball.direction, edge) / square);
  const Real t = firstRoot(glm::dot(moved, moved), glm::dot(moved, across),
                           glm::dot(across, across) - ball.radius * ball.radius);
  if (t == notReached) return notReached;
  const Real along = glm::dot(ball.at(t) - p, edge);
  return along >= 0.0 && along <= square ? t : notReached;
}

/// @param normal of any length above 0
/// @param tolerance metres by which the position may be off the triangle
Real touchOfFace(const MovedBall& ball, const Triangle& t, const Vec3& normal,
                 Real tolerance) noexcept {
  const Vec3 up = glm::normalize(normal);
  const Real height = glm::dot(up, ball.from - t[0]), descent = glm::dot(up, ball.direction);
  const Real gap = std::abs(height) - ball.radius;
  if (height * descent >= 0.0) return notReached;
  const Real at = std::max(gap, 0.0) / std::abs(descent);
  const Vec3 place = ball.at(at) - std::copysign(ball.radius, height) * up;
  return glm::distance(place, closestOnTriangle(place, t)) <= tolerance ? at : notReached;
}

}  // namespace

BallProbe::BallProbe(const LocalRay& ray, const SurfaceBoxes& surface, Real first) noexcept
    : surface_(&surface), direction_(ray.direction), end_(ray.end) {
  const WideBoxes& boxes = surface.boxes();
  // Squared lengths lose digits compared with that of a small radius
  const Real size = 4.0 * boxes.unit() + ray.radius;
  const Real slack = 1e-10 * size + 1e-14 * size * size / (ray.radius + 1e-7 * size);
  coarse_ = 1e-7 * size;
  slabs_ = SlabBounds(ray, boxes, ray.radius + 2.0 * slack + coarse_);
  radius_ = ray.radius + slack + 4.0 * slabs_.approach().off;
  found_.t = first;
  limit_ = slabs_.boundOf(std::min(first, end_));
}

/// Returns local t relative to the approach. The ball's centre enters the triangle widened by its
/// radius through a plane parallel to it, a cylinder about an edge or a sphere about a corner.
Real BallProbe::touchOf(const Triangle& t) const noexcept {
  const Vec3 normal = normalOf(t);
  Real longest = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    longest = std::max(longest, squaredDistance(t[i], t[(i + 1) % 3]));
  const Real sine = glm::dot(normal, normal), whole = longest * longest;
  const bool flat = !(sine > flatSine * whole);
  const MovedBall ball{slabs_.approach().near, direction_, flat ? radius_ + coarse_ : radius_};
  if (squaredDistance(closestOnTriangle(ball.from, t), ball.from) <= ball.radius * ball.radius)
    return 0.0;
  Real first = notReached;
  for (std::size_t i = 0; i < 3; ++i)
    first = std::min({first, touchOfCorner(ball, t[i]), touchOfEdge(ball, t[i], t[(i + 1) % 3])});
  if (sine > noSine * whole)
    first = std::min(
        first, touchOfFace(ball, t, normal, flat ? coarse_ : 1e-10 * slabs_.approach().reach));
  return first;
}

bool BallProbe::visit(std::uint32_t leaf, WorkCount& work) noexcept {
  work.boundTests += WideBoxes::width;
  surface_->boxes().anyIn(leaf, [&](std::uint32_t triangle, unsigned) {
    ++work.triangleTests;
    const Real touch = touchOf(surface_->mesh().corners(triangle));
    if (touch == notReached) return false;
    const Real t = slabs_.approach().start + touch;
    found_.take(triangle, {t, 0.0, t <= end_});
    limit_ = slabs_.boundOf(std::min(found_.t, end_));
    return false;
  });
  return true;
}

}  // namespace nearmiss
