// SPDX-License-Identifier: MIT
#include "world/pair_queue.h"

#include <nearmiss/advanced/detector.h>
#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "broad/body_bounds.h"

namespace nearmiss {

WorkCount PairQueue::recall(std::span<const BodyState> bodies, const StoppableBroadPhase& broad,
                            std::vector<BodyPair>& pairs) {
  bodies_ = bodies;
  const auto stands = [&](std::size_t i) {
    const BodyPair& pair = known_[i].pair;
    return pair.b < bodies.size() && bodies[pair.a].key == keys_[i].a &&
           bodies[pair.b].key == keys_[i].b;
  };
  std::size_t standing = 0;
  while (standing < known_.size() && stands(standing)) ++standing;
  if (standing < known_.size()) moveToNewIndices();

  WorkCount work;
  noteLeftOut(broad);
  if (leftOut_.empty()) return work;
  recalled_.clear();
  auto found = pairs.begin();
  for (const auto& [pair, wait] : known_) {
    while (found != pairs.end() && *found < pair) ++found;
    if (found != pairs.end() && *found == pair) continue;
    if (wait.detections == 0 || !isLeftOut(pair)) continue;
    ++work.boundTests;
    if (boundingSpheresMeet(bodies[pair.a], bodies[pair.b])) recalled_.push_back(pair);
  }
  if (recalled_.empty()) return work;
  all_.clear();
  std::set_union(pairs.begin(), pairs.end(), recalled_.begin(), recalled_.end(),
                 std::back_inserter(all_));
  pairs.assign(all_.begin(), all_.end());
  return work;
}

void PairQueue::begin(std::span<const BodyPair> pairs, Real time,
                      const StoppableBroadPhase& broad) {
  pairs_ = pairs;
  time_ = time;
  // Both lists are sorted by pair
  entries_.clear();
  std::size_t at = 0;
  for (const BodyPair& pair : pairs) entries_.push_back(entryOf(pair, at, broad));
  forced_.clear();
  rest_.clear();
}

void PairQueue::noteLeftOut(const StoppableBroadPhase& broad) {
  leftOut_ = broad.postponedBodies();
  placeOf_.clear();
  if (leftOut_.empty()) return;
  placeOf_.assign(bodies_.size(), isNotLeftOut);
  for (std::uint32_t place = 0; place < leftOut_.size(); ++place)
    placeOf_[leftOut_[place].body] = place;
}

/// Finds waiting pairs by their keys after bodies were added or removed.
void PairQueue::moveToNewIndices() {
  indices_.read(bodies_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const std::uint32_t a = indices_.of(keys_[i].a), b = indices_.of(keys_[i].b);
    if (a == KeyIndices::none || b == KeyIndices::none) continue;
    known_[kept++] = {pairOf(a, b), known_[i].wait};
  }
  known_.resize(kept);
  std::sort(known_.begin(), known_.end(),
            [](const PostponedPair& p, const PostponedPair& q) { return p.pair < q.pair; });
}

PairQueue::Entry PairQueue::entryOf(const BodyPair& pair, std::size_t& at,
                                    const StoppableBroadPhase& broad) const {
  Entry entry;
  while (at < known_.size() && known_[at].pair < pair) ++at;
  // If time has decreased, nothing has waited
  if (at < known_.size() && known_[at].pair == pair && known_[at].wait.since <= time_) {
    entry.waited = known_[at].wait;
    return entry;
  }
  const Wait first = waitOf(pair.a, broad), second = waitOf(pair.b, broad);
  entry.waited = first.detections < second.detections ? second : first;
  return entry;
}

/// Returns the wait of a body until this detection, whether `broad` examined it now or not.
Wait PairQueue::waitOf(std::uint32_t body, const StoppableBroadPhase& broad) const noexcept {
  if (!isLeftOut(body)) return broad.waitBefore(body);
  Wait wait = leftOut_[placeOf_[body]].wait;
  if (--wait.detections == 0) wait = {};
  return wait;
}

/// Claims are proportional to importance and to the time waited. A pair of half the importance thus
/// gets half as many turns, not none.
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

  // Pairs with the fewest remaining detections
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

/// Returns the number of waiting pairs that must be examined now, so that the others can wait: for
/// p pairs that may be skipped at most l times, p / (l + 1).
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
  // If time is up already, the heap is not needed
  if (!std::exchange(heaped_, true)) std::make_heap(rest_.begin(), rest_.end(), goesAfter);
  std::pop_heap(rest_.begin(), rest_.end(), goesAfter);
  const std::uint32_t best = rest_.back().i;
  rest_.pop_back();
  return best;
}

void PairQueue::end() {
  postponed_.clear();
  known_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.seen) {
      if (isLeftOut(pairs_[i])) keep(pairs_[i], {time_, 0});
      continue;
    }
    const bool first = entry.waited.detections == 0;
    const Wait wait{first ? time_ : entry.waited.since, entry.waited.detections + 1};
    postponed_.push_back({pairs_[i], wait});
    keep(pairs_[i], wait);
    NEARMISS_ASSERT(wait.detections <= maxPairWait);
  }
}

/// Keeps a wait for the next detection.
void PairQueue::keep(const BodyPair& pair, const Wait& wait) {
  known_.push_back({pair, wait});
  keys_.push_back({bodies_[pair.a].key, bodies_[pair.b].key});
}

}  // namespace nearmiss
