// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/detector.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace nearmiss {
namespace {

/// Returns true if the pairs are sorted, unique, and of existing bodies.
bool soundPairs(const auto& list, auto pairOf, std::size_t bodies) noexcept {
  const BodyPair* before = nullptr;
  for (const auto& entry : list) {
    const BodyPair& pair = std::invoke(pairOf, entry);
    if (!(pair.a < pair.b) || pair.b >= bodies || (before && !(*before < pair))) return false;
    before = &pair;
  }
  return true;
}

/// Returns the name of the first time that is NaN, or null.
const char* timeFault(const GrantedWork& granted) noexcept {
  const auto timeless = [](const auto& left) { return std::isnan(left.wait.since); };
  if (std::isnan(granted.noContactBefore)) return "noContactBefore";
  if (std::ranges::any_of(granted.postponed, timeless) ||
      std::ranges::any_of(granted.postponedBodies, timeless))
    return "wait.since";
  return nullptr;
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

Result<Success> check(const GrantedWork& granted, std::size_t bodies, Real time) {
  return orOutOfMemory("cannot check the granted work", [&]() -> Result<Success> {
    if (!std::isfinite(time))
      return Error{ErrorCode::Unsupported, "the time of detection is not finite"};
    if (const char* field = timeFault(granted))
      return Error{ErrorCode::Unsupported,
                   std::string(field) + " of the granted work is nan, but must be a time"};
    if (!soundPairs(granted.pairs, &GrantedPair::bodies, bodies) ||
        !soundPairs(granted.postponed, &PostponedPair::pair, bodies) ||
        !std::ranges::all_of(granted.postponedBodies,
                             [bodies](const PostponedBody& left) { return left.body < bodies; }))
      return Error{ErrorCode::Unsupported, "the granted work is not of a detection among " +
                                               std::to_string(bodies) + " bodies"};
    return Success{};
  });
}

}  // namespace nearmiss
