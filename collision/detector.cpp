// SPDX-License-Identifier: MIT
#include <nearmiss/body_check.h>
#include <nearmiss/detector.h>

#include <cassert>
#include <limits>
#include <utility>

namespace nearmiss {

Detector::Detector(std::unique_ptr<BroadPhase> broad, std::unique_ptr<NarrowPhase> narrow) noexcept
    : broad_(std::move(broad)), narrow_(std::move(narrow)) {}

bool Detector::mayRefine(std::size_t i) const noexcept {
  const Refinement r = narrow_->result(i);
  return r.canRefine && r.level < levelCap_;
}

const Detection& Detector::detect(std::span<const BodyState> bodies, Real time,
                                  const TimeBudget& budget) {
  const auto read = [this] { return stopwatch_ ? stopwatch_->now() : Clock::Duration{}; };

  assert(!faultIn(bodies, -std::numeric_limits<Real>::infinity()));

  // Broad phase
  const Clock::Duration start = read();
  detection_.quietUntil = broad_->findPairs(bodies, time, candidates_);
  detection_.postponed = broad_->postponed();
  detection_.broadWork = broad_->work();
  budget.spend(detection_.broadWork);
  const Clock::Duration broadEnd = read();

  // First round: every pair once, whatever the budget
  narrow_->begin(bodies, candidates_);
  detection_.steps = 0;
  active_.clear();
  const TimeBudget open = budget.withoutDeadline();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (mayRefine(i)) detection_.steps += narrow_->refine(i, open);
    if (mayRefine(i)) active_.push_back(i);
  }
  detection_.rounds = 1;

  // Further rounds, a level for each pair in turn, while there is time
  bool outOfTime = budget.exhausted();
  while (!active_.empty() && !outOfTime) {
    std::size_t kept = 0;
    for (const std::size_t i : active_) {
      if (!outOfTime) {
        const bool completed = narrow_->refine(i, budget);
        detection_.steps += completed;
        outOfTime = !completed || budget.exhausted();
        if (completed && !mayRefine(i)) continue;
      }
      active_[kept++] = i;
    }
    active_.resize(kept);
    ++detection_.rounds;
  }

  // Report
  detection_.time = time;
  detection_.complete = active_.empty();
  detection_.narrowWork = narrow_->work();
  detection_.pairs.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    detection_.pairs.push_back({candidates_[i], narrow_->result(i)});
  detection_.broadTime = broadEnd - start;
  detection_.narrowTime = read() - broadEnd;
  return detection_;
}

Result<const Detection*> Detector::detectChecked(std::span<const BodyState> bodies, Real time,
                                                 const TimeBudget& budget) {
  if (auto sound = checkBodies(bodies, time); !sound) return sound.error();
  return &detect(bodies, time, budget);
}

}  // namespace nearmiss
