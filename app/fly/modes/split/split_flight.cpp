// SPDX-License-Identifier: MIT
#include "fly/modes/split/split_flight.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;
using Duration = FrameProfile::Duration;

Duration times(Duration duration, double scale) noexcept {
  constexpr double maxNanoseconds = 1e17;
  return Duration(
      std::llround(std::min(static_cast<double>(duration.count()) * scale, maxNanoseconds)));
}

/// CPU time of this thread.
std::chrono::nanoseconds threadTime() noexcept {
  std::timespec time{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Subtracts preemption, which is not work of this flight's detector.
void subtractStolen(std::chrono::nanoseconds stolen, FrameProfile& profile) noexcept {
  FrameProfile::Duration left = std::max(stolen, std::chrono::nanoseconds{});
  for (const auto phase : {&FrameProfile::narrow, &FrameProfile::broad, &FrameProfile::motion,
                           &FrameProfile::response}) {
    const FrameProfile::Duration part = std::min(profile.*phase, left);
    profile.*phase -= part;
    left -= part;
  }
}

}  // namespace

Duration ImaginedMachine::allowance(engine::BudgetRule rule, double scale, engine::ClockKind clock,
                                    Duration target) const noexcept {
  rule.eraScale = scale;
  return account_.allowance(rule, clock, target);
}

void ImaginedMachine::simulated(const FrameProfile& profile, double scale, engine::ClockKind clock,
                                Duration target) noexcept {
  FrameProfile there = profile;
  if (clock == engine::ClockKind::Work) {
    there.motion = there.response = there.broad = Duration{};
    there.narrow = profile.spent;
  }
  there.broad = times(there.broad, scale);
  there.narrow = times(there.narrow, scale);
  there.spent = times(profile.spent, scale);
  if (profile.budget != Duration::max()) there.budget = times(profile.budget, scale);
  there.watching = Duration{};
  now_ += there.motion + there.broad + there.narrow + there.response;
  account_.simulated(there, target, now_);
}

void ImaginedMachine::drew(Duration render) noexcept {
  now_ += render;
  account_.book(&FrameProfile::render, now_);
}

const FrameProfile* ImaginedMachine::endTurn(Duration target) noexcept {
  // Maximum frame time that is not late
  constexpr std::int64_t forgiven = 100;
  const Duration worked = now_ - account_.began();
  owed_ += worked;
  if (worked < target) {
    now_ += target - worked;
    account_.book(&FrameProfile::slack, now_);
  }
  owed_ = owed_ <= target + target / forgiven ? Duration{} : owed_ - target;
  return account_.end(now_);
}

Result<std::unique_ptr<SplitFlight>> SplitFlight::begin(const HalfChoice& left, Flight& right,
                                                        const Options& options) {
  auto flight = right.branch(left.narrow);
  if (!flight) return flight.error();
  // Both detectors start without state
  if (auto made = right.setMethod(right.inUse().method); !made) return made.error();
  std::unique_ptr<SplitFlight> split(new SplitFlight(left, options.workers == 1));
  split->left_.emplace(*std::move(flight));
  if (!left.tree.empty()) {
    engine::Scene scene = right.scene();
    scene.tree = left.tree;
    split->worker_.startBuild(scene, right.sharedShapes(), options, left.tree + " trees");
  }
  return split;
}

void SplitFlight::beginTurn() noexcept {
  for (Half& half : halves_) half.advanced = half.machine.ready();
  drawn_ = false;
}

bool SplitFlight::needsInput() const noexcept {
  return std::ranges::any_of(
      halves_, [&](const Half& half) { return half.advanced && half.frame == inputs_.frames(); });
}

void SplitFlight::fly(Flight& right, const engine::BudgetRule& rightBudget, double scale) {
  followTechnique(right);
  // The settings of the right half apply to both
  const Duration target = targetOf(right);
  engine::BudgetRule leftBudget = choice_.budget;
  leftBudget.minShare = right.scene().budget.minShare;
  advance(Left, *left_, leftBudget, scale, target);
  advance(Right, right, rightBudget, scale, target);
  inputs_.forgetBefore(std::min(halves_[Left].frame, halves_[Right].frame));
}

/// Applies changed settings to both halves.
void SplitFlight::followTechnique(const Flight& right) {
  if (rightMethod_ != right.inUse().narrow) {
    rightMethod_ = right.inUse().narrow;
    halves_[Right].statistics.reset();
  }
  if (left_->inUse().broad != right.inUse().broad) (void)setBroadPhase(*left_, right.inUse().broad);
  if (auto rebuilt = worker_.take()) {
    if (!rebuilt->loaded)
      fault_ = rebuilt->loaded.error();
    else if (auto changed = left_->changeTrees(*std::move(rebuilt->loaded)); !changed)
      fault_ = changed.error();
  }
  if (choice_.tree.empty() && left_->sharedShapes() != right.sharedShapes())
    (void)left_->changeTrees({right.scene(), right.sharedShapes()});
}

void SplitFlight::advance(Side side, Flight& flight, const engine::BudgetRule& budget, double scale,
                          Duration target) {
  Half& half = halves_[side];
  if (!half.advanced) return;
  const engine::ClockKind clock = flight.scene().clock;
  engine::FrameInput input = inputs_.of(half.frame++);
  input.detectionBudget = half.machine.allowance(budget, scale, clock, target);
  const auto wall = std::chrono::steady_clock::now();
  const auto worked = threadTime();
  if (side == Right) rightInput_ = input;
  FrameProfile profile = flight.advance(input).profile;
  if (alone_)
    subtractStolen(std::chrono::steady_clock::now() - wall - (threadTime() - worked), profile);
  half.machine.simulated(profile, scale, clock, target);
}

void SplitFlight::drew(std::chrono::nanoseconds render) noexcept {
  if (std::exchange(drawn_, true)) return;
  for (Half& half : halves_)
    if (half.advanced) half.machine.drew(render);
}

void SplitFlight::endTurn(std::chrono::nanoseconds target) noexcept {
  for (Half& half : halves_)
    if (const FrameProfile* ended = half.machine.endTurn(target)) {
      half.history.push(*ended);
      half.statistics.add(*ended);
    }
}

Result<Success> SplitFlight::setLeft(const std::string& narrow) {
  if (auto changed = detectBy(*left_, narrow); !changed) return changed;
  choice_.narrow = narrow;
  choice_.budget = defaultBudget(narrow);
  halves_[Left].statistics.reset();
  return Success{};
}

}  // namespace nearmiss::app::fly
