// SPDX-License-Identifier: MIT
/// Rays, moved balls and points against many bodies at one instant: those of a detector.
///
/// Does: find the body that a ray meets first or that is nearest to a point, and the bodies that
/// hold a point, each with bounds that hold after any time.
/// Does not: move bodies; what it took up stays as it was then.
///
/// Once bodies were taken up, any number of threads may ask at once.
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

/// One of the bodies that were taken up.
struct FoundBody {
  std::uint32_t index = noBody;  ///< in the span
  std::uint32_t key = 0;         ///< BodyState::key
  std::uint32_t link = 0;        ///< of an articulated body
};

/// A RayHit of all bodies: `lower` holds for each of them. Of bodies met at the same t that of the
/// lowest index.
struct BodyRayHit {
  FoundBody body;
  RayHit hit;
};

/// A NearestPoint of all bodies, likewise.
struct BodyNearestPoint {
  FoundBody body;
  NearestPoint nearest;
};

/// What was moved from may only be assigned to or destroyed.
class BodyQueries {
 public:
  /// For bodies of these shapes.
  explicit BodyQueries(Shapes shapes);
  BodyQueries(BodyQueries&&) noexcept;
  BodyQueries& operator=(BodyQueries&&) noexcept;
  ~BodyQueries();

  /// Takes up bodies as a detector sees them, instead of earlier ones: places and shapes are copied
  /// and their bounding spheres sorted into a hierarchy. Allocates nothing once as many were taken;
  /// if it throws std::bad_alloc, no body is left.
  /// @pre checkBodies(bodies, beforeExpiry, &shapes) succeeds.
  void take(std::span<const BodyState> bodies);

  /// The first meeting with any body but `except`, an index: where time runs out the same question
  /// with more time gives the same answer as if it had had that time at once.
  /// @pre check(ray) succeeds.
  [[nodiscard]] BodyRayHit raycast(const Ray& ray,
                                   const TimeBudget& budget = TimeBudget::unlimited(),
                                   std::uint32_t except = noBody) const;

  /// The surface nearest to a point, of any body but `except`, within `reach` metres.
  /// @pre check(point, reach) succeeds.
  [[nodiscard]] BodyNearestPoint nearest(const Vec3& point,
                                         const TimeBudget& budget = TimeBudget::unlimited(),
                                         Real reach = std::numeric_limits<Real>::infinity(),
                                         std::uint32_t except = noBody) const;

  /// The bodies that hold a point inside or on their surface, into `out`, ascending, each link
  /// once. False: time ran out, and some may be missing.
  /// @pre check(point) succeeds.
  bool holding(const Vec3& point, std::vector<FoundBody>& out,
               const TimeBudget& budget = TimeBudget::unlimited()) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
