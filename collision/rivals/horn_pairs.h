// SPDX-License-Identifier: MIT
/// The earliest meeting of many horns [H93, "Space-time bounds"], pair by pair in closed form. A
/// sweep over the boxes of their whole durations leaves few pairs to examine.
#pragma once

#include "broad/bound_search.h"
#include "rivals/box_pairs.h"

namespace nearmiss {

/// A search. Reuses its memory. Horns are balls that grow along a curve, and hyper-trapezoids are
/// cubes that grow linearly, so horns meet later. The caller applies cutting planes to the reported
/// pairs.
class HornPairs {
 public:
  /// Starts at `from`. Every bound must hold from there to `until`, and its radius must include the
  /// rounding of its numbers.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until, Real resolution);

  /// Always empty: next() also reports what overlaps from the start.
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept { return {}; }

  /// Returns the next pair to meet, in order of time, each pair once; early by at most the
  /// resolution.
  [[nodiscard]] std::optional<BoundMeeting> next();

  /// Returns the work since start().
  [[nodiscard]] const MeetingCounts& counts() const noexcept { return counts_; }

 private:
  void enclose(std::span<const SpaceTimeBound> bounds, Real from, Real until);

  std::vector<Box> boxes_;
  BoxPairs boxPairs_;
  EventQueue<BoundMeeting> meeting_;
  MeetingCounts counts_;
};

}  // namespace nearmiss
