// SPDX-License-Identifier: MIT
/// Distance of two shapes, time until they can touch, and penetration depth. All bounds are valid
/// whenever a search stops, and tighten if it continues.
///
/// Thread-safe for concurrent use of the same shapes; a query object belongs to one thread at a
/// time.
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

/// Bounds on the distance of two bodies, metres. The distance is 0 if their surfaces intersect or
/// one solid contains the other.
struct DistanceBounds {
  static constexpr std::uint32_t noTriangle = 0xffffffff;
  Real lower = 0.0;                                    ///< the distance is at least this
  Real upper = std::numeric_limits<Real>::infinity();  ///< the distance is at most this
  bool canRefine = true;  ///< false: the bounds cannot be tightened further in double precision
  /// A point on each surface, `upper` apart, world frame. Meaningless if there are no triangles,
  /// that is, if one body contains the other and their surfaces do not intersect.
  Vec3 pointA{0.0}, pointB{0.0};
  /// The triangles that contain the points.
  std::uint32_t triangleA = noTriangle, triangleB = noTriangle;
};

enum class Nearness : std::uint8_t { Nearer, Farther, Unknown };

/// Returns whether two bodies are at most `tolerance` metres apart, or Unknown if the bounds do not
/// decide it.
[[nodiscard]] inline Nearness nearness(const DistanceBounds& bounds, Real tolerance) noexcept {
  if (bounds.upper <= tolerance) return Nearness::Nearer;
  return bounds.lower > tolerance ? Nearness::Farther : Nearness::Unknown;
}

/// A resumable distance query: a best-first search in hierarchies of swept rectangles [LGL99]. The
/// hierarchy of a shape is built when any query first uses it, and cached with the shape.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
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

  /// Tightens the bounds until they meet or `budget` is exhausted. Even with no time left, the
  /// first call finds a pair of points, unless a vertex of one body lies inside the other.
  /// @pre begin() was called.
  DistanceBounds refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// As refine(), but also stops as soon as the bounds decide whether the bodies are at most
  /// `tolerance` metres apart.
  /// @pre begin() was called.
  DistanceBounds refineUntil(Real tolerance, const TimeBudget& budget = TimeBudget::unlimited());

  /// Returns the bounds found so far.
  /// @pre begin() was called.
  [[nodiscard]] const DistanceBounds& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Computes one distance. For repeated queries use DistanceQuery, which reuses its memory.
/// @pre as DistanceQuery::begin()
[[nodiscard]] DistanceBounds distance(const Shape& a, const Pose& poseA, const Shape& b,
                                      const Pose& poseB,
                                      const TimeBudget& budget = TimeBudget::unlimited());

/// Motion with constant linear and angular velocity, world frame. The body rotates about the origin
/// of its frame.
struct SteadyMotion {
  Pose pose;                  ///< at time 0
  Vec3 velocity{0.0};         ///< metres per second, each coordinate within maxPoseMagnitude
  Vec3 angularVelocity{0.0};  ///< radians per second, same limit
};

/// Checks that a motion is valid input. Errors: Unsupported, in a sentence that names the first
/// invalid field; OutOfMemory.
Result<Success> check(const SteadyMotion& motion);

/// Returns the body's pose after `seconds`.
[[nodiscard]] Pose poseAfter(const SteadyMotion& motion, Real seconds) noexcept;

struct ContactTime {
  Real noContactBefore = 0.0;  ///< seconds: the bodies certainly do not touch before
  bool reached = false;        ///< at that time their distance is at most the tolerance
  /// False if `reached` is true, if there is no contact within the horizon or until a body leaves
  /// the range of poses, or if the remaining gap is below rounding.
  bool canRefine = true;
  /// Distance bounds at the last evaluated poses: those at `noContactBefore` if `reached`,
  /// otherwise earlier ones. Unbounded if a body has left the range of poses.
  DistanceBounds bounds;
};

/// Computes a time before which two bodies do not touch, by conservative advancement: each step
/// advances as far as the distance allows.
///
/// Stops when the bodies are at most `tolerance` metres apart (above 0), after `horizon` seconds,
/// when `budget` is exhausted, or when a body leaves maxPoseMagnitude. The time reached so far is
/// always safe. With an unlimited budget it also stops after a million steps, about ten seconds,
/// because a narrow gap allows only short steps; `canRefine` is then true. An infinite horizon
/// requires a limited budget. So does a very distant horizon, if the bodies rotate within reach of
/// each other. An infinite tolerance is reached immediately.
/// @pre check(motion) succeeds for both motions, and checkHorizon() succeeds for the same
/// arguments.
[[nodiscard]] ContactTime timeToContact(DistanceQuery& query, const Shape& a,
                                        const SteadyMotion& motionA, const Shape& b,
                                        const SteadyMotion& motionB, Real horizon, Real tolerance,
                                        const TimeBudget& budget = TimeBudget::unlimited());

/// Checks whether timeToContact() terminates for these arguments. Errors: OutOfMemory; Unsupported,
/// in a sentence, in these cases:
/// - the tolerance is 0 or less, or the horizon is below 0
/// - without a limited budget: the horizon is infinite, or until then points of the bodies rotate
///   by more than 1e9 times the sum of both radii and the tolerance (allowed if no rotation brings
///   the bodies into contact)
/// @pre check(motion) succeeds for both motions.
Result<Success> checkHorizon(const Shape& a, const SteadyMotion& motionA, const Shape& b,
                             const SteadyMotion& motionB, Real horizon, Real tolerance,
                             const TimeBudget& budget = TimeBudget::unlimited());

/// Bounds on the length of the shortest translation that separates two bodies, metres.
struct PenetrationBounds {
  Real lower = 0.0;  ///< no shorter translation separates them; stays 0 if neither is a solid
  /// A translation of this length along `direction` separates them, by the exact test.
  Real upper = 0.0;
  Vec3 direction{0.0};  ///< unit vector along which b moves, world frame; zero if already separate
  /// False if the bounds are within 4 % of each other or cannot be tightened further, or if the
  /// bodies are separate. Also false if the bodies touch in one plane that contains both;
  /// `direction` is then its normal.
  bool canRefine = true;
};

/// Default budget of a penetration query, in WorkClock time. The result is therefore the same on
/// every machine. Most pairs finish within it.
inline constexpr Clock::Duration usualPenetrationWork = std::chrono::milliseconds(100);

/// A resumable penetration query. `upper` never increases and `lower` never decreases.
///
/// 1. The first step computes the penetration depth of the convex hulls, which is an upper bound.
/// 2. The next steps treat the concave bodies themselves. They look for a shorter translation along
///    contact normals and axes at which the exact test finds the bodies separate.
/// 3. Branch and bound over all shorter translations finds what step 2 missed. Points deep inside
///    both bodies prove that translations too short to free them leave the bodies in contact, which
///    raises `lower`.
///
/// Checks the budget every few microseconds. Stops at the latest after about 10^5 cubes of
/// translations.
///
/// Hulls, hierarchies and inner balls are built when any query first uses a shape, and cached with
/// it. Inner balls are built one by one while time is left; the others in one piece. Building is
/// not charged to the budget's clock. With a WorkClock and some time left at each call, the result
/// is therefore independent of earlier queries.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
class PenetrationQuery {
 public:
  PenetrationQuery();
  PenetrationQuery(PenetrationQuery&&) noexcept;
  PenetrationQuery& operator=(PenetrationQuery&&) noexcept;
  ~PenetrationQuery();

  /// Starts a penetration query for two shapes. Poses are in the world frame.
  /// @pre check(pose) succeeds for both poses.
  void begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB);

  /// Tightens the bounds until `canRefine` is false or `budget` is exhausted. The first call always
  /// compares the hulls, even if the budget is exhausted. With an unlimited budget the worst pairs,
  /// wedged with almost no clearance, take about ten seconds.
  /// @pre begin() was called.
  PenetrationBounds refine(const TimeBudget& budget);

  /// As refine(budget) with usualPenetrationWork on a WorkClock.
  PenetrationBounds refine();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Computes one penetration depth. For repeated queries use PenetrationQuery, which reuses its
/// memory.
/// @pre as PenetrationQuery::begin()
[[nodiscard]] PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB, const TimeBudget& budget);
/// As above with usualPenetrationWork on a WorkClock.
[[nodiscard]] PenetrationBounds penetration(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB);

}  // namespace nearmiss
