// SPDX-License-Identifier: MIT
/// The earliest meeting of many horns [H93, "Space-time bounds"], pair by pair in closed form: a
/// sweep over the boxes of their whole durations leaves few pairs to look at.
#pragma once

#include "broad/bound_search.h"
#include "methods/box_pairs.h"

namespace nearmiss {

/// Keeps its memory between searches. Horns are balls and curved, where hyper-trapezoids are cubes
/// and straight: they meet later. Cutting planes are left to the caller, for the pairs reported.
class HornPairs {
 public:
  /// Begins at `from`. Every bound must hold from there to `until`, and its radius must hold the
  /// rounding of its numbers.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until, Real resolution);

  /// None: what overlaps from the start is reported by next().
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept { return {}; }

  /// The next pair to meet, in the order of time, each once; at most the resolution early.
  [[nodiscard]] std::optional<BoundMeeting> next();

  /// Since start().
  [[nodiscard]] const MeetingCounts& counts() const noexcept { return counts_; }

 private:
  void enclose(std::span<const SpaceTimeBound> bounds, Real from, Real until);

  std::vector<Box> boxes_;
  BoxPairs boxPairs_;
  EventQueue<BoundMeeting> meeting_;
  MeetingCounts counts_;
};

}  // namespace nearmiss
