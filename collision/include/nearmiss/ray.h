// SPDX-License-Identifier: MIT
/// Rays, moving balls and points against one shape. For many bodies see world.h.
///
/// Thread-safe for concurrent use of the same shapes; a query object belongs to one thread at a
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
/// - A degenerate triangle is the segment or point to which it collapses.
/// - A ray in the plane of a triangle hits it at the first common point.
/// - A ray that starts on the surface hits it at t = 0; one that ends on the surface hits it at
///   `end`.
///
/// A ball (radius above 0) hits the surface when the distance of its centre falls to `radius`, or
/// at t = 0 if it starts nearer. In the latter case `point` lies on some triangle within the
/// radius, not necessarily the nearest one. A hit is never reported too late, because the ball is
/// enlarged:
/// - by at most 1e-9 of the size of shape and ball;
/// - by at most 1e-6 of it if the ball is smaller than a thousandth of the shape, or if triangles
///   are flatter than 1 : 100 000;
/// - additionally by the rounding error of coordinates if the ball starts far away.
struct RayHit {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;  ///< proven: no hit before this t, rounding included
  /// Of the earliest hit found so far; infinite if none.
  Real t = std::numeric_limits<Real>::infinity();
  Vec3 point{0.0};  ///< hit point on the surface, world frame, metres
  /// Unit, world frame. For a ray: the normal of the triangle, towards the side from which its
  /// corners run counter-clockwise; zero for a degenerate triangle. For a ball: from `point` to its
  /// centre.
  Vec3 normal{0.0};
  /// Index of the triangle that contains `point`; the lowest index if several share it at an edge
  /// or a vertex.
  std::uint32_t triangle = noTriangle;
  bool canRefine = true;  ///< false: final; nothing is hit before `t`, or at all if `t` is infinite
  [[nodiscard]] bool hit() const noexcept { return triangle != noTriangle; }
};

/// Casts one ray. Allocates nothing once the shape has its hierarchy.
/// @pre as RayQuery::begin()
[[nodiscard]] RayHit raycast(const Shape& shape, const Pose& pose, const Ray& ray,
                             const TimeBudget& budget = TimeBudget::unlimited());

/// A resumable ray query that searches a hierarchy of boxes. The hierarchy is built when a ray or
/// point query first uses the shape, and cached with it; nothing else is allocated.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
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

  /// Searches until the result is final or `budget` is exhausted. Runs for at least one quantum,
  /// about a third of a microsecond. The final result does not depend on where the search was
  /// interrupted.
  /// @pre begin() was called.
  RayHit refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// Returns the result found so far.
  /// @pre begin() was called.
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
  [[nodiscard]] bool found() const noexcept { return triangle != noTriangle; }
};

/// Checks that a point and a reach are valid input. Errors: OutOfMemory; Unsupported, in a sentence
/// (a coordinate that is not finite or beyond maxPoseMagnitude, a reach below 0 or NaN).
Result<Success> check(const Vec3& point, Real reach = std::numeric_limits<Real>::infinity());

/// Finds one nearest point. Allocates nothing once the shape has its hierarchy.
/// @pre as NearestQuery::begin()
[[nodiscard]] NearestPoint nearestPoint(const Shape& shape, const Pose& pose, const Vec3& point,
                                        const TimeBudget& budget = TimeBudget::unlimited(),
                                        Real reach = std::numeric_limits<Real>::infinity());

/// A resumable search for the nearest surface point, in the hierarchy of boxes that ray queries
/// use.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
class NearestQuery {
 public:
  NearestQuery();
  NearestQuery(NearestQuery&&) noexcept;
  NearestQuery& operator=(NearestQuery&&) noexcept;
  ~NearestQuery();

  /// Starts a search for the point of a shape that is nearest to `point`, within `reach` metres.
  /// Pose and point are in the world frame. If it throws std::bad_alloc, the query keeps the
  /// previous point.
  /// @pre check(pose) and check(point, reach) succeed.
  void begin(const Shape& shape, const Pose& pose, const Vec3& point,
             Real reach = std::numeric_limits<Real>::infinity());

  /// Tightens the bounds until they meet or `budget` is exhausted. Runs for at least one quantum,
  /// about a third of a microsecond. The final result does not depend on where the search was
  /// interrupted.
  /// @pre begin() was called.
  NearestPoint refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// Returns the bounds found so far.
  /// @pre begin() was called.
  [[nodiscard]] NearestPoint known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

enum class PointSide : std::uint8_t {
  Outside,
  Inside,
  OnSurface,
  Unknown,  ///< the shape is not a solid, or time ran out
};

/// The side on which a point lies, decided exactly on the point's coordinates after rounding to
/// doubles in the body frame.
struct SideOfSurface {
  PointSide side = PointSide::Unknown;
  bool canRefine = true;  ///< false: final; true: time ran out
};

/// Returns on which side of the surface a point lies. Pose and point are in the world frame.
/// @pre check(pose) and check(point) succeed.
[[nodiscard]] SideOfSurface sideOf(const Shape& shape, const Pose& pose, const Vec3& point,
                                   const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
