// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds by subdivision: halve the time, enclose each bound over
/// each half in a box, drop pairs whose boxes are apart, and look at the earlier half first [Y04,
/// "Subdivision"].
#pragma once

#include <nearmiss/methods/meeting_search.h>

#include "broad/bound_search.h"
#include "methods/box_pairs.h"

namespace nearmiss {

/// Keeps its memory between searches. With pair lists, boxes over the whole time choose the pairs
/// that are looked at, and each interval looks only at those that its parent left; without, every
/// interval compares the boxes of every pair, as the slides draw it. Meetings are reported up to
/// `resolution` seconds early, and also for pairs that only come as near as two bodies move in that
/// time.
class Subdivision {
 public:
  explicit Subdivision(PairLists lists = PairLists::Kept) noexcept : lists_(lists) {}

  /// Begins at `from`. Every bound must hold from there to `until` and outlive the search.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until, Real resolution);

  /// Pairs whose bounds overlap at `from`, sorted. next() leaves them out.
  [[nodiscard]] std::span<const BodyPair> overlapping() const noexcept { return overlapping_; }

  /// The next pair to meet, in the order of time; nothing if no further pair meets before `until`.
  /// Each pair is reported once.
  [[nodiscard]] std::optional<BoundMeeting> next();

  /// Since start().
  [[nodiscard]] const MeetingCounts& counts() const noexcept { return counts_; }

 private:
  /// Pairs that may meet between `from` and `to`: those of pairs_ from `first` on, up to the next
  /// interval's. An interval lies above the later one that it was cut from.
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
  std::vector<Interval> stack_;  ///< the earliest on top
  EventQueue<BoundMeeting> meeting_;
  std::vector<BodyPair> reported_;  ///< sorted
  std::vector<BodyPair> overlapping_;
  MeetingCounts counts_;
};

}  // namespace nearmiss
