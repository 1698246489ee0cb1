// SPDX-License-Identifier: MIT
#include "pair_queue.h"

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detector.h>

#include <algorithm>
#include <array>
#include <utility>

namespace nearmiss {

void PairQueue::begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs, Real time,
                      const StoppableBroadPhase& broad) {
  bodies_ = bodies;
  pairs_ = pairs;
  time_ = time;
  const auto stands = [&](std::size_t i) {
    const BodyPair& pair = postponed_[i].pair;
    return pair.b < bodies.size() && bodies[pair.a].key == keys_[i].a &&
           bodies[pair.b].key == keys_[i].b;
  };
  std::size_t standing = 0;
  while (standing < postponed_.size() && stands(standing)) ++standing;
  if (standing < postponed_.size()) moveToNewIndices();

  // Both lists are sorted by pair
  entries_.clear();
  std::size_t at = 0;
  for (const BodyPair& pair : pairs) entries_.push_back(entryOf(pair, at, broad));
  forced_.clear();
  rest_.clear();
}

/// Bodies have come or gone: finds those that waited by their keys.
void PairQueue::moveToNewIndices() {
  indices_.read(bodies_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < postponed_.size(); ++i) {
    const std::uint32_t a = indices_.of(keys_[i].a), b = indices_.of(keys_[i].b);
    if (a == KeyIndices::none || b == KeyIndices::none) continue;
    postponed_[kept++] = {pairOf(a, b), postponed_[i].wait};
  }
  postponed_.resize(kept);
  std::sort(postponed_.begin(), postponed_.end(),
            [](const PostponedPair& p, const PostponedPair& q) { return p.pair < q.pair; });
}

PairQueue::Entry PairQueue::entryOf(const BodyPair& pair, std::size_t& at,
                                    const StoppableBroadPhase& broad) const {
  Entry entry;
  while (at < postponed_.size() && postponed_[at].pair < pair) ++at;
  // If time went back, nothing has waited
  if (at < postponed_.size() && postponed_[at].pair == pair && postponed_[at].wait.since <= time_) {
    entry.waited = postponed_[at].wait;
    return entry;
  }
  const Wait first = broad.waitBefore(pair.a), second = broad.waitBefore(pair.b);
  entry.waited = first.detections < second.detections ? second : first;
  return entry;
}

/// Claims are in proportion to importance and to the time waited, so that one of half the
/// importance has half as many turns, and not none.
PairQueue::Ranked PairQueue::rankedOf(std::uint32_t i, std::uint32_t importance) const noexcept {
  const std::uint32_t waited = entries_[i].waited.detections;
  return {(std::uint64_t{importance} + 1) * (waited + 1),
          maxPairWait - std::min(maxPairWait, waited), i};
}

bool PairQueue::goesAfter(const Ranked& p, const Ranked& q) noexcept {
  return p.claim != q.claim ? p.claim < q.claim : p.i > q.i;
}

void PairQueue::rank() {
  heaped_ = false;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const BodyState &a = bodies_[pairs_[i].a], &b = bodies_[pairs_[i].b];
    const std::uint32_t importance =
        a.unimportant || b.unimportant ? 0 : std::min(a.importance, b.importance);
    if (importance == fullImportance)
      forced_.push_back(i);
    else
      rest_.push_back(rankedOf(i, importance));
  }

  // Pairs with the fewest detections left
  const std::size_t count = due();
  if (count == 0) return;
  const auto middle = rest_.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(rest_.begin(), middle, rest_.end(), [](const Ranked& p, const Ranked& q) {
    return p.left != q.left ? p.left < q.left : goesAfter(q, p);
  });
  std::sort(rest_.begin(), middle, [](const Ranked& p, const Ranked& q) { return p.i < q.i; });
  for (auto pair = rest_.begin(); pair != middle; ++pair) forced_.push_back(pair->i);
  rest_.erase(rest_.begin(), middle);
}

/// Number of waiting pairs that must be looked at now, so that the others can be later: of p pairs
/// that may be left out l times at most, a share of one in l + 1.
std::size_t PairQueue::due() const noexcept {
  std::array<std::size_t, maxPairWait + 1> count{};
  for (const Ranked& pair : rest_) ++count[pair.left];
  std::size_t most = 0, pairs = 0;
  for (std::size_t l = 0; l < count.size(); ++l) {
    pairs += count[l];
    most = std::max(most, pairs / (l + 1));
  }
  return most;
}

std::uint32_t PairQueue::takeBest() {
  NEARMISS_ASSERT(!empty());
  // Where time is up by now, there is no need of it
  if (!std::exchange(heaped_, true)) std::make_heap(rest_.begin(), rest_.end(), goesAfter);
  std::pop_heap(rest_.begin(), rest_.end(), goesAfter);
  const std::uint32_t best = rest_.back().i;
  rest_.pop_back();
  return best;
}

void PairQueue::end() {
  postponed_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.seen) continue;
    const bool first = entry.waited.detections == 0;
    postponed_.push_back(
        {pairs_[i], {first ? time_ : entry.waited.since, entry.waited.detections + 1}});
    keys_.push_back({bodies_[pairs_[i].a].key, bodies_[pairs_[i].b].key});
    NEARMISS_ASSERT(postponed_.back().wait.detections <= maxPairWait);
  }
}

}  // namespace nearmiss
