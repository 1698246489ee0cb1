// SPDX-License-Identifier: MIT
#include "fly/split/split_flight.h"

#include <algorithm>
#include <utility>

#include "fly/split/thread_time.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;

/// Without the time for which others had the core: that is no work of this flight's detector.
void takeOff(std::chrono::nanoseconds stolen, FrameProfile& profile) noexcept {
  FrameProfile::Duration left = std::max(stolen, std::chrono::nanoseconds{});
  for (const auto phase : {&FrameProfile::narrow, &FrameProfile::broad, &FrameProfile::motion,
                           &FrameProfile::response}) {
    const FrameProfile::Duration part = std::min(profile.*phase, left);
    profile.*phase -= part;
    left -= part;
  }
}

}  // namespace

Result<std::unique_ptr<SplitFlight>> SplitFlight::begin(const HalfChoice& left, Flight& right,
                                                        const Options& options) {
  auto flight = right.branch(left.narrow);
  if (!flight) return flight.error();
  // Both detectors look at everything anew
  if (auto anew = right.setMethod(right.method()); !anew) return anew.error();
  std::unique_ptr<SplitFlight> split(new SplitFlight(left, options.workers == 1));
  split->left_.emplace(*std::move(flight));
  if (!left.tree.empty()) {
    engine::Scene scene = right.scene();
    scene.tree = left.tree;
    split->growing_.grow(scene, right.sharedShapes(), options, left.tree + " trees");
  }
  return split;
}

void SplitFlight::beginTurn() noexcept {
  for (Half& half : halves_) half.advanced = half.machine.ready();
  drawn_ = false;
}

bool SplitFlight::wantsInput() const noexcept {
  return std::ranges::any_of(
      halves_, [&](const Half& half) { return half.advanced && half.frame == inputs_.frames(); });
}

void SplitFlight::fly(Flight& right, const engine::BudgetRule& rightBudget, double scale) {
  followTechnique(right);
  advance(Left, *left_, choice_.budget, scale);
  advance(Right, right, rightBudget, scale);
  inputs_.forgetBefore(std::min(halves_[Left].frame, halves_[Right].frame));
}

/// What the two have in common changes for both.
void SplitFlight::followTechnique(const Flight& right) {
  if (rightMethod_ != right.methodName()) {
    rightMethod_ = right.methodName();
    halves_[Right].statistics.reset();
  }
  if (left_->broadPhase() != right.broadPhase()) (void)left_->setBroadPhase(right.broadPhase());
  if (auto grown = growing_.take()) {
    if (!grown->loaded)
      fault_ = grown->loaded.error();
    else if (auto changed = left_->changeTrees(*std::move(grown->loaded)); !changed)
      fault_ = changed.error();
  }
  if (choice_.tree.empty() && left_->sharedShapes() != right.sharedShapes())
    (void)left_->changeTrees({right.scene(), right.sharedShapes()});
}

void SplitFlight::advance(Side side, Flight& flight, const engine::BudgetRule& budget,
                          double scale) {
  Half& half = halves_[side];
  if (!half.advanced) return;
  const engine::ClockKind clock = flight.scene().clock;
  engine::FrameInput input = inputs_.of(half.frame++);
  input.detectionBudget = half.machine.allowance(budget, scale, clock, flight.target());
  const auto wall = std::chrono::steady_clock::now();
  const auto worked = threadTime();
  if (side == Right) rightInput_ = input;
  FrameProfile profile = flight.advance(input).profile;
  if (alone_) takeOff(std::chrono::steady_clock::now() - wall - (threadTime() - worked), profile);
  half.machine.simulated(profile, scale, clock, flight.target());
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
  if (auto changed = left_->detectBy(narrow); !changed) return changed;
  choice_.narrow = narrow;
  choice_.budget = usualBudget(narrow);
  halves_[Left].statistics.reset();
  return Success{};
}

}  // namespace nearmiss::app
