// SPDX-License-Identifier: MIT
#include <engine/flight/touches.h>

#include <algorithm>

#include "flight/not_looked_at.h"

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
  for (const DetectedPair& pair : found.pairs) {
    if (pair.refinement.verdict == Verdict::Separate) continue;
    const Touch* touch = find(before_, pair.bodies);
    now_.push_back({pair.bodies, touch ? touch->since : found.time, found.time});
  }
  const auto byBodies = [](const Touch& p, const Touch& q) { return p.bodies < q.bodies; };
  std::sort(now_.begin(), now_.end(), byBodies);

  // Keep what was not looked at as it was, and what has not been apart for long
  left_.clear();
  for (const PostponedBody& left : found.postponedBodies) left_.push_back(left.body);
  std::ranges::sort(left_);
  const auto leftOut = [this](std::uint32_t body) {
    return std::ranges::binary_search(left_, body);
  };
  const std::size_t touching = now_.size();
  for (Touch touch : before_) {
    const auto end = now_.begin() + static_cast<std::ptrdiff_t>(touching);
    if (std::binary_search(now_.begin(), end, touch, byBodies)) continue;
    // Where time is short most pairs are left out most of the time: one that has parted would
    // never end if each such detection began its time apart again
    touch.apart =
        touch.apart || touch.postponed == maxPairWait || !notLookedAt(found, touch.bodies, leftOut);
    if (!touch.apart) {
      touch.last = found.time;
      ++touch.postponed;
    }
    now_.push_back(touch);
  }
  std::sort(now_.begin(), now_.end(), byBodies);
  passTo(found.time);
}

void Touches::passTo(Real time) noexcept {
  ended_ += std::erase_if(now_, [time](const Touch& t) { return time - t.last >= minApart; });
}

bool Touches::touchedBefore(const BodyPair& pair) const noexcept { return find(before_, pair); }

}  // namespace nearmiss::engine
