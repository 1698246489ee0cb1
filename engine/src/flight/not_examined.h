// SPDX-License-Identifier: MIT
/// Which pairs a detection skipped because its budget ran out.
#pragma once

#include <nearmiss/advanced/detector.h>

#include <algorithm>

namespace nearmiss::engine {

/// Returns true if a pair was skipped: it was postponed, or one of its bodies was and the pair was
/// not found through the other. `listed`: found.pairs contains it. `leftOut(body)`:
/// found.postponedBodies contains the body.
[[nodiscard]] bool wasNotExamined(const Detection& found, const BodyPair& pair, bool listed,
                                  const auto& leftOut) {
  if (listed) return false;
  // Sorted by pair
  const auto later = std::ranges::lower_bound(found.postponed, pair, {}, &PostponedPair::pair);
  if (later != found.postponed.end() && later->pair == pair) return true;
  return leftOut(pair.a) || leftOut(pair.b);
}

}  // namespace nearmiss::engine
