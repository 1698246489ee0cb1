// SPDX-License-Identifier: MIT
/// Points against one shape: the nearest point of its surface, and on which side of it they lie.
/// For many bodies see body_queries.h.
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

/// The distance of a point from a surface, metres, as two bounds. Inside of a solid too it is that
/// of the surface: see sideOf().
struct NearestPoint {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;                                    ///< the distance is at least this
  Real upper = std::numeric_limits<Real>::infinity();  ///< and at most this
  Vec3 point{0.0};                      ///< of the surface, `upper` away, world frame
  std::uint32_t triangle = noTriangle;  ///< that holds it
  /// False: final. `upper` is the distance, or none is within reach, and then `lower` is the reach,
  /// rounding aside.
  bool canRefine = true;
  [[nodiscard]] bool found() const noexcept { return triangle != noTriangle; }
};

/// Checks a point from outside, and how far from it to search. Errors: Unsupported, in a sentence
/// (a coordinate that is not finite or beyond maxPoseMagnitude, a reach below 0 or NaN);
/// OutOfMemory.
Result<Success> check(const Vec3& point, Real reach = std::numeric_limits<Real>::infinity());

/// A resumable search over the hierarchy of boxes that rays use.
/// If a step throws std::bad_alloc, call begin() before the next one.
/// What was moved from may only be assigned to or destroyed.
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

  /// Narrows the bounds until they meet or `budget` is exhausted; by one quantum, about a third of
  /// a microsecond, however short the time. The final answer does not depend on the stops.
  /// @pre begin() was called.
  NearestPoint refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// @pre begin() was called.
  [[nodiscard]] NearestPoint known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One point, from scratch. Allocates nothing once the shape has its hierarchy.
/// @pre as NearestQuery::begin()
[[nodiscard]] NearestPoint nearestPoint(const Shape& shape, const Pose& pose, const Vec3& point,
                                        const TimeBudget& budget = TimeBudget::unlimited(),
                                        Real reach = std::numeric_limits<Real>::infinity());

enum class PointSide : std::uint8_t {
  Outside,
  Inside,
  OnSurface,
  Unknown,  ///< inside is not defined, since the shape is no solid; or time ran out
};

/// Where a point lies, decided exactly on the doubles of the point as seen from the body.
struct SideOfSurface {
  PointSide side = PointSide::Unknown;
  bool canRefine = true;  ///< false: final; true: time ran out
};

/// On which side of the surface a point lies. Pose and point are in the world frame.
/// @pre check(pose) and check(point) succeed.
[[nodiscard]] SideOfSurface sideOf(const Shape& shape, const Pose& pose, const Vec3& point,
                                   const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
