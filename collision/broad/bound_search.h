// SPDX-License-Identifier: MIT
/// Common parts of the searches for the first bounds to meet: the order of meetings, the event
/// queue, faces projected onto one axis, and the state of a sweep.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/space_time_bound.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/kept_heap.h"

namespace nearmiss {

/// Orders meetings by time. Ties are broken by pair, so that the order does not depend on the
/// search.
[[nodiscard]] inline bool isLater(const BoundMeeting& a, const BoundMeeting& b) noexcept {
  if (a.time != b.time) return a.time > b.time;
  return a.pair > b.pair;
}

/// Bodies of the same assembly never meet; 0 means no assembly.
[[nodiscard]] inline bool sameAssembly(std::span<const std::uint32_t> assemblies,
                                       const BodyPair& pair) noexcept {
  if (assemblies.empty()) return false;
  return assemblies[pair.a] != 0 && assemblies[pair.a] == assemblies[pair.b];
}

/// Orders events by `isLater(a, b)`.
struct LaterEvent {
  template <class Event>
  bool operator()(const Event& a, const Event& b) const noexcept {
    return isLater(a, b);
  }
};

template <class Event>
using EventQueue = KeptHeap<Event, LaterEvent>;

/// A face of a bound on one axis, at `at` + `slope` * s, with s in seconds after the start of the
/// search.
struct ProjectedFace {
  Real at = 0.0;
  Real slope = 0.0;
};

/// Face numbers: body * 2 for the low face, body * 2 + 1 for the high face.
[[nodiscard]] inline bool isHighFace(std::uint32_t face) noexcept { return face % 2 == 1; }

/// True if face `a` comes before face `b`. If values are equal, low faces come before high ones, so
/// that touching counts as overlap.
[[nodiscard]] inline bool isBelow(Real aAt, std::uint32_t a, Real bAt, std::uint32_t b) noexcept {
  if (aAt != bAt) return aAt < bAt;
  if (isHighFace(a) != isHighFace(b)) return isHighFace(b);
  return a < b;
}

/// Replaces `faces` by those of all bounds on an axis. Each face is moved outwards by far more than
/// the rounding errors that affect the order of faces.
inline void projectFaces(std::span<const SpaceTimeBound> bounds, std::uint32_t axis, Real from,
                         std::vector<ProjectedFace>& faces) {
  constexpr Real widening = 2e-13;  // relative
  faces.clear();
  const auto k = static_cast<int>(axis);
  for (const SpaceTimeBound& bound : bounds) {
    const Real passed = from - bound.start;
    const Real growth = 0.5 * bound.acceleration * (bound.end - bound.start);
    const Real speed = bound.velocity[k];
    const Real size = std::abs(bound.position[k]) + bound.radius +
                      (std::abs(speed) + growth) * (bound.end - bound.start);
    const Real centre = bound.position[k] + speed * passed;
    const Real half = bound.radius + growth * passed + widening * size;
    faces.push_back({centre - half, speed - growth});
    faces.push_back({centre + half, speed + growth});
  }
}

/// State common to the two searches by projection, and the meetings found.
class BoundSweep {
 public:
  /// Pairs whose bounds overlap at the start, sorted. The search does not report them.
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept { return overlapping_; }

  /// Counts since the start of the search.
  [[nodiscard]] const MeetingCounts& counts() const noexcept { return counts_; }

 protected:
  BoundSweep() = default;
  ~BoundSweep() = default;

  void begin(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until) noexcept {
    bounds_ = bounds;
    assemblies_ = assemblies;
    from_ = from;
    duration_ = until - from;
    now_ = 0.0;
    counts_ = {};
    meeting_.clear();
    overlapping_.clear();
    open_.clear();
  }

  /// Collects pairs that overlap on all axes and have met. Pairs still separated by a plane meet
  /// later.
  void takeOverlapping() {
    while (!meeting_.empty() && meeting_.first().time <= from_)
      overlapping_.push_back(meeting_.takeFirst().pair);
    std::sort(overlapping_.begin(), overlapping_.end());
  }

  std::span<const SpaceTimeBound> bounds_;
  std::span<const std::uint32_t> assemblies_;
  Real from_ = 0.0, duration_ = 0.0;
  Real now_ = 0.0;                    ///< seconds after the start
  EventQueue<BoundMeeting> meeting_;  ///< pairs that have met or will meet
  std::vector<BodyPair> overlapping_;
  std::vector<std::uint32_t> open_;  ///< bodies whose low face is passed but not their high face
  MeetingCounts counts_;
};

}  // namespace nearmiss
