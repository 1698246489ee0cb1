// SPDX-License-Identifier: MIT
#include <nearmiss/assertion.h>
#include <nearmiss/body_check.h>
#include <nearmiss/detector.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "out_of_memory.h"
#include "pair_queue.h"

namespace nearmiss {
namespace {

/// A bound that has expired is no fault: the body has none then.
constexpr Real anyTime = -std::numeric_limits<Real>::infinity();

}  // namespace

Detector::Detector(std::unique_ptr<BroadPhase> broad, std::unique_ptr<NarrowPhase> narrow)
    : broad_(std::move(broad)), narrow_(std::move(narrow)), queue_(std::make_unique<PairQueue>()) {
  NEARMISS_DEMAND(broad_ != nullptr);
  NEARMISS_DEMAND(narrow_ != nullptr);
}

Detector::~Detector() = default;

void Detector::demandSoundness(std::span<const BodyState> bodies) const {
  const auto fault = faultIn(bodies, anyTime, narrow_->shapes());
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
}

bool Detector::mayRefine(std::size_t i) const noexcept {
  const Refinement r = narrow_->result(i);
  return r.canRefine && r.level < levelCap_;
}

const Detection& Detector::detect(std::span<const BodyState> bodies, Real time,
                                  const TimeBudget& budget) {
  const auto read = [this] { return stopwatch_ ? stopwatch_->now() : Clock::Duration{}; };

  // Bodies without a shape would be missed without a sign, so every build checks for them where new
  // ones may have come
  if (bodies.size() != bodiesBefore_) demandSoundness(bodies);
  bodiesBefore_ = bodies.size();
  NEARMISS_ASSERT(!faultIn(bodies, anyTime, narrow_->shapes()));

  // Broad phase: with at most half of the time, if it can stop
  const Clock::Duration start = read();
  detection_.time = time;
  StoppableBroadPhase* const stoppable = broad_->stoppable();
  if (budget.limited() && stoppable) {
    detection_.noContactBefore =
        stoppable->findPairsWithin(bodies, time, budget.halved(), candidates_);
  } else {
    detection_.noContactBefore = broad_->findPairs(bodies, time, candidates_);
    budget.spend(broad_->work());
  }
  detection_.broadWork = broad_->work();
  const Clock::Duration broadEnd = read();

  narrow_->begin(bodies, candidates_);
  queue_->begin(bodies, candidates_, time, broad_->stoppable());
  firstRound(budget);
  // Pairs that wait go before pairs that could be refined
  if (queue_->empty() && order_ == RefinementOrder::InTurn)
    furtherRounds(budget);
  else if (queue_->empty())
    byPriority(bodies, budget);
  report();
  detection_.broadTime = broadEnd - start;
  detection_.narrowTime = read() - broadEnd;
  return detection_;
}

/// Refines a pair for the first time, to the end of a level whatever the budget.
void Detector::look(std::size_t i, const TimeBudget& open) {
  queue_->markSeen(i);
  if (mayRefine(i)) detection_.steps += narrow_->refine(i, open);
  if (mayRefine(i)) active_.push_back(i);
}

void Detector::firstRound(const TimeBudget& budget) {
  detection_.steps = 0;
  detection_.rounds = 1;
  active_.clear();
  const TimeBudget open = budget.withoutDeadline();
  if (!budget.limited()) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) look(i, open);
    detection_.forced = candidates_.size();
    return;
  }
  queue_->rank();
  detection_.forced = queue_->forced().size();
  for (const std::uint32_t i : queue_->forced()) look(i, open);
  while (!queue_->empty() && !budget.exhausted()) look(queue_->takeBest(), open);
}

/// A level for each pair in turn, while there is time.
void Detector::furtherRounds(const TimeBudget& budget) {
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
}

/// A level for whichever pair has the highest priority by what is known, while there is time.
void Detector::byPriority(std::span<const BodyState> bodies, const TimeBudget& budget) {
  const auto rank = [&](std::size_t i) {
    const BodyPair& pair = candidates_[i];
    return std::pair{
        priorityOf(order_, viewer_, bodies[pair.a], bodies[pair.b], narrow_->result(i)), i};
  };
  // Of equal ones the first pair leads
  const auto later = [](const auto& p, const auto& q) {
    return p.first < q.first || (p.first == q.first && p.second > q.second);
  };
  ranked_.clear();
  for (const std::size_t i : active_) ranked_.push_back(rank(i));
  std::ranges::make_heap(ranked_, later);
  detection_.rounds += !ranked_.empty();
  for (bool outOfTime = budget.exhausted(); !ranked_.empty() && !outOfTime;) {
    std::ranges::pop_heap(ranked_, later);
    const std::size_t i = ranked_.back().second;
    const bool completed = narrow_->refine(i, budget);
    detection_.steps += completed;
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

void Detector::report() {
  detection_.narrowWork = narrow_->work();
  detection_.pairs.clear();
  reported_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!queue_->seen(i)) continue;
    reported_.push_back(i);
    detection_.pairs.push_back({candidates_[i], narrow_->result(i), queue_->waited(i)});
  }
  queue_->end();
  detection_.postponed = queue_->postponed();
  detection_.postponedBodies = std::span<const PostponedBody>();
  if (const StoppableBroadPhase* stoppable = broad_->stoppable())
    detection_.postponedBodies = stoppable->postponedBodies();
  detection_.complete =
      active_.empty() && detection_.postponed.empty() && detection_.postponedBodies.empty();
}

void Detector::announceJumps(std::span<const std::uint32_t> bodies) {
  if (StoppableBroadPhase* stoppable = broad_->stoppable()) stoppable->announceJumps(bodies);
}

Result<const Detection*> Detector::detectChecked(std::span<const BodyState> bodies, Real time,
                                                 const TimeBudget& budget) {
  if (auto sound = checkBodies(bodies, time, narrow_->shapes()); !sound) return sound.error();
  bodiesBefore_ = bodies.size();  // looked at already
  return orOutOfMemory("cannot detect contacts",
                       [&]() -> Result<const Detection*> { return &detect(bodies, time, budget); });
}

Result<std::unique_ptr<Detector>> makeDetector(std::unique_ptr<BroadPhase> broad,
                                               std::unique_ptr<NarrowPhase> narrow) {
  if (!broad || !narrow)
    return Error{ErrorCode::Unsupported, std::string("cannot make a detector: there is no ") +
                                             (broad ? "narrow" : "broad") + " phase"};
  using Made = Result<std::unique_ptr<Detector>>;
  return orOutOfMemory("cannot make a detector", [&]() -> Made {
    return std::make_unique<Detector>(std::move(broad), std::move(narrow));
  });
}

}  // namespace nearmiss
