// SPDX-License-Identifier: MIT
/// Bounds on a body in space and time, the time at which two of them first overlap, and the search
/// for the first overlap among many [H93, "Space-time bounds" and "Intersecting space-time
/// bounds"].
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <optional>
#include <span>

namespace nearmiss {

/// Maximum time, simulation seconds. Squares of lengths at such a time are finite.
inline constexpr Real maxBoundTime = 1e30;

/// A bound on where a body can be, from `start` until `end`.
///
/// Let x(t) be its centre of rotation, with t counted from `start`, x(0) = position, x'(0) =
/// velocity and |x''(t)| <= acceleration. Then the body lies within radius + acceleration * t^2 / 2
/// of position + velocity * t, in every orientation. This horn is convex in t. It therefore lies
/// inside the hyper-trapezoid whose cubes grow linearly from half-width `radius` to radius +
/// acceleration * T^2 / 2 at T = end - start (erratum E1). Every cutting plane removes a
/// half-space.
///
/// Times are within maxBoundTime and all other numbers within maxPoseMagnitude, so that no search
/// overflows.
struct SpaceTimeBound {
  Real start = 0.0;         ///< simulation seconds
  Real end = 0.0;           ///< simulation seconds, after start: the bound holds until then
  Vec3 position{0.0};       ///< metres
  Vec3 velocity{0.0};       ///< metres per simulation second
  Real radius = 0.0;        ///< metres about the centre of rotation
  Real acceleration = 0.0;  ///< M, metres per squared simulation second
  std::span<const CuttingPlane> planes;  ///< not owned
};

/// Returns the bound of `body` from `start` to `end`, or to boundHoldsUntil if that is earlier. It
/// refers to the planes of `body`, which must outlive it.
[[nodiscard]] SpaceTimeBound spaceTimeBound(const BodyState& body, Real start, Real end) noexcept;

/// Returns the name of the first invalid field, or null. Invalid are numbers that are not finite or
/// out of range, a negative radius or acceleration, an end not after the start, and a direction
/// that is not of unit length.
[[nodiscard]] const char* faultOf(const SpaceTimeBound& bound) noexcept;

/// Returns the cube that contains the body at `time`, rounded outwards.
/// @pre start <= time <= end
[[nodiscard]] Box crossSection(const SpaceTimeBound& bound, Real time) noexcept;

/// Returns true if the bound contains `point` at `time`: in the cube and behind no cutting plane.
/// Points within rounding count as inside.
[[nodiscard]] bool contains(const SpaceTimeBound& bound, const Vec3& point, Real time) noexcept;

/// A span of simulation seconds, first <= last.
struct TimeSpan {
  Real first = 0.0;
  Real last = 0.0;
};

/// Returns the time span in which two hyper-trapezoids overlap, ignoring cutting planes, rounded
/// outwards. Empty if they never overlap while both hold. Closed form: six linear inequalities in
/// t.
[[nodiscard]] std::optional<TimeSpan> trapezoidOverlap(const SpaceTimeBound& a,
                                                       const SpaceTimeBound& b) noexcept;

/// Returns the time at which two bounds first overlap, including cutting planes, rounded down.
/// Empty if they never overlap while both hold. Never later than any two admissible motions bring
/// the bodies' spheres into contact. A pair whose faces meet behind a plane may meet later next to
/// it. This therefore solves the linear program min t over (y, t) instead of discarding the pair
/// (erratum E2).
[[nodiscard]] std::optional<Real> earliestMeeting(const SpaceTimeBound& a,
                                                  const SpaceTimeBound& b) noexcept;

/// As earliestMeeting(), but rebuilds both bounds with an earlier end as long as that gains more
/// than `gain` seconds, because a shorter bound has a tighter chord. Never earlier than
/// earliestMeeting(), and as safe. Empty if the bodies cannot meet while both bounds hold.
[[nodiscard]] std::optional<Real> retightenedMeeting(const SpaceTimeBound& a,
                                                     const SpaceTimeBound& b, Real gain) noexcept;

/// Returns the time at which the horns meet, the growing spheres inside the hyper-trapezoids,
/// ignoring cutting planes. Early by at most about `gain` seconds, and rounded down. Empty if they
/// do not meet while both bounds hold. Never before the hyper-trapezoids meet, and never later than
/// two admissible motions bring the bodies' spheres into contact.
[[nodiscard]] std::optional<Real> hornMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b,
                                              Real gain) noexcept;

/// The time at which two bounds begin to overlap.
struct BoundMeeting {
  Real time = 0.0;  ///< simulation seconds
  BodyPair pair;    ///< indices in the span of bounds
};

/// Work of one search.
struct MeetingCounts {
  std::uint64_t crossings = 0;  ///< faces that crossed on an axis, or intervals examined
  std::uint64_t pairTests = 0;  ///< pairs whose cross-sections were compared
  std::uint64_t programs = 0;   ///< linear programs solved for pairs with cutting planes
};

/// A search for the first overlaps of many bounds. Reuses its memory between searches. Belongs to
/// one thread at a time.
class MeetingSearch {
 public:
  virtual ~MeetingSearch() = default;

  /// Starts a search at `from`. Every bound must be valid (faultOf() returns null), hold from
  /// `from` to `until`, and outlive the search.
  /// @pre fewer than 2^31 bounds
  virtual void start(std::span<const SpaceTimeBound> bounds, Real from, Real until) = 0;

  /// Returns the pairs whose bounds overlap at `from`, sorted. next() does not report them.
  [[nodiscard]] virtual std::span<const BodyPair> overlapping() const noexcept = 0;

  /// Returns the next pair to overlap, in order of time within rounding, never too late. Empty if
  /// no further pair overlaps before `until`. Each pair is reported once.
  [[nodiscard]] virtual std::optional<BoundMeeting> next() = 0;

  /// Returns the work since start().
  [[nodiscard]] virtual const MeetingCounts& counts() const noexcept = 0;
};

/// Checks the arguments of a search: from <= until, and fewer than 2^31 valid bounds that hold from
/// `from` to `until`. Errors: Unsupported, in one sentence that names the bound.
Result<Success> checkSearch(std::span<const SpaceTimeBound> bounds, Real from, Real until);

}  // namespace nearmiss
