// SPDX-License-Identifier: MIT
/// Bounds on a body in space and time until a given time, when two of them meet, and the search for
/// the first of many to meet [H93, "Space-time bounds" and "Intersecting space-time bounds"].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <optional>
#include <span>

namespace nearmiss {

/// Simulation seconds: squares of lengths at such a time are finite.
inline constexpr Real maxBoundTime = 1e30;

/// A body with centre of rotation x(t), x(start) = position, x'(start) = velocity and
/// |x''(t)| <= acceleration lies within radius + acceleration * t^2 / 2 of position + velocity * t,
/// however it turns; t counts from `start`. That horn is convex in t, so that it lies inside the
/// hyper-trapezoid whose cubes grow linearly from half-width `radius` to
/// radius + acceleration * T^2 / 2 at T = end - start (erratum E1). Every cutting plane takes a
/// half-space away from it.
///
/// Times are within maxBoundTime, all else is within maxPoseMagnitude, so that no search overflows.
struct SpaceTimeBound {
  Real start = 0.0;         ///< simulation seconds
  Real end = 0.0;           ///< simulation seconds, after start: until then the bound holds
  Vec3 position{0.0};       ///< metres
  Vec3 velocity{0.0};       ///< metres per simulation second
  Real radius = 0.0;        ///< metres about the centre of rotation
  Real acceleration = 0.0;  ///< M, metres per squared simulation second
  std::span<const CuttingPlane> planes;  ///< not owned
};

/// The bound of `body` from `start` on, ending at `end` or at its boundHoldsUntil, if that is
/// earlier. Its planes are those of `body`, which must outlive the bound.
[[nodiscard]] SpaceTimeBound spaceTimeBound(const BodyState& body, Real start, Real end) noexcept;

/// The name of the field at fault (not finite or beyond its range, a negative radius or
/// acceleration, an end not after the start, a direction not of unit length), or null.
[[nodiscard]] const char* faultOf(const SpaceTimeBound& bound) noexcept;

/// The cube that holds the body at `time`, rounded outwards. @pre start <= time <= end
[[nodiscard]] Box crossSection(const SpaceTimeBound& bound, Real time) noexcept;

/// True if the bound holds `point` at `time`: in the cube and behind no cutting plane, up to
/// rounding, which counts as inside.
[[nodiscard]] bool contains(const SpaceTimeBound& bound, const Vec3& point, Real time) noexcept;

/// Simulation seconds, first <= last.
struct TimeSpan {
  Real first = 0.0;
  Real last = 0.0;
};

/// The time span in which two hyper-trapezoids overlap, ignoring cutting planes, rounded outwards;
/// empty if they never do while both hold. The closed form: six linear inequalities in t.
[[nodiscard]] std::optional<TimeSpan> trapezoidOverlap(const SpaceTimeBound& a,
                                                       const SpaceTimeBound& b) noexcept;

/// The time at which two bounds first meet, cutting planes included, rounded down; empty if they
/// never do while both hold. Never later than any two admissible motions make the bodies' spheres
/// touch. A pair whose faces meet behind a plane may meet later beside it, so this solves the
/// linear program min t over (y, t) instead of discarding the pair (erratum E2).
[[nodiscard]] std::optional<Real> earliestMeeting(const SpaceTimeBound& a,
                                                  const SpaceTimeBound& b) noexcept;

/// The same with both bounds rebuilt to end sooner, as long as that gains more than `gain` seconds:
/// a shorter bound has a tighter chord. Never earlier than earliestMeeting(), and as safe. Nothing
/// if the bodies cannot meet while both bounds hold.
[[nodiscard]] std::optional<Real> retightenedMeeting(const SpaceTimeBound& a,
                                                     const SpaceTimeBound& b, Real gain) noexcept;

/// The time at which the horns meet, the growing spheres inside the hyper-trapezoids, ignoring
/// cutting planes; early by at most about `gain` seconds, and rounded down. Nothing if they do not
/// while both bounds hold. Not before the hyper-trapezoids meet, and never later than two
/// admissible motions make the bodies' spheres touch.
[[nodiscard]] std::optional<Real> hornMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b,
                                              Real gain) noexcept;

/// Two bounds overlap from `time` on, not before.
struct BoundMeeting {
  Real time = 0.0;  ///< simulation seconds
  BodyPair pair;    ///< indices in the span of bounds
};

/// Work of a search.
struct MeetingCounts {
  std::uint64_t crossings = 0;  ///< faces that crossed on an axis, or intervals looked at
  std::uint64_t pairTests = 0;  ///< pairs whose cross-sections were compared
  std::uint64_t programs = 0;   ///< pairs with cutting planes that were solved for
};

/// Keeps its memory between searches. Not for two threads at once.
class MeetingSearch {
 public:
  virtual ~MeetingSearch() = default;

  /// Begins at `from`. Every bound must be without fault (faultOf), hold from there to `until` and
  /// outlive the search. @pre fewer than 2^31 bounds
  virtual void start(std::span<const SpaceTimeBound> bounds, Real from, Real until) = 0;

  /// Pairs whose bounds overlap at `from`, sorted. next() leaves them out.
  [[nodiscard]] virtual std::span<const BodyPair> overlapping() const noexcept = 0;

  /// The next pair to meet, in the order of time up to rounding, never late; nothing if no further
  /// pair meets before `until`. Each pair is reported once.
  [[nodiscard]] virtual std::optional<BoundMeeting> next() = 0;

  /// Work since start().
  [[nodiscard]] virtual const MeetingCounts& counts() const noexcept = 0;
};

/// Checks the arguments of a search: from <= until, and fewer than 2^31 bounds, without fault, that
/// hold from `from` to `until`. Errors: Unsupported, in one sentence that names the bound.
Result<Success> checkSearch(std::span<const SpaceTimeBound> bounds, Real from, Real until);

}  // namespace nearmiss
