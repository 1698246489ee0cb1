// SPDX-License-Identifier: MIT
#include "fly/split/imagined_machine.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app {
namespace {

using engine::FrameProfile;
using Duration = FrameProfile::Duration;

Duration times(Duration duration, double scale) noexcept {
  constexpr double longest = 1e17;
  return Duration(std::llround(std::min(static_cast<double>(duration.count()) * scale, longest)));
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
  // As much as a frame may last without being late
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

}  // namespace nearmiss::app
