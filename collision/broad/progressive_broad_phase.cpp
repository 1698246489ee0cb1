// SPDX-License-Identifier: MIT
#include <nearmiss/progressive_broad_phase.h>

#include <algorithm>
#include <utility>

namespace nearmiss {

ProgressiveBroadPhase::ProgressiveBroadPhase(std::unique_ptr<BroadPhase> inner)
    : inner_(std::move(inner)) {}

ProgressiveBroadPhase::~ProgressiveBroadPhase() = default;

Real ProgressiveBroadPhase::findPairs(std::span<const BodyState> bodies, Real time,
                                      std::vector<BodyPair>& pairs) {
  const Real quiet = inner_->findPairs(bodies, time, pairs);

  // Take out the pairs that may wait, each with the time since which it has
  candidates_.clear();
  std::size_t kept = 0;
  for (const BodyPair& pair : pairs) {
    const BodyState& a = bodies[pair.a];
    const BodyState& b = bodies[pair.b];
    const std::uint32_t importance = std::min(a.importance, b.importance);
    if (importance == fullImportance) {
      pairs[kept++] = pair;
      continue;
    }
    const std::uint64_t keys = std::uint64_t{std::min(a.key, b.key)} << 32 | std::max(a.key, b.key);
    const auto at = std::lower_bound(waiting_.begin(), waiting_.end(), keys,
                                     [](const Waiting& w, std::uint64_t k) { return w.keys < k; });
    const bool waited = at != waiting_.end() && at->keys == keys && at->since <= time;
    candidates_.push_back({pair, keys, importance, waited ? at->since : time});
  }
  pairs.resize(kept);
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& p, const Candidate& q) {
    if (p.importance != q.importance) return p.importance > q.importance;
    if (p.since != q.since) return p.since < q.since;
    return p.keys < q.keys;
  });

  // Report what is allowed; the rest waits
  waiting_.clear();
  postponed_.clear();
  const std::size_t taken = std::min(allowance_, candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& candidate = candidates_[i];
    if (i < taken) {
      pairs.push_back(candidate.pair);
    } else {
      waiting_.push_back({candidate.keys, candidate.since});
      postponed_.push_back({candidate.pair, candidate.since});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::sort(waiting_.begin(), waiting_.end(),
            [](const Waiting& p, const Waiting& q) { return p.keys < q.keys; });
  std::sort(postponed_.begin(), postponed_.end(),
            [](const PostponedPair& p, const PostponedPair& q) { return p.pair < q.pair; });
  return quiet;
}

}  // namespace nearmiss
