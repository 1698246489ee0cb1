// SPDX-License-Identifier: MIT
#include <nearmiss/ray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "geometry/closest_points.h"
#include "geometry/exact_predicates.h"
#include "geometry/invalid_number.h"
#include "geometry/sound_pose.h"
#include "geometry/triangle_normal.h"
#include "pair/two_bodies.h"
#include "ray/ray_search.h"

namespace nearmiss {
namespace {

/// Within these limits, times of positions within maxPoseMagnitude neither overflow nor lose
/// digits.
constexpr Real minDirection = 1e-200, maxDirection = 1e200;

std::optional<InvalidNumber> faultOfRay(const Ray& ray) noexcept {
  if (auto fault = outOfRange(ray.origin, {"origin.x", "origin.y", "origin.z"})) return fault;
  constexpr std::array fields{"direction.x", "direction.y", "direction.z"};
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(ray.direction[axis]))
      return InvalidNumber{fields[static_cast<std::size_t>(axis)], "finite", ray.direction[axis]};
  if (ray.direction == Vec3(0.0))
    return InvalidNumber{"the length of the direction", "above 0", 0.0};
  const Vec3 size = glm::abs(ray.direction);
  const Real largest = std::max({size.x, size.y, size.z});
  if (!(largest >= minDirection && largest <= maxDirection))
    return InvalidNumber{"the largest coordinate of the direction", "from 1e-200 to 1e200", largest,
                         largest < minDirection ? minDirection : maxDirection};
  if (!(ray.end >= 0.0)) return InvalidNumber{"end", "0 or more", ray.end};
  return outOfRange(ray.radius, "radius");
}

Vec3 unitOrNone(const Vec3& v) noexcept {
  const Real length = glm::length(v);
  return length > 0.0 ? v / length : Vec3(0.0);
}

}  // namespace

void RaySearch::begin(const SurfaceBoxes& surface, const Pose& pose, const Ray& ray,
                      Real first) noexcept {
  surface_ = &surface;
  pose_ = withUnitRotation(pose);
  ray_ = LocalRay(pose_, ray);
  // A hit at the end counts as late as the end, although rounding may have put it later
  const Real latest = first < ray.end ? ray_.local(first) : std::numeric_limits<Real>::infinity();
  if (thick()) {
    ball_ = BallProbe(ray_, surface, latest);
    ballSearch_.begin(surface.boxes());
  } else {
    line_ = RayProbe(ray_, surface, latest);
    lineSearch_.begin(surface.boxes());
  }
}

void RaySearch::run(const TimeBudget& budget) {
  if (thick())
    ballSearch_.run(ball_, budget);
  else
    lineSearch_.run(line_, budget);
}

Real RaySearch::lower() const noexcept {
  const Real waiting =
      thick() ? ball_.timeOf(ballSearch_.least()) : line_.timeOf(lineSearch_.least());
  return ray_.given(std::max(std::min({waiting, found().lowest, ray_.end}), 0.0));
}

RayHit RaySearch::known() const noexcept {
  RayHit hit;
  hit.lower = lower();
  hit.canRefine = !done();
  hit.triangle = found().triangle;
  if (!hit.hit()) return hit;
  hit.t = t();
  const Triangle corners = surface_->mesh().corners(hit.triangle);
  const Vec3 centre = ray_.at(found().t);
  const Vec3 point = closestOnTriangle(centre, corners);
  hit.point = transformed(pose_, point);
  hit.normal = thick() ? unitOrNone(centre - point) : Vec3(0.0);
  if (hit.normal == Vec3(0.0) && !collinear(corners[0], corners[1], corners[2]))
    hit.normal = faceNormalOf(corners);
  hit.normal = pose_.rotation * hit.normal;
  return hit;
}

Result<Success> check(const Ray& ray) { return toResult(faultOfRay(ray), "cannot check the ray"); }

struct RayQuery::Parts {
  std::optional<Shape> shape;  ///< keeps the searched data alive
  RaySearch search;
};

RayQuery::RayQuery() : parts_(std::make_unique<Parts>()) {}
RayQuery::RayQuery(RayQuery&&) noexcept = default;
RayQuery& RayQuery::operator=(RayQuery&&) noexcept = default;
RayQuery::~RayQuery() = default;

void RayQuery::begin(const Shape& shape, const Pose& pose, const Ray& ray) {
  demandSound(pose, "pose");
  demandSound(faultOfRay(ray));
  const SurfaceBoxes& surface = surfaceOf(shape.polyhedron());
  parts_->shape = shape;
  parts_->search.begin(surface, pose, ray);
}

RayHit RayQuery::refine(const TimeBudget& budget) {
  NEARMISS_DEMAND(parts_->shape.has_value());
  resetOnThrow(*parts_, [&] {
    if (!parts_->search.done()) parts_->search.run(budget);
  });
  return parts_->search.known();
}

RayHit RayQuery::known() const noexcept {
  NEARMISS_DEMAND(parts_->shape.has_value());
  return parts_->search.known();
}

RayHit raycast(const Shape& shape, const Pose& pose, const Ray& ray, const TimeBudget& budget) {
  demandSound(pose, "pose");
  demandSound(faultOfRay(ray));
  RaySearch search;
  search.begin(surfaceOf(shape.polyhedron()), pose, ray);
  search.run(budget);
  return search.known();
}

}  // namespace nearmiss
