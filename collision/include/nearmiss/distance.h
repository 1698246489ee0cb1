// SPDX-License-Identifier: MIT
/// How far apart two shapes are, how long until they can touch, and how deep they are in each
/// other: bounds that any time gives, and more time brings together.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <cstdint>
#include <limits>
#include <memory>

namespace nearmiss {

/// Of two bodies, in metres: 0 where their surfaces meet or one solid holds the other.
struct DistanceBounds {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;                                    ///< they are no nearer, for certain
  Real upper = std::numeric_limits<Real>::infinity();  ///< nor farther apart
  bool canRefine = true;                               ///< false: as near as rounding allows
  /// Points of both surfaces, `upper` apart, world frame; of no use where one holds the other.
  Vec3 pointA{0.0}, pointB{0.0};
  std::uint32_t triangleA = noTriangle, triangleB = noTriangle;  ///< those that hold the points
};

enum class Nearness : std::uint8_t { Nearer, Farther, Unknown };

/// Whether two bodies are at most `tolerance` metres apart, as far as the bounds tell.
[[nodiscard]] inline Nearness nearness(const DistanceBounds& bounds, Real tolerance) noexcept {
  if (bounds.upper <= tolerance) return Nearness::Nearer;
  return bounds.lower > tolerance ? Nearness::Farther : Nearness::Unknown;
}

/// A search that can be continued, best first over hierarchies of swept rectangles [LGL99]. Each is
/// made when its shape is first taken up by any query, and kept with the shape.
class DistanceQuery {
 public:
  DistanceQuery();
  DistanceQuery(DistanceQuery&&) noexcept;
  DistanceQuery& operator=(DistanceQuery&&) noexcept;
  ~DistanceQuery();

  /// Takes up two shapes in the poses of their bodies, world frame.
  /// @pre Positions are finite, rotations of unit length.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// Narrows the bounds until they meet or `budget` is exhausted. The first call finds some two
  /// points however short the time.
  /// @pre begin() was called.
  DistanceBounds refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// The same, but only until it is known whether they are at most `tolerance` metres apart.
  /// @pre begin() was called.
  DistanceBounds refineUntil(Real tolerance, const TimeBudget& budget = TimeBudget::unlimited());

  /// @pre begin() was called.
  [[nodiscard]] const DistanceBounds& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One distance from its start. DistanceQuery keeps its memory from one to the next.
[[nodiscard]] DistanceBounds distance(const Shape& a, const Pose& poseA, const Shape& b,
                                      const Pose& poseB,
                                      const TimeBudget& budget = TimeBudget::unlimited());

/// A body that goes on as it does: both velocities constant, world frame, turning about the origin
/// of its body frame.
struct SteadyMotion {
  Pose pose;                  ///< at time 0
  Vec3 velocity{0.0};         ///< metres a second
  Vec3 angularVelocity{0.0};  ///< radians a second
};

/// Where such a body is after `seconds`.
[[nodiscard]] Pose poseAfter(const SteadyMotion& motion, Real seconds) noexcept;

struct ContactTime {
  Real noContactBefore = 0.0;  ///< seconds: until then they do not touch, for certain
  bool reached = false;        ///< at that time they are at most the tolerance apart
  bool canRefine = true;       ///< false: reached, or no contact within the horizon
  DistanceBounds bounds;       ///< at that time
};

/// Goes forward by as much as the distance allows, again and again: conservative advancement. Ends
/// when the bodies are at most `tolerance` metres apart (above 0), when `horizon` seconds are
/// passed, or when `budget` is exhausted; the time that it has reached by then is safe.
/// @pre Poses and velocities are finite, rotations of unit length; tolerance > 0, horizon >= 0.
[[nodiscard]] ContactTime timeToContact(DistanceQuery& query, const Shape& a,
                                        const SteadyMotion& motionA, const Shape& b,
                                        const SteadyMotion& motionB, Real horizon, Real tolerance,
                                        const TimeBudget& budget = TimeBudget::unlimited());

/// The least translation that parts two bodies, in metres, between two bounds.
struct PenetrationBounds {
  Real lower = 0.0;       ///< no shorter translation parts them: by spheres inside both solids
  Real upper = 0.0;       ///< one of this length does, along `direction`: it parts their hulls
  Vec3 direction{0.0};    ///< unit vector in which b is moved, world frame; zero: already apart
  bool canRefine = true;  ///< false: all spheres were compared
};

/// A search that can be continued: the hulls first, in one step (`upper` is final with it), then
/// the inner spheres, which raise `lower`. Both bounds are the depth itself for convex bodies, up
/// to what their inner spheres leave out. A hull is made when its shape is first taken up by any
/// query, and kept with the shape.
class PenetrationQuery {
 public:
  PenetrationQuery();
  PenetrationQuery(PenetrationQuery&&) noexcept;
  PenetrationQuery& operator=(PenetrationQuery&&) noexcept;
  ~PenetrationQuery();

  /// Takes up two shapes in the poses of their bodies, world frame.
  /// @pre Positions are finite, rotations of unit length.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// The first call compares the hulls however short the time.
  /// @pre begin() was called.
  PenetrationBounds refine(const TimeBudget& budget = TimeBudget::unlimited());

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nearmiss
