// SPDX-License-Identifier: MIT
/// Queries of a point against one shape: the nearest surface point, and the side of the surface.
/// For many bodies see body_queries.h.
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

/// Finds one nearest point. Allocates nothing once the shape has its hierarchy.
/// @pre as NearestQuery::begin()
[[nodiscard]] NearestPoint nearestPoint(const Shape& shape, const Pose& pose, const Vec3& point,
                                        const TimeBudget& budget = TimeBudget::unlimited(),
                                        Real reach = std::numeric_limits<Real>::infinity());

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
