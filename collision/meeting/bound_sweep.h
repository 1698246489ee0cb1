// SPDX-License-Identifier: MIT
/// What the two searches by projection have in common: the state of a search and what it found.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "meeting/bound_meetings.h"
#include "meeting/event_queue.h"

namespace nearmiss {

class BoundSweep {
 public:
  /// Pairs whose bounds overlap at the start, sorted. The search leaves them out.
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept { return overlapping_; }

  /// Since the start.
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

  /// Of the pairs that overlap on all axes: what a plane keeps apart for now is going to meet
  /// later, the others have met.
  void takeOverlapping() {
    while (!meeting_.empty() && meeting_.first().time <= from_)
      overlapping_.push_back(meeting_.takeFirst().pair);
    std::sort(overlapping_.begin(), overlapping_.end());
  }

  std::span<const SpaceTimeBound> bounds_;
  std::span<const std::uint32_t> assemblies_;
  Real from_ = 0.0, duration_ = 0.0;
  Real now_ = 0.0;                    ///< seconds after the start
  EventQueue<BoundMeeting> meeting_;  ///< met or going to
  std::vector<BodyPair> overlapping_;
  std::vector<std::uint32_t> open_;  ///< bodies whose low face is passed and whose high one is not
  MeetingCounts counts_;
};

}  // namespace nearmiss
