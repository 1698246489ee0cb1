// SPDX-License-Identifier: MIT
#include "world/refiner.h"

#include <algorithm>

namespace nearmiss {

void Refiner::rest() noexcept {
  active_.clear();
  steps_ = 0;
  rounds_ = 0;
  resting_ = true;
}

void Refiner::begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs,
                    int levelCap) {
  rest();
  resting_ = false;
  bodies_ = bodies;
  pairs_ = pairs;
  levelCap_ = levelCap;
  stepsOf_.assign(pairs.size(), 0);
  narrow_.begin(bodies, pairs);
}

WorkCount Refiner::work() const noexcept { return resting_ ? WorkCount{} : narrow_.work(); }

bool Refiner::mayRefine(std::size_t i) const noexcept { return narrow_.mayRefine(i, levelCap_); }

/// Refines a pair to the end of its next level, or until the budget is exhausted.
bool Refiner::refine(std::size_t i, const TimeBudget& budget) {
  const bool completed = narrow_.refine(i, budget);
  steps_ += completed;
  stepsOf_[i] += completed;
  return completed;
}

void Refiner::repeat(std::size_t i, std::uint32_t steps) {
  while (steps-- > 0 && mayRefine(i)) refine(i, TimeBudget::unlimited());
}

void Refiner::look(std::size_t i, const TimeBudget& open) {
  if (mayRefine(i)) refine(i, open);
  if (mayRefine(i)) active_.push_back(i);
}

void Refiner::refineInTurn(const TimeBudget& budget) {
  bool outOfTime = budget.exhausted();
  while (!active_.empty() && !outOfTime) {
    std::size_t kept = 0;
    for (const std::size_t i : active_) {
      if (!outOfTime) {
        const bool completed = refine(i, budget);
        outOfTime = !completed || budget.exhausted();
        if (completed && !mayRefine(i)) continue;
      }
      active_[kept++] = i;
    }
    active_.resize(kept);
    ++rounds_;
  }
}

void Refiner::tighten(const TimeBudget& budget) {
  if (!active_.empty() || budget.exhausted()) return;
  ranked_.clear();
  for (std::size_t i = 0; i < stepsOf_.size(); ++i) {
    if (stepsOf_[i] == 0 || narrow_.verdict(i) != Verdict::Possible) continue;
    ranked_.emplace_back(narrow_.result(i).separationBound, i);
  }
  // Ties go to the first pair
  std::ranges::sort(ranked_, [](const auto& p, const auto& q) {
    return p.first > q.first || (p.first == q.first && p.second < q.second);
  });
  for (const auto& [bound, i] : ranked_)
    if (!narrow_.tighten(i, budget) || budget.exhausted()) return;
}

void Refiner::refineByPriority(RefinementOrder order, const Viewer& viewer,
                               const TimeBudget& budget) {
  const auto rank = [&](std::size_t i) {
    const BodyPair& pair = pairs_[i];
    return std::pair{priorityOf(order, viewer, bodies_[pair.a], bodies_[pair.b], narrow_.result(i)),
                     i};
  };
  // Ties go to the first pair
  const auto later = [](const auto& p, const auto& q) {
    return p.first < q.first || (p.first == q.first && p.second > q.second);
  };
  ranked_.clear();
  for (const std::size_t i : active_) ranked_.push_back(rank(i));
  std::ranges::make_heap(ranked_, later);
  rounds_ += !ranked_.empty();
  for (bool outOfTime = budget.exhausted(); !ranked_.empty() && !outOfTime;) {
    std::ranges::pop_heap(ranked_, later);
    const std::size_t i = ranked_.back().second;
    const bool completed = refine(i, budget);
    outOfTime = !completed || budget.exhausted();
    if (completed && !mayRefine(i)) {
      ranked_.pop_back();
      continue;
    }
    ranked_.back() = rank(i);
    std::ranges::push_heap(ranked_, later);
  }
  active_.clear();
  for (const auto& [priority, i] : ranked_) active_.push_back(i);
}

}  // namespace nearmiss
