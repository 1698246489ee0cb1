// SPDX-License-Identifier: MIT
/// Rays, moved balls and points against many bodies at one instant.
///
/// Does: find the first body that a ray hits or the body nearest to a point, and the bodies that
/// contain a point, with bounds that are valid whenever a search stops.
/// Does not: track motion. It keeps the bodies as they were at the last take().
///
/// Thread-safe for concurrent queries after take().
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/point_query.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss {

inline constexpr std::uint32_t noBody = 0xffffffff;

/// Identifies one of the bodies given to take().
struct FoundBody {
  std::uint32_t index = noBody;  ///< index in the span
  std::uint32_t key = 0;         ///< BodyState::key
  std::uint32_t link = 0;        ///< link index, for articulated bodies
};

/// A RayHit for all bodies; `lower` holds for each of them. If several are hit at the same t, the
/// body of lowest index.
struct BodyRayHit {
  FoundBody body;
  RayHit hit;
};

/// A NearestPoint for all bodies; `lower` holds for each of them.
struct BodyNearestPoint {
  FoundBody body;
  NearestPoint nearest;
};

/// Ray and point queries against a set of bodies. Moved-from objects can only be assigned to or
/// destroyed.
class BodyQueries {
 public:
  /// Makes queries for bodies of these shapes.
  explicit BodyQueries(Shapes shapes);
  BodyQueries(BodyQueries&&) noexcept;
  BodyQueries& operator=(BodyQueries&&) noexcept;
  ~BodyQueries();

  /// Replaces the current bodies. Copies their poses and shapes and sorts their bounding spheres
  /// into a hierarchy. Allocates nothing unless there are more bodies than before. If it throws
  /// std::bad_alloc, no bodies are left.
  /// @pre checkBodies(bodies, beforeExpiry, &shapes) succeeds.
  void take(std::span<const BodyState> bodies);

  /// Returns the first hit with any body but `except` (an index). If time runs out, a repeated call
  /// with more time gives the same result as one call with that time.
  /// @pre check(ray) succeeds.
  [[nodiscard]] BodyRayHit raycast(const Ray& ray,
                                   const TimeBudget& budget = TimeBudget::unlimited(),
                                   std::uint32_t except = noBody) const;

  /// Returns the nearest surface point of any body but `except` (an index), within `reach` metres.
  /// @pre check(point, reach) succeeds.
  [[nodiscard]] BodyNearestPoint nearest(const Vec3& point,
                                         const TimeBudget& budget = TimeBudget::unlimited(),
                                         Real reach = std::numeric_limits<Real>::infinity(),
                                         std::uint32_t except = noBody) const;

  /// Writes the bodies that contain a point inside or on their surface to `out`, in ascending
  /// order, each link once. Returns false if time ran out, so that some may be missing.
  /// @pre check(point) succeeds.
  bool holding(const Vec3& point, std::vector<FoundBody>& out,
               const TimeBudget& budget = TimeBudget::unlimited()) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
