// SPDX-License-Identifier: MIT
/// Methods that find the first of many space-time bounds to meet, and when: by projection or by
/// subdivision [H93, "Intersecting space-time bounds"].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/result.h>
#include <nearmiss/space_time_bound.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace nearmiss {

/// How a projection advances: from crossing to crossing by a queue [H93], or, ours, by slices of
/// time, re-sorting the lists after each.
enum class Crossings { Queued, Sliced };

/// Faces as segments over time, in lists kept sorted on three axes; exact up to rounding down.
[[nodiscard]] std::unique_ptr<MeetingSearch> makeProjectionSearch(
    Crossings crossings = Crossings::Queued);

/// Kept: a subdivision keeps the pairs that the boxes of an interval leave over. None: every
/// interval compares the boxes of every pair: slow, and what the papers measured.
enum class PairLists { Kept, None };

/// Halves of time, each bound in a box over each half, down to `resolution` seconds. Reports
/// meetings up to that much early, and pairs that only come near [Y04, "Subdivision"]. Errors:
/// Unsupported (a resolution that is not finite or not above 0).
Result<std::unique_ptr<MeetingSearch>> makeSubdivisionSearch(Real resolution,
                                                             PairLists lists = PairLists::Kept);

}  // namespace nearmiss
