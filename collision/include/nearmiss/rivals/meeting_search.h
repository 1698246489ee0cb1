// SPDX-License-Identifier: MIT
/// Methods that find the first overlap among many space-time bounds and its time: by projection or
/// by subdivision [H93, "Intersecting space-time bounds"].
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/space_time_bound.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace nearmiss {

/// How a projection advances. Queued: from crossing to crossing by a queue [H93]. Sliced (ours): by
/// slices of time, re-sorting the lists after each.
enum class Crossings { Queued, Sliced };

/// Makes a search by projection: faces as segments over time, in lists kept sorted on three axes.
/// Exact except for rounding down.
[[nodiscard]] std::unique_ptr<MeetingSearch> makeProjectionSearch(
    Crossings crossings = Crossings::Queued);

/// Kept: a subdivision keeps the pairs whose boxes overlap in an interval. None: every interval
/// compares the boxes of every pair; slow, and measured in the papers.
enum class PairLists { Kept, None };

/// Makes a search by subdivision: halves time down to `resolution` seconds and encloses each bound
/// in one box per interval. Reports overlaps up to that much too early, and pairs that only come
/// near [Y04, "Subdivision"]. Errors: Unsupported (a resolution that is not finite or not above 0).
Result<std::unique_ptr<MeetingSearch>> makeSubdivisionSearch(Real resolution,
                                                             PairLists lists = PairLists::Kept);

}  // namespace nearmiss
