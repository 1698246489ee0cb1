// SPDX-License-Identifier: MIT
#include <engine/flight/touches.h>

#include <algorithm>

#include "flight/not_examined.h"

namespace nearmiss::engine {
namespace {

bool earlier(const Touch& touch, const BodyPair& pair) noexcept { return touch.bodies < pair; }

const Touch* find(std::span<const Touch> touches, const BodyPair& pair) noexcept {
  const auto at = std::lower_bound(touches.begin(), touches.end(), pair, earlier);
  return at != touches.end() && at->bodies == pair ? &*at : nullptr;
}

}  // namespace

void Touches::take(const Detection& found) {
  now_.swap(before_);
  now_.clear();
  // Hundreds of bodies may be postponed while few touch: flags are cheaper than sorting
  for (const std::uint32_t body : left_) isLeft_[body] = false;
  left_.clear();
  for (const PostponedBody& left : found.postponedBodies) {
    left_.push_back(left.body);
    if (left.body >= isLeft_.size()) isLeft_.resize(left.body + 1, false);
    isLeft_[left.body] = true;
  }

  // Merge both lists, which are sorted by pair
  auto pair = found.pairs.begin();
  auto old = before_.begin();
  while (pair != found.pairs.end() || old != before_.end()) {
    const bool isOld =
        old != before_.end() && (pair == found.pairs.end() || !(pair->bodies < old->bodies));
    const bool isFound = pair != found.pairs.end() && (!isOld || pair->bodies == old->bodies);
    if (isFound && pair->refinement.verdict != Verdict::Separate)
      now_.push_back({pair->bodies, isOld ? old->since : found.time, found.time});
    else if (isOld)
      keep(*old, found, isFound);
    pair += isFound ? 1 : 0;
    old += isOld ? 1 : 0;
  }
  advanceTo(found.time);
}

/// Keeps touches that were not examined, and those that separated only recently.
void Touches::keep(Touch touch, const Detection& found, bool listed) {
  const auto leftOut = [this](std::uint32_t body) {
    return body < isLeft_.size() && isLeft_[body];
  };
  // With a short budget most pairs are skipped most of the time. If each such detection restarted
  // the separation time, a touch would never end
  touch.apart = touch.apart || touch.postponed == maxPairWait ||
                !wasNotExamined(found, touch.bodies, listed, leftOut);
  if (!touch.apart) {
    touch.last = found.time;
    ++touch.postponed;
  }
  now_.push_back(touch);
}

void Touches::advanceTo(Real time) noexcept {
  ended_ += std::erase_if(now_, [time](const Touch& t) { return time - t.last >= minApart; });
}

bool Touches::touchedBefore(const BodyPair& pair) const noexcept { return find(before_, pair); }

}  // namespace nearmiss::engine
