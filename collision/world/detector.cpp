// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/shared_work.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "broad/unimportant_last.h"
#include "world/pair_queue.h"
#include "world/refiner.h"

namespace nearmiss {
namespace {

/// With fewer pairs, all are done before another thread wakes.
constexpr std::size_t minShared = 48;

/// Worker numbers are stored in a byte.
constexpr std::size_t maxWorkers = 255;

constexpr std::string_view cutShort = "an earlier detection by this detector ran out of memory";

}  // namespace

struct Detector::Shared {
  std::atomic<std::size_t> next{0};  ///< next of the pairs that must be examined
  Mutex queue;                       ///< guards the pairs that may wait
  /// True during a detection. If still true at the next one, the last one ran out of memory, and
  /// the state that the phases keep between calls is invalid.
  bool underWay = false;
};

Detector::Detector(std::unique_ptr<BroadPhase> broad, std::unique_ptr<NarrowPhase> narrow)
    : broad_(std::move(broad)),
      shared_(std::make_unique<Shared>()),
      queue_(std::make_unique<PairQueue>()) {
  NEARMISS_DEMAND(broad_ != nullptr);
  NEARMISS_DEMAND(narrow != nullptr);
  refiners_.push_back(std::make_unique<Refiner>(std::move(narrow)));
  stoppable_ = broad_->stoppable();
  if (stoppable_) return;
  unimportantLast_ = std::make_unique<UnimportantLast>(*broad_);
  stoppable_ = unimportantLast_.get();
}

Detector::~Detector() = default;

void Detector::demandSoundness(std::span<const BodyState> bodies) const {
  // An expired bound is no fault: the body then has none
  const auto fault = faultIn(bodies, beforeExpiry, narrowPhase().shapes());
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
}

void Detector::setCoherence(bool on) {
  for (const auto& refiner : refiners_) refiner->setCoherence(on);
}

const NarrowPhase& Detector::narrowPhase() const noexcept { return refiners_.front()->given(); }

void Detector::shareWork(WorkerPool* pool) {
  pool_ = pool;
  broad_->shareWork(pool);
  // Surplus refiners stay until the next detection, because they hold results of the last one
  wantedRefiners_ = static_cast<std::size_t>(pool ? pool->workers() : 1);
  while (refiners_.size() < std::min(wantedRefiners_, maxWorkers)) {
    auto another = narrowPhase().another();
    if (!another) return;
    refiners_.push_back(std::make_unique<Refiner>(std::move(another), false));
  }
}

bool Detector::isUsable() const noexcept { return !shared_->underWay; }

void Detector::beginDetection(std::span<const BodyState> bodies) {
  NEARMISS_DEMAND(!shared_->underWay, cutShort);
  shared_->underWay = true;
  if (refiners_.size() > wantedRefiners_) refiners_.resize(wantedRefiners_);
  // Bodies without a valid shape would be missed silently. Every build checks for them when bodies
  // may have been added
  if (bodies.size() != bodiesBefore_) demandSoundness(bodies);
  bodiesBefore_ = bodies.size();
}

const Detection& Detector::detect(std::span<const BodyState> bodies, Real time,
                                  const TimeBudget& budget) {
  const auto read = [this] { return stopwatch_ ? stopwatch_->now() : Clock::Duration{}; };
  beginDetection(bodies);
  NEARMISS_ASSERT(!faultIn(bodies, beforeExpiry, narrowPhase().shapes()));

  // Broad phase: gets at most half of the time, if it can stop
  const Clock::Duration start = read();
  detection_.time = time;
  if (budget.limited() && !namesAllPairs_) {
    detection_.noContactBefore =
        stoppable_->findPairsWithin(bodies, time, budget.halved(), candidates_);
  } else {
    detection_.noContactBefore = stoppable_->findPairs(bodies, time, candidates_);
    budget.spend(stoppable_->work());
  }
  detection_.broadWork = stoppable_->work();
  const WorkCount recalling = queue_->recall(bodies, *stoppable_, candidates_);
  budget.spend(recalling);
  detection_.broadWork += recalling;
  if (counts_) std::erase_if(candidates_, [&](const BodyPair& pair) { return !counts_(pair); });
  const Clock::Duration broadEnd = read();

  queue_->begin(candidates_, time, *stoppable_);
  workerOf_.resize(candidates_.size());
  if (budget.limited()) queue_->rank();
  shared_->next = 0;
  for (const auto& refiner : refiners_) refiner->rest();
  const auto work = [&](int worker) {
    if (static_cast<std::size_t>(worker) < refiners_.size())
      refine(static_cast<std::uint8_t>(worker), bodies, budget);
  };
  if (worthSharing(budget))
    pool_->run(work);
  else
    work(0);
  report(budget);
  detection_.broadTime = broadEnd - start;
  detection_.narrowTime = read() - broadEnd;
  shared_->underWay = false;
  return detection_;
}

bool Detector::worthSharing(const TimeBudget& budget) const noexcept {
  return pool_ && refiners_.size() > 1 && candidates_.size() >= minShared && budget.shareable();
}

/// The work of one worker in a detection.
void Detector::refine(std::uint8_t worker, std::span<const BodyState> bodies,
                      const TimeBudget& budget) {
  Refiner& own = *refiners_[worker];
  own.begin(bodies, candidates_, levelCap_);
  // First rounds come before further refinement
  if (!firstRound(worker, budget)) return;
  if (order_ == RefinementOrder::InTurn)
    own.refineInTurn(budget);
  else
    own.refineByPriority(order_, viewer_, budget);
  if (tightens_) own.tighten(budget);
}

/// Refines pairs for the first time. Returns false if time ran out before all were taken.
bool Detector::firstRound(std::uint8_t worker, const TimeBudget& budget) {
  const TimeBudget open = budget.withoutDeadline();
  const auto look = [&](std::size_t i) {
    queue_->markSeen(i);
    workerOf_[i] = worker;
    refiners_[worker]->look(i, open);
  };
  const bool limited = budget.limited();
  const auto forced = queue_->forced();
  const std::size_t count = limited ? forced.size() : candidates_.size();
  for (std::size_t k = shared_->next++; k < count; k = shared_->next++)
    look(limited ? forced[k] : k);
  while (limited) {
    std::uint32_t best = 0;
    {
      const LockGuard lock(shared_->queue);
      if (queue_->empty()) return true;
      if (budget.exhausted()) return false;
      best = queue_->takeBest();
    }
    look(best);
  }
  return true;
}

void Detector::report(const TimeBudget& budget) {
  detection_.forced = budget.limited() ? queue_->forced().size() : candidates_.size();
  detection_.steps = 0;
  detection_.rounds = 1;
  detection_.narrowWork = {};
  bool finished = true;
  for (const auto& refiner : refiners_) {
    detection_.steps += refiner->steps();
    detection_.rounds = std::max(detection_.rounds, 1 + refiner->rounds());
    detection_.narrowWork += refiner->work();
    finished = finished && refiner->finished();
  }
  reported_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (queue_->seen(i)) reported_.push_back(i);
  reportPairs(budget);
  queue_->end();
  detection_.postponed = queue_->postponed();
  detection_.postponedBodies = stoppable_->postponedBodies();
  detection_.complete =
      finished && detection_.postponed.empty() && detection_.postponedBodies.empty();
}

/// Each narrow phase is read by one thread at a time. Within a budget, nobody waits for a preempted
/// thread.
void Detector::reportPairs(const TimeBudget& budget) {
  detection_.pairs.resize(reported_.size());
  WorkerPool* const pool = !budget.limited() && worthSharing(budget) ? pool_ : nullptr;
  shareOut(pool, refiners_.size(), 2, [&](std::size_t r) {
    for (std::size_t k = 0; k < reported_.size(); ++k)
      if (const std::size_t i = reported_[k]; workerOf_[i] == r)
        detection_.pairs[k] = described(i, *refiners_[r], queue_->waited(i));
  });
}

DetectedPair Detector::described(std::size_t i, const Refiner& by, const Wait& waited) const {
  return {candidates_[i], by.narrow().result(i), waited, by.stepsOf(i)};
}

const Detection& Detector::repeat(std::span<const BodyState> bodies, Real time,
                                  const GrantedWork& granted) {
  NEARMISS_ASSERT(check(granted, bodies.size(), time),
                  check(granted, bodies.size(), time).error().message);
  beginDetection(bodies);
  const Clock::Duration start = stopwatch_ ? stopwatch_->now() : Clock::Duration{};

  // Begin the examined pairs, as if the broad phase had found no others
  candidates_.clear();
  for (const GrantedPair& pair : granted.pairs) candidates_.push_back(pair.bodies);
  workerOf_.assign(candidates_.size(), 0);
  for (const auto& refiner : refiners_) refiner->rest();
  Refiner& refiner = *refiners_.front();
  refiner.begin(bodies, candidates_, noLevelCap);

  // Give each pair the work granted to it
  detection_.pairs.clear();
  reported_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    refiner.repeat(i, granted.pairs[i].steps);
    reported_.push_back(i);
    detection_.pairs.push_back(described(i, refiner, Wait{}));
  }
  detection_.time = time;
  detection_.noContactBefore = granted.noContactBefore;
  detection_.postponed = granted.postponed;
  detection_.postponedBodies = granted.postponedBodies;
  detection_.complete = granted.complete;
  detection_.forced = 0;
  detection_.rounds = 1;
  detection_.steps = refiner.steps();
  detection_.broadWork = {};
  detection_.narrowWork = refiner.work();
  detection_.broadTime = {};
  detection_.narrowTime = (stopwatch_ ? stopwatch_->now() : Clock::Duration{}) - start;
  shared_->underWay = false;
  return detection_;
}

void Detector::contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const {
  out.clear();
  if (i >= reported_.size()) return;
  const std::size_t candidate = reported_[i];
  refiners_[workerOf_[candidate]]->narrow().contacts(candidate, most, out);
}

bool Detector::setOrder(RefinementOrder order, const Viewer& viewer) noexcept {
  const bool known =
      std::ranges::find(refinementOrderCatalog(), order, &RefinementOrderEntry::order) !=
      refinementOrderCatalog().end();
  // A NaN priority would leave the queue without an order
  for (int axis = 0; axis < 3; ++axis)
    if (!known || !std::isfinite(viewer.eye[axis]) || !std::isfinite(viewer.direction[axis]))
      return false;
  order_ = order;
  viewer_ = viewer;
  return true;
}

bool Detector::setResolution(Real seconds) noexcept {
  if (!(seconds > 0.0) || !std::isfinite(seconds)) return false;
  broad_->setResolution(seconds);
  return true;
}

void Detector::announceJumps(std::span<const std::uint32_t> bodies) {
  stoppable_->announceJumps(bodies);
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
