// SPDX-License-Identifier: MIT
#include <engine/flight/frame_account.h>

#include <algorithm>

namespace nearmiss::engine {

FrameAccount::Duration FrameAccount::allowance(const BudgetRule& rule, ClockKind clock,
                                               Duration target) const noexcept {
  using Kind = BudgetRule::Kind;
  if (rule.kind == Kind::Unlimited) return Duration::max();
  const Duration whole = rule.kind == Kind::Fixed   ? rule.fixed
                         : clock == ClockKind::Work ? target
                                                    : target - predictedRest();
  const double least =
      rule.kind == Kind::Auto ? rule.leastShare * static_cast<double>(target.count()) : 0.0;
  constexpr double longest = 1e18;
  const double scaled =
      std::max(static_cast<double>(whole.count()), least) / std::max(rule.eraScale, 1e-6);
  return Duration(static_cast<Duration::rep>(std::clamp(scaled, 0.0, longest)));
}

void FrameAccount::book(Phase phase, Time now) noexcept {
  profile_.*phase += now - booked_;
  booked_ = now;
}

void FrameAccount::simulated(const FrameProfile& simulation, Duration target, Time now) noexcept {
  const Duration input = profile_.input, other = profile_.other;
  const Duration timed = simulation.motion + simulation.broad + simulation.narrow +
                         simulation.response + simulation.watching;
  profile_ = simulation;
  profile_.input = input;
  profile_.target = target;
  profile_.predictedRest = predictedRest();
  profile_.other = other + (now - booked_) - timed;
  booked_ = now;
  simulated_ = true;
}

void FrameAccount::beginAt(Time now) noexcept {
  began_ = booked_ = now;
  profile_ = {};
  simulated_ = false;
}

const FrameProfile* FrameAccount::end(Time now) noexcept {
  book(&FrameProfile::other, now);
  if (!simulated_) {
    beginAt(now);
    return nullptr;
  }
  if (!first_) first_ = began_;
  ended_ = profile_;
  ended_.frameTime = now - began_;
  ended_.wallSeconds = std::chrono::duration<double>(began_ - *first_).count();
  beginAt(now);
  budget_.settle(ended_);
  return &ended_;
}

}  // namespace nearmiss::engine
