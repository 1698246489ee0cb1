// SPDX-License-Identifier: MIT
#include <engine/touches.h>

#include <algorithm>

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
    const Touch* since = find(before_, pair.bodies);
    now_.push_back({pair.bodies, since ? since->since : found.time});
  }
  // Nobody looked at these: they are taken to be as they were
  for (const PostponedPair& pair : found.postponed)
    if (const Touch* since = find(before_, pair.pair)) now_.push_back(*since);
  std::sort(now_.begin(), now_.end(),
            [](const Touch& p, const Touch& q) { return p.bodies < q.bodies; });
  ended_ = static_cast<std::size_t>(std::count_if(
      before_.begin(), before_.end(), [this](const Touch& t) { return !find(now_, t.bodies); }));
}

void Touches::clear() noexcept {
  now_.clear();
  before_.clear();
  ended_ = 0;
}

bool Touches::touchedBefore(const BodyPair& pair) const noexcept { return find(before_, pair); }

}  // namespace nearmiss::engine
