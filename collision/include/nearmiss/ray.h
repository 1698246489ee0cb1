// SPDX-License-Identifier: MIT
/// Rays, moving balls and points against one shape. For many bodies see World in world.h.
///
/// Query classes have begin(), refine() and known() as explained in pair.h. Here, refine() runs for
/// at least one quantum, about a third of a microsecond, and the final result does not depend on
/// where the search was interrupted. All queries search the hierarchy of boxes that makeShape()
/// built. They allocate nothing.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <limits>
#include <memory>

namespace nearmiss {

enum class BodyHandle : std::uint32_t;  // see world.h

// Ray, segment and moving-ball casts

/// A ray: all points origin + t direction with 0 <= t <= end, world frame. If the direction has
/// unit length, t is in metres. For the segment from p to q use direction q - p and end 1. With a
/// radius above 0, a ball whose centre moves along the ray.
struct Ray {
  Vec3 origin{0.0};                ///< metres, each coordinate within maxPoseMagnitude
  Vec3 direction{0.0, 0.0, -1.0};  ///< of any length; largest coordinate 1e-200 to 1e200
  Real end = std::numeric_limits<Real>::infinity();  ///< at least 0; may be infinite
  Real radius = 0.0;                                 ///< metres, at most maxPoseMagnitude
};

/// Checks that a ray is valid input. Errors: Unsupported, in a sentence that names the first field
/// that is not finite or out of range, or says that the direction has no length; OutOfMemory.
Result<Success> check(const Ray& ray);

/// The first hit of a ray or moving ball on a surface, as far as it is known.
///
/// Rays (radius 0) are tested exactly, on the ray's coordinates after rounding to doubles in the
/// body frame:
/// - Triangles are closed and two-sided: no ray passes through an edge or a vertex, and a ray that
///   starts inside a solid hits the far wall.
/// - A ray in the plane of a triangle hits it at the first common point.
/// - A ray that starts on the surface hits it at t = 0; one that ends on the surface hits it at
///   `end`.
/// - A degenerate triangle is the segment or point to which it collapses.
///
/// A ball (radius above 0) hits the surface when the distance of its centre falls to `radius`, or
/// at t = 0 if it starts nearer. A hit may be reported slightly early, but never late, because the
/// ball is enlarged:
/// - by at most 1e-9 of the size of shape and ball;
/// - by at most 1e-6 of that size if the ball is smaller than a thousandth of the shape, or if
///   triangles are flatter than 1 : 100 000;
/// - additionally by the rounding error of coordinates if the ball starts far away.
struct RayHit {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;  ///< proven: no hit before this t, rounding included
  /// Of the earliest hit found so far; infinite if none.
  Real t = std::numeric_limits<Real>::infinity();
  /// Hit point on the surface, world frame, metres. If a ball starts within `radius` of the
  /// surface: any surface point within the radius.
  Vec3 point{0.0};
  /// Unit vector, world frame. For a ray: the normal of the triangle, towards the side from which
  /// its corners run counter-clockwise; zero for a degenerate triangle. For a ball: from `point` to
  /// its centre.
  Vec3 normal{0.0};
  /// Index of the triangle that contains `point`; the lowest index if several share it at an edge
  /// or a vertex.
  std::uint32_t triangle = noTriangle;
  bool canRefine = true;  ///< false: final; nothing is hit before `t`, or at all if `t` is infinite
  BodyHandle body{};      ///< set by World::raycast(): the body that is hit, or 0
  [[nodiscard]] bool hit() const noexcept { return triangle != noTriangle; }
};

/// Casts one ray.
[[nodiscard]] RayHit raycast(const Shape& shape, const Pose& pose, const Ray& ray,
                             const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable ray query.
class RayQuery {
 public:
  RayQuery();
  RayQuery(RayQuery&&) noexcept;
  RayQuery& operator=(RayQuery&&) noexcept;
  ~RayQuery();

  void begin(const Shape& shape, const Pose& pose, const Ray& ray);
  RayHit refine(const TimeBudget& budget = TimeBudget::unlimited());
  [[nodiscard]] RayHit known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Points

/// Bounds on the distance of a point from a surface, metres. Inside a solid the distance is also
/// that of the surface; see sideOf().
struct NearestPoint {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;                                    ///< the distance is at least this
  Real upper = std::numeric_limits<Real>::infinity();  ///< the distance is at most this
  Vec3 point{0.0};                      ///< on the surface, `upper` away, world frame
  std::uint32_t triangle = noTriangle;  ///< the triangle that contains `point`
  /// False: final. Either `upper` is the distance, or no point is within reach; `lower` is then the
  /// reach, within rounding.
  bool canRefine = true;
  BodyHandle body{};  ///< set by World::nearestPoint(): the body of `point`, or 0
  [[nodiscard]] bool found() const noexcept { return triangle != noTriangle; }
};

/// Checks that a point and a reach are valid input. Errors: OutOfMemory; Unsupported, in a sentence
/// (a coordinate that is not finite or beyond maxPoseMagnitude, a reach below 0 or NaN).
Result<Success> check(const Vec3& point, Real reach = std::numeric_limits<Real>::infinity());

/// Finds the surface point of a shape that is nearest to `point`, within `reach` metres.
[[nodiscard]] NearestPoint nearestPoint(const Shape& shape, const Pose& pose, const Vec3& point,
                                        Real reach = std::numeric_limits<Real>::infinity(),
                                        const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable search for the nearest surface point.
class NearestPointQuery {
 public:
  NearestPointQuery();
  NearestPointQuery(NearestPointQuery&&) noexcept;
  NearestPointQuery& operator=(NearestPointQuery&&) noexcept;
  ~NearestPointQuery();

  void begin(const Shape& shape, const Pose& pose, const Vec3& point,
             Real reach = std::numeric_limits<Real>::infinity());
  NearestPoint refine(const TimeBudget& budget = TimeBudget::unlimited());
  [[nodiscard]] NearestPoint known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The side of a surface on which a point lies.
enum class PointSide : std::uint8_t {
  Outside,
  Inside,
  OnSurface,
  Unknown,    ///< the shape is not a solid, and the point is not on its surface
  Undecided,  ///< time ran out
};

/// Returns on which side of the surface a point lies, decided exactly on the point's coordinates
/// after rounding to doubles in the body frame. Pose and point are in the world frame.
/// @pre check(pose) and check(point) succeed.
[[nodiscard]] PointSide sideOf(const Shape& shape, const Pose& pose, const Vec3& point,
                               const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
