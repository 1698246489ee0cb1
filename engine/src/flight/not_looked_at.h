// SPDX-License-Identifier: MIT
/// Which pairs a detection that was short of time has not looked at.
#pragma once

#include <nearmiss/detector.h>

#include <algorithm>

namespace nearmiss::engine {

/// True if a pair was not looked at, for want of time: it was postponed, or one of its bodies was
/// and the pair was not met on the way. `listed`: found.pairs has it. `leftOut(body)`: true if
/// found.postponedBodies lists it.
[[nodiscard]] bool notLookedAt(const Detection& found, const BodyPair& pair, bool listed,
                               const auto& leftOut) {
  if (listed) return false;
  // Sorted by pair
  const auto later = std::ranges::lower_bound(found.postponed, pair, {}, &PostponedPair::pair);
  if (later != found.postponed.end() && later->pair == pair) return true;
  return leftOut(pair.a) || leftOut(pair.b);
}

}  // namespace nearmiss::engine
