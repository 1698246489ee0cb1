// SPDX-License-Identifier: MIT
/// Which of many space-time bounds meet first, and when: by projection or by subdivision [H93,
/// "Intersecting space-time bounds"].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/result.h>
#include <nearmiss/space_time_bound.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace nearmiss {

/// From `time` on two bounds overlap; before it they do not.
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

  /// Since start().
  [[nodiscard]] virtual const MeetingCounts& counts() const noexcept = 0;
};

/// Whether a search may start with these: bounds that hold from `from` to `until`, not before it,
/// and are without fault, fewer than 2^31 of them. Errors: Unsupported, in one sentence that names
/// the bound.
Result<Success> checkSearch(std::span<const SpaceTimeBound> bounds, Real from, Real until);

/// How a projection goes on: from crossing to crossing by a queue [H93], or, ours, by slices of
/// time, at the ends of which the lists are sorted anew.
enum class Crossings { Queued, Sliced };

/// Faces as segments over time, in lists kept sorted on three axes; exact up to rounding down.
[[nodiscard]] std::unique_ptr<MeetingSearch> makeProjectionSearch(
    Crossings crossings = Crossings::Queued);

/// Whether a subdivision remembers which pairs the boxes of an interval have left over. Without,
/// every interval compares the boxes of every pair: slow, and what the papers measured.
enum class PairLists { Kept, None };

/// Halves of time, each bound in a box over each half, down to `resolution` seconds, above 0.
/// Reports meetings up to that much early, and pairs that only come near [Y04, "Subdivision"].
[[nodiscard]] std::unique_ptr<MeetingSearch> makeSubdivisionSearch(
    Real resolution, PairLists lists = PairLists::Kept);

/// The same for an unchecked resolution. Errors: Unsupported.
Result<std::unique_ptr<MeetingSearch>> makeSubdivisionSearchChecked(
    Real resolution, PairLists lists = PairLists::Kept);

}  // namespace nearmiss
