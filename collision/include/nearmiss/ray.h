// SPDX-License-Identifier: MIT
/// Rays, segments and moved balls against one shape: where they first meet its surface, with a
/// bound that holds after any time and tightens with more. For many bodies see body_queries.h.
///
/// Functions may run at once, on the same shapes too. A query object belongs to one thread at a
/// time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <limits>
#include <memory>

namespace nearmiss {

/// All points origin + t direction with 0 <= t <= end, world frame. With a direction of unit length
/// t is in metres; the segment from p to q has direction q - p and end 1. With a radius above 0, a
/// ball whose centre moves along it.
struct Ray {
  Vec3 origin{0.0};                ///< metres, each within maxPoseMagnitude
  Vec3 direction{0.0, 0.0, -1.0};  ///< of any length; the largest coordinate 1e-200 to 1e200
  Real end = std::numeric_limits<Real>::infinity();  ///< 0 or more
  Real radius = 0.0;                                 ///< metres, at most maxPoseMagnitude
};

/// Checks a ray from outside. Errors: Unsupported, in a sentence that names the first field that is
/// not finite or out of range, or says that the direction has no length; OutOfMemory.
Result<Success> check(const Ray& ray);

/// What is known of a ray. Without a radius it is decided exactly which triangles the ray meets, on
/// the doubles of the ray as seen from the body: triangles are closed, so that no ray slips through
/// an edge or a vertex; one without area is the segment or point that it is; a ray in the plane of
/// a triangle meets it in the first point that both share. A ray that starts on the surface meets
/// it at 0, and one that ends on it meets it at its end. Triangles have two sides, and inside a
/// solid the ray meets the far wall.
///
/// A ball meets the surface where its centre is `radius` from it, at 0 if it is nearer at the
/// start; then the point is of the first triangle within its radius, not of the nearest. A ball is
/// never late, for it is taken for larger: by at most 1e-9 of the size of shape and ball, or 1e-6
/// where the ball is below a thousandth of the shape or triangles are flatter than 1 : 100 000,
/// and by the rounding of coordinates where it starts far away.
struct RayHit {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;  ///< the surface is not met before this t, whatever was rounded
  Real t = std::numeric_limits<Real>::infinity();  ///< of the earliest point found so far
  Vec3 point{0.0};                                 ///< of the surface, world frame, metres
  /// Unit, world frame: of the triangle, to the side from which it is counter-clockwise, zero for
  /// one without area. Of a ball: from `point` to its centre.
  Vec3 normal{0.0};
  /// That holds the point; of those that share it as an edge or a corner the lowest index.
  std::uint32_t triangle = noTriangle;
  bool canRefine = true;  ///< false: final; nothing is met before `t`, or at all
  [[nodiscard]] bool hit() const noexcept { return triangle != noTriangle; }
};

/// A resumable search over a hierarchy of boxes, made when the shape is first asked about a ray or
/// a point, and kept with it. Allocates nothing else.
/// If a step throws std::bad_alloc, call begin() before the next one.
/// What was moved from may only be assigned to or destroyed.
class RayQuery {
 public:
  RayQuery();
  RayQuery(RayQuery&&) noexcept;
  RayQuery& operator=(RayQuery&&) noexcept;
  ~RayQuery();

  /// Starts a search along a ray. Pose and ray are in the world frame. If it throws std::bad_alloc,
  /// the query keeps the previous ray.
  /// @pre check(pose) and check(ray) succeed.
  void begin(const Shape& shape, const Pose& pose, const Ray& ray);

  /// Searches until the answer is final or `budget` is exhausted; by one quantum, about a third of
  /// a microsecond, however short the time. The final answer does not depend on the stops.
  /// @pre begin() was called.
  RayHit refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// @pre begin() was called.
  [[nodiscard]] RayHit known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One ray, from scratch. Allocates nothing once the shape has its hierarchy.
/// @pre as RayQuery::begin()
[[nodiscard]] RayHit raycast(const Shape& shape, const Pose& pose, const Ray& ray,
                             const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
