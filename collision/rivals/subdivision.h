// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds by subdivision: halve the time, enclose each bound over
/// each half in a box, discard pairs whose boxes are apart, and examine the earlier half first
/// [Y04, "Subdivision"].
#pragma once

#include <nearmiss/rivals/meeting_search.h>

#include "broad/bound_search.h"
#include "rivals/box_pairs.h"

namespace nearmiss {

/// A search. Reuses its memory. With pair lists, boxes over the whole time select the candidate
/// pairs, and each interval examines only the pairs left by its parent. Without lists, every
/// interval compares the boxes of every pair, as in the slides. Meetings are reported up to
/// `resolution` seconds early, also for pairs that only come as near as two bodies move in that
/// time.
class Subdivision {
 public:
  explicit Subdivision(PairLists lists = PairLists::Kept) noexcept : lists_(lists) {}

  /// Starts at `from`. Every bound must hold from there to `until` and outlive the search.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until, Real resolution);

  /// Returns the pairs whose bounds overlap at `from`, sorted. next() does not report them.
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept { return overlapping_; }

  /// Returns the next pair to meet, in order of time; empty if no further pair meets before
  /// `until`. Each pair is reported once.
  [[nodiscard]] std::optional<BoundMeeting> next();

  /// Returns the work since start().
  [[nodiscard]] const MeetingCounts& counts() const noexcept { return counts_; }

 private:
  /// Pairs that may meet between `from` and `to`: those of pairs_ from `first` up to the start of
  /// the next interval. An interval is on the stack above the later one from which it was cut.
  struct Interval {
    Real from = 0.0, to = 0.0;  ///< simulation seconds
    std::size_t first = 0, last = 0;
  };

  void findCandidates(Real until);
  void encloseAll(Real from, Real to);
  void findOverlapping();
  void halve(const Interval& interval);
  void selectAmongAll(Real from, Real to);
  void report(const Interval& interval);

  PairLists lists_;
  std::span<const SpaceTimeBound> bounds_;
  std::span<const std::uint32_t> assemblies_;
  Real from_ = 0.0, until_ = 0.0, resolution_ = 0.0;
  std::vector<Box> boxes_;
  BoxPairs boxPairs_;
  std::vector<BodyPair> pairs_;
  std::vector<Interval> stack_;  ///< earliest on top
  EventQueue<BoundMeeting> meeting_;
  std::vector<BodyPair> reported_;  ///< sorted
  std::vector<BodyPair> overlapping_;
  MeetingCounts counts_;
};

}  // namespace nearmiss
