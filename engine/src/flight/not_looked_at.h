// SPDX-License-Identifier: MIT
/// Which pairs a detection that was short of time has not looked at.
#pragma once

#include <nearmiss/detector.h>

#include <algorithm>

namespace nearmiss::engine {

/// True if the pair itself was postponed.
[[nodiscard]] inline bool isPostponed(const Detection& found, const BodyPair& pair) {
  const auto later = std::ranges::lower_bound(found.postponed, pair, {}, &PostponedPair::pair);
  return later != found.postponed.end() && later->pair == pair;
}

/// True if the pair was not looked at, for want of time: it was postponed, or one of its bodies was
/// and the pair was not met on the way. `leftOut(body)`: true if found.postponedBodies lists it.
[[nodiscard]] bool notLookedAt(const Detection& found, const BodyPair& pair, const auto& leftOut) {
  // Both lists are sorted by pair
  if (isPostponed(found, pair)) return true;
  const auto at = std::ranges::lower_bound(found.pairs, pair, {}, &DetectedPair::bodies);
  if (at != found.pairs.end() && at->bodies == pair) return false;
  return leftOut(pair.a) || leftOut(pair.b);
}

}  // namespace nearmiss::engine
