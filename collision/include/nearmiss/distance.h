// SPDX-License-Identifier: MIT
/// Distance of two shapes, time until they can touch, and penetration depth: bounds that are valid
/// after any time and tighten with more.
///
/// Any number of threads may ask at once, also about the same shapes; a query object is for one
/// thread at a time.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>

namespace nearmiss {

/// Distance of two bodies, metres: 0 where their surfaces meet or one solid holds the other.
struct DistanceBounds {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;                                    ///< the distance is at least this
  Real upper = std::numeric_limits<Real>::infinity();  ///< and at most this
  bool canRefine = true;  ///< false: as tight as rounding allows, and points were sought
  /// Points of both surfaces, `upper` apart, world frame; of no use without triangles: where one
  /// holds the other and their surfaces do not meet.
  Vec3 pointA{0.0}, pointB{0.0};
  std::uint32_t triangleA = noTriangle, triangleB = noTriangle;  ///< those that hold the points
};

enum class Nearness : std::uint8_t { Nearer, Farther, Unknown };

/// Tells if two bodies are at most `tolerance` metres apart, as far as the bounds tell.
[[nodiscard]] inline Nearness nearness(const DistanceBounds& bounds, Real tolerance) noexcept {
  if (bounds.upper <= tolerance) return Nearness::Nearer;
  return bounds.lower > tolerance ? Nearness::Farther : Nearness::Unknown;
}

/// A resumable search, best first over hierarchies of swept rectangles [LGL99]. Each is made when
/// its shape is first used in any query, and kept with the shape.
/// If a step throws std::bad_alloc, call begin() before the next one.
/// What was moved from may only be assigned to or destroyed.
class DistanceQuery {
 public:
  DistanceQuery();
  DistanceQuery(DistanceQuery&&) noexcept;
  DistanceQuery& operator=(DistanceQuery&&) noexcept;
  ~DistanceQuery();

  /// Starts a search for the distance of two shapes. Poses are in the world frame. If it throws
  /// std::bad_alloc, the query keeps the previous pair.
  /// @pre check(pose) succeeds for both poses.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// Narrows the bounds until they meet or `budget` is exhausted. The first call finds a pair of
  /// points however short the time, unless one body holds a vertex of the other.
  /// @pre begin() was called.
  DistanceBounds refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// The same, but stops when it is known whether they are at most `tolerance` metres apart.
  /// @pre begin() was called.
  DistanceBounds refineUntil(Real tolerance, const TimeBudget& budget = TimeBudget::unlimited());

  /// @pre begin() was called.
  [[nodiscard]] const DistanceBounds& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One distance, from scratch. DistanceQuery keeps its memory from one to the next.
/// @pre as DistanceQuery::begin()
[[nodiscard]] DistanceBounds distance(const Shape& a, const Pose& poseA, const Shape& b,
                                      const Pose& poseB,
                                      const TimeBudget& budget = TimeBudget::unlimited());

/// Motion with both velocities constant, world frame, turning about the origin of the body frame.
struct SteadyMotion {
  Pose pose;                  ///< at time 0
  Vec3 velocity{0.0};         ///< metres per second, each within maxPoseMagnitude
  Vec3 angularVelocity{0.0};  ///< radians per second, likewise
};

/// Checks a motion from outside. Errors: Unsupported, in a sentence that names the first field at
/// fault; OutOfMemory.
Result<Success> check(const SteadyMotion& motion);

/// The body's pose after `seconds`.
[[nodiscard]] Pose poseAfter(const SteadyMotion& motion, Real seconds) noexcept;

struct ContactTime {
  Real noContactBefore = 0.0;  ///< seconds: until then they certainly do not touch
  bool reached = false;        ///< at that time they are at most the tolerance apart
  /// False: reached, or no contact within the horizon, or until a body leaves the range of poses,
  /// or so near that rounding hides the gap.
  bool canRefine = true;
  /// Of the last poses that were measured: at that time if `reached`, else earlier; open where a
  /// body has left the range.
  DistanceBounds bounds;
};

/// Conservative advancement: steps forward repeatedly, each time by as much as the distance allows.
/// Ends when the bodies are at most `tolerance` metres apart (above 0), after `horizon` seconds, or
/// when `budget` is exhausted or a body is beyond maxPoseMagnitude; the time reached by then is
/// safe. Where no time can run out it also ends, with `canRefine`, after a million steps, some ten
/// seconds: a narrow gap allows short ones only. An infinite horizon needs a budget, and so does a
/// very distant one, for bodies that turn within each other's reach. An infinite tolerance is
/// reached at once.
/// @pre check(motion) succeeds for both motions, and checkHorizon() of the same arguments.
[[nodiscard]] ContactTime timeToContact(DistanceQuery& query, const Shape& a,
                                        const SteadyMotion& motionA, const Shape& b,
                                        const SteadyMotion& motionB, Real horizon, Real tolerance,
                                        const TimeBudget& budget = TimeBudget::unlimited());

/// Checks whether timeToContact() ends for these arguments. Errors: Unsupported, in a sentence (a
/// tolerance of 0 or less, a horizon below 0; without a budget an infinite horizon, and one before
/// which points of the bodies turn by more than 1e9 times both radii and the tolerance together,
/// unless they are apart however they turn); OutOfMemory.
/// @pre check(motion) succeeds for both motions.
Result<Success> checkHorizon(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                             const SteadyMotion& motionB, Real horizon, Real tolerance,
                             const TimeBudget& budget = TimeBudget::unlimited());

/// Bounds on the shortest translation that separates two bodies, metres.
struct PenetrationBounds {
  Real lower = 0.0;     ///< no shorter one separates them; stays 0 where neither is a solid
  Real upper = 0.0;     ///< this length along `direction` separates them, by the exact test
  Vec3 direction{0.0};  ///< unit vector in which b is moved, world frame; zero: already apart
  /// False: within 4 % of each other, or as near as they get; or apart; or they touch in one plane
  /// that holds both, and `direction` is its normal.
  bool canRefine = true;
};

/// Work at the prices of WorkClock that a penetration gets where no budget is given: the answer is
/// the same on every machine, and most pairs are done by then.
inline constexpr Clock::Duration usualPenetrationWork = std::chrono::milliseconds(100);

/// A resumable search: the hulls first, in one step, whose depth is `upper`; then the bodies
/// themselves, concave as they are. Moves along the planes of contact and along axes find a shorter
/// translation at which the exact test says that they are apart; branch and bound over all shorter
/// translations finds what these miss. Points that lie deep in both bodies prove contact of all
/// translations that are too short to free them, which raises `lower`. `upper` only falls and
/// `lower` only rises. Looks at the budget between steps of some microseconds, and ends in any case
/// after some 10^5 cubes of translations. Inner balls are made when a shape is first used in any
/// query, one after the other while time lasts, and kept with it; hulls and hierarchies at once. To
/// make them is no work that a clock is charged with: under a WorkClock, and some time left at each
/// call, the answer depends on no earlier query.
/// If a step throws std::bad_alloc, call begin() before the next one.
/// What was moved from may only be assigned to or destroyed.
class PenetrationQuery {
 public:
  PenetrationQuery();
  PenetrationQuery(PenetrationQuery&&) noexcept;
  PenetrationQuery& operator=(PenetrationQuery&&) noexcept;
  ~PenetrationQuery();

  /// Starts a search for the penetration of two shapes. Poses are in the world frame.
  /// @pre check(pose) succeeds for both poses.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// The first call compares the hulls however short the time. Without a limit the worst pairs,
  /// wedged in by a hair's breadth, take some ten seconds.
  /// @pre begin() was called.
  PenetrationBounds refine(const TimeBudget& budget);

  /// The same for usualPenetrationWork.
  PenetrationBounds refine();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One penetration, from scratch. PenetrationQuery keeps its memory from one to the next.
/// @pre as PenetrationQuery::begin()
[[nodiscard]] PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB, const TimeBudget& budget);
/// The same for usualPenetrationWork.
[[nodiscard]] PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB);

}  // namespace nearmiss
