// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <engine/flight/pair_calls.h>
#include <engine/flight/simulation.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "flight/frame_course.h"
#include "flight/not_examined.h"

namespace nearmiss::engine {
namespace {

constexpr Clock::Duration unlimited = Clock::Duration::max();

/// Shorter frames end soon and are never cancelled.
constexpr Real fewStrides = 100.0;

/// The eye of the view; otherwise that of the ship, along its nose.
Viewer viewerOf(const FrameInput& input, const BodyState* ship) noexcept {
  if (input.view) return {input.view->eye, input.view->direction};
  if (!ship) return {};
  return {ship->pose.position, ship->pose.rotation * Vec3(0.0, 0.0, -1.0)};
}

/// Adds contacts of `reference` that `driver` reported as Separate.
void addMissed(const Detection& reference, const Detection& driver, std::vector<BodyPair>& missed) {
  const auto leftOut = [&driver](std::uint32_t body) {
    return std::ranges::find(driver.postponedBodies, body, &PostponedBody::body) !=
           driver.postponedBodies.end();
  };
  // All lists are sorted by pair
  auto seen = driver.pairs.begin();
  for (const DetectedPair& truth : reference.pairs) {
    if (truth.refinement.verdict != Verdict::Contact) continue;
    while (seen != driver.pairs.end() && seen->bodies < truth.bodies) ++seen;
    const bool listed = seen != driver.pairs.end() && seen->bodies == truth.bodies;
    const bool found = listed && seen->refinement.verdict != Verdict::Separate;
    if (!found && !wasNotExamined(driver, truth.bodies, listed, leftOut))
      missed.push_back(truth.bodies);
  }
}

}  // namespace

Simulation::Simulation(World world, ShipId user, DronePilots pilots,
                       std::unique_ptr<Detector> detector, Clock& budgetClock, Shapes solids,
                       Shots shots)
    : Simulation({std::move(world), std::move(pilots), {}, {}, DetectionDriver(), std::move(shots)},
                 user, std::move(detector), budgetClock, std::move(solids)) {}

Simulation::Simulation(Snapshot now, ShipId user, std::unique_ptr<Detector> detector,
                       Clock& budgetClock, Shapes solids)
    : now_(std::move(now)),
      user_(user),
      detector_(std::move(detector)),
      budgetClock_(&budgetClock),
      collisions_(std::move(solids)) {}

void Simulation::setDetector(std::unique_ptr<Detector> detector) {
  nextDetector_ = std::move(detector);
}

void Simulation::setReference(std::unique_ptr<Detector> reference) {
  nextReference_ = std::move(reference);
}

void Simulation::shareWork(WorkerPool* pool) noexcept {
  pool_ = pool;
  poolChanged_ = true;
}

const FrameOutput& Simulation::advance(const FrameInput& input) {
  adoptDetectors();
  std::optional<Snapshot> before;
  const auto promise = [this] { return now_.world.ships().shortestPromise(); };
  if (cancelled_ && stridesOf(input, promise()) > fewStrides) before = snapshot();
  detector_->setLevelCap(input.levelCap);
  detector_->setTightening(input.tighten);
  detector_->setCoherence(input.coherence);
  const bool flies = now_.world.ships().ids().contains(user_);
  detector_->setOrder(input.order,
                      viewerOf(input, flies ? &now_.world.states()[userIndex()] : nullptr));
  collisions_.clear();
  missed_.clear();
  output_ = FrameOutput{};
  FrameProfile& profile = output_.profile;
  profile.frame = now_.frame;
  profile.detector = detector_->narrowPhase().name();
  profile.budget = input.detectionBudget;

  const Clock::Duration start = wall_.now();
  steer(input);
  rank(input);
  profile.motion += wall_.now() - start;

  const std::size_t endedBefore = now_.touches.ended();
  FrameCourse course(input, now_.world.time(), promise());
  course.cancellable = before.has_value();
  if (course.step > 0.0) detector_->setResolution(course.step);
  fly(input, course);
  if (output_.cancelled) return giveUp(*before);

  collisions_.summarise(profile);
  profile.simTime = now_.world.time();
  profile.ships = static_cast<std::uint32_t>(now_.world.states().size());
  profile.detectionsSkipped = course.steps - std::min(course.steps, profile.detections);
  profile.nextDetection = now_.driver.next(course.step);
  now_.touches.advanceTo(now_.world.time());
  profile.touchesEnded = static_cast<std::uint32_t>(now_.touches.ended() - endedBefore);
  profile.touching = static_cast<std::uint32_t>(now_.touches.now().size());
  output_.bodies = now_.world.states();
  output_.shots = now_.shots.count();
  output_.detection = &detector_->last();
  output_.reference = reference_ ? &reference_->last() : nullptr;
  output_.collisions = collisions_.begun();
  output_.granted = std::span(granted_).first(profile.detections);
  output_.touches = now_.touches.now();
  output_.missedByDriver = missed_;
  ++now_.frame;
  return output_;
}

const FrameOutput& Simulation::giveUp(const Snapshot& before) {
  restore(before);
  output_ = FrameOutput{};
  output_.cancelled = true;
  output_.bodies = now_.world.states();
  return output_;
}

Snapshot Snapshot::copy() const {
  return {world.copy(),       pilots,    touches, struck, driver, shots,
          importanceAssigned, jumpsSeen, frame};
}

Snapshot Simulation::snapshot() const {
  Snapshot taken = now_.copy();
  // A new detector starts without promises, as in advance()
  if (nextDetector_) taken.driver.restart(taken.world.time());
  return taken;
}

void Simulation::restore(const Snapshot& past) {
  // Before the copy, because adopting a detector restarts the driver of the current state
  adoptDetectors();
  now_ = past.copy();
  // Ships of another branch may have the same time and motion epochs. A call without bodies
  // discards the bounds of the broad phase. If a detector runs out of memory, its next detection
  // fails
  for (Detector* each : {detectorIsNew_ ? nullptr : detector_.get(), reference_.get()})
    if (each && each->isUsable())
      static_cast<void>(orOutOfMemory("cannot forget bounds", [&]() -> Result<Success> {
        each->detect({}, now_.world.time(), TimeBudget::unlimited());
        return Success{};
      }));
  // It is unknown which ships have jumped since
  detectorIsNew_ = poolChanged_ = true;
}

std::unique_ptr<Simulation> Simulation::twin(const Snapshot& past,
                                             std::unique_ptr<Detector> detector,
                                             Clock& clock) const {
  return std::unique_ptr<Simulation>(
      new Simulation(past.copy(), user_, std::move(detector), clock, collisions_.solids()));
}

void Simulation::rank(const FrameInput& input) {
  // Without a limit no pair waits, so importance does not matter
  const bool matters = input.detectionBudget != unlimited;
  if (!now_.world.ships().ids().contains(user_) || !(matters || now_.importanceAssigned)) return;
  const ImportanceRule all{std::numeric_limits<Real>::infinity()};
  assignImportance(now_.world.ships(), userIndex(), matters ? input.importance : all, input.view,
                   pool_);
  now_.importanceAssigned = matters;
}

void Simulation::fly(const FrameInput& input, FrameCourse& course) {
  FrameProfile& profile = output_.profile;
  noticeJumps();
  while (const auto time = course.nextDetection(now_.driver, input.instants, profile.detections)) {
    watchUntil(course, *time, true);
    moveTo(course, *time);
    if (output_.cancelled) return;

    // Later detections get the rest of the budget
    const Clock::Duration left = input.detectionBudget - profile.spent;
    detect(input,
           input.detectionBudget == unlimited ? unlimited : left / course.detectionsFrom(*time));
    watch();
    const Clock::Duration responding = wall_.now();
    const Detection& found = detector_->last();
    now_.touches.take(found);
    collisions_.respond(now_.world.ships(), found, now_.touches, input.response, now_.struck, pool_,
                        profile);
    profile.response += wall_.now() - responding;

    // The driver needs no restart after responses: pairs that met invalidate its contact-free time
    now_.jumpsSeen = now_.world.ships().jumps().count();
    if (!(now_.driver.next(course.step) > *time)) break;
  }
  const bool seen = !(now_.driver.detected() < course.end - course.slack());
  watchUntil(course, course.end, seen);
  moveTo(course, course.end);
}

void Simulation::moveTo(const FrameCourse& course, Real time) {
  const Clock::Duration moving = wall_.now();
  while (now_.world.time() < time) {
    if (!(now_.world.time() < now_.world.predictedUntil())) {
      output_.cancelled = output_.cancelled || (course.cancellable && *cancelled_);
      if (output_.cancelled) break;
      now_.world.predict(course.stride);
    }
    const Real before = now_.world.time();
    now_.world.moveTo(std::min(time, now_.world.predictedUntil()));
    if (!(now_.world.time() > before)) break;  // the step is lost in rounding at this time
  }
  noticeJumps();
  output_.profile.motion += wall_.now() - moving;
}

/// Runs the reference at the fixed steps up to `time` that the driver skips as contact-free, to
/// check that nothing touches. `seen`: there is a detection at `time` itself.
void Simulation::watchUntil(FrameCourse& course, Real time, bool seen) {
  for (; course.watched < course.steps; ++course.watched) {
    const Real due = course.start + (course.watched + 1) * course.step;
    if (due > time + course.slack()) return;
    const bool skipped = !seen || due < time - course.slack();
    if (!skipped || !(due < now_.driver.noContactBefore()) || !reference_) continue;
    moveTo(course, std::min(due, time));
    if (output_.cancelled) return;
    watch();
  }
}

void Simulation::adoptDetectors() {
  if (nextDetector_) {
    detector_ = std::exchange(nextDetector_, nullptr);
    detectorIsNew_ = poolChanged_ = true;
    now_.driver.restart(now_.world.time());
  }
  if (nextReference_) {
    reference_ = *std::exchange(nextReference_, std::nullopt);
    poolChanged_ = true;
  }
  if (std::exchange(poolChanged_, false)) {
    now_.world.shareWork(pool_);
    detector_->shareWork(pool_);
    if (reference_) reference_->shareWork(pool_);
  }
  detector_->setStopwatch(&wall_);
}

void Simulation::noticeJumps() noexcept {
  const std::uint64_t jumps = now_.world.ships().jumps().count();
  if (now_.jumpsSeen == jumps) return;
  now_.jumpsSeen = jumps;
  now_.driver.restart(now_.world.time());
}

void Simulation::steer(const FrameInput& input) {
  Ships& ships = now_.world.ships();
  now_.shots.act(ships, user_, input.acts);
  if (ships.ids().contains(user_)) {
    ships.setControl(userIndex(), input.control);
    if (input.stopShip) (void)ships.setVelocity(userIndex(), Vec3(0.0));
  }
  now_.pilots.steer(ships, now_.struck, pool_);
  steerShips(ships, user_, input.acts);
  now_.struck.clear();
}

void Simulation::detect(const FrameInput& input, Clock::Duration allowance) {
  const Clock::Duration start = budgetClock_->now();
  const Detection& found = askDetector(input, allowance);
  now_.driver.take(found);
  output_.profile.spent += budgetClock_->now() - start;
  if (granted_.size() <= output_.profile.detections) granted_.emplace_back();
  granted_[output_.profile.detections].take(found);
  ++output_.profile.detections;
  account(found);
}

const Detection& Simulation::askDetector(const FrameInput& input, Clock::Duration allowance) {
  Ships& ships = now_.world.ships();
  const std::size_t detection = output_.profile.detections;
  // A repeated detection examines no bodies, so the jumps remain for the next real one
  if (input.repeated && detection < input.repeated->size())
    return detector_->repeat(ships.states(), ships.time(), (*input.repeated)[detection]);
  // Count work even without a limit
  const TimeBudget budget(*budgetClock_, input.repeated ? unlimited : allowance);
  // Within a budget, do not compare all states to find jumps
  if (const auto jumped = ships.jumps().ships(); jumped && budget.limited() && !detectorIsNew_)
    detector_->announceJumps(*jumped);
  ships.forgetJumps();
  detectorIsNew_ = false;
  return detector_->detect(ships.states(), ships.time(), budget);
}

void Simulation::account(const Detection& found) {
  FrameProfile& profile = output_.profile;
  profile.broad += found.broadTime;
  profile.narrow += found.narrowTime;
  profile.exhausted = profile.exhausted || !found.complete;
  profile.steps += found.steps;
  profile.sphereTests += found.broadWork.boundTests + found.narrowWork.boundTests;
  profile.triangleTests += found.broadWork.triangleTests + found.narrowWork.triangleTests;
  profile.pairsBroad += static_cast<std::uint32_t>(found.pairs.size());
  for (const DetectedPair& pair : found.pairs)
    profile.pairsNarrow += pair.refinement.verdict != Verdict::Separate;
  profile.pairsForced += static_cast<std::uint32_t>(found.forced);
  profile.pairsPostponed += static_cast<std::uint32_t>(found.postponed.size());
  profile.bodiesPostponed += static_cast<std::uint32_t>(found.postponedBodies.size());
  const auto note = [&](const Wait& wait) {
    profile.longestWait = std::max(profile.longestWait, found.time - wait.since);
    profile.maxPassedOver = std::max(profile.maxPassedOver, wait.detections);
  };
  for (const PostponedPair& pair : found.postponed) note(pair.wait);
  for (const PostponedBody& body : found.postponedBodies) note(body.wait);
}

void Simulation::watch() {
  if (!reference_ && !pairCalls_) return;
  const Clock::Duration start = wall_.now();
  const Detection& driven = detector_->last();
  if (reference_) {
    const Detection& truth =
        reference_->detect(now_.world.states(), now_.world.time(), TimeBudget::unlimited());
    addMissed(truth, driven, missed_);
  }
  if (pairCalls_ && driven.time == now_.world.time())
    pairCalls_->record(now_.frame, output_.profile.detections - 1, now_.world.states(),
                       driven.pairs);
  output_.profile.watching += wall_.now() - start;
}

}  // namespace nearmiss::engine
