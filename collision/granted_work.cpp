// SPDX-License-Identifier: MIT
#include <nearmiss/detector.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace nearmiss {
namespace {

/// Sorted, each once, of bodies that exist.
bool soundPairs(const auto& list, auto pairOf, std::size_t bodies) noexcept {
  const BodyPair* before = nullptr;
  for (const auto& entry : list) {
    const BodyPair& pair = std::invoke(pairOf, entry);
    if (!(pair.a < pair.b) || pair.b >= bodies || (before && !(*before < pair))) return false;
    before = &pair;
  }
  return true;
}

}  // namespace

void GrantedWork::take(const Detection& found) {
  noContactBefore = found.noContactBefore;
  complete = found.complete;
  pairs.clear();
  for (const DetectedPair& pair : found.pairs) pairs.push_back({pair.bodies, pair.steps});
  postponed.assign(found.postponed.begin(), found.postponed.end());
  postponedBodies.assign(found.postponedBodies.begin(), found.postponedBodies.end());
}

const char* GrantedWork::timeFault() const noexcept {
  const auto timeless = [](const auto& left) { return std::isnan(left.wait.since); };
  if (std::isnan(noContactBefore)) return "noContactBefore";
  if (std::ranges::any_of(postponed, timeless) || std::ranges::any_of(postponedBodies, timeless))
    return "wait.since";
  return nullptr;
}

bool GrantedWork::fits(std::size_t bodies) const noexcept {
  return !timeFault() && soundPairs(pairs, &GrantedPair::bodies, bodies) &&
         soundPairs(postponed, &PostponedPair::pair, bodies) &&
         std::ranges::all_of(postponedBodies,
                             [bodies](const PostponedBody& left) { return left.body < bodies; });
}

}  // namespace nearmiss
