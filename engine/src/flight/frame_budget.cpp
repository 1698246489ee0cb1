// SPDX-License-Identifier: MIT
#include <engine/flight/budget.h>
#include <engine/flight/frame_budget.h>
#include <engine/flight/frame_profile.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <thread>

namespace nearmiss::engine {

std::optional<BudgetRule> parseBudget(std::string_view text, BudgetRule budget) noexcept {
  if (text == "auto" || text == "inf") {
    budget.kind = text == "auto" ? BudgetRule::Kind::Auto : BudgetRule::Kind::Unlimited;
    return budget;
  }
  if (text.ends_with("us")) text.remove_suffix(2);
  if (text.ends_with(' ')) text.remove_suffix(1);
  double us = 0.0;
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, us);
  if (fault != std::errc() || end != last || !(us >= 0.0 && us <= 1e9)) return std::nullopt;
  budget.kind = BudgetRule::Kind::Fixed;
  budget.fixed = std::chrono::nanoseconds(std::llround(us * 1e3));
  return budget;
}

std::string budgetText(const BudgetRule& budget) {
  if (budget.kind == BudgetRule::Kind::Unlimited) return "inf";
  std::string text = "auto";
  if (budget.kind == BudgetRule::Kind::Fixed)
    text = fmt::format("{} us", static_cast<double>(budget.fixed.count()) * 1e-3);
  return budget.eraScale == 1.0 ? text : fmt::format("{} divided by {}", text, budget.eraScale);
}

FrameBudget::Duration FrameBudget::predictedRest() const noexcept {
  if (seen_ <= warmUp) return Duration{};
  const std::size_t known = std::min(seen_ - warmUp, window);
  Duration sum{};
  for (std::size_t i = 0; i < known; ++i) sum += rest_[i];
  return sum / static_cast<Duration::rep>(known);
}

void FrameBudget::record(Duration rest) noexcept {
  // Clamped so that the sum cannot overflow; no frame takes that long
  constexpr Duration longest = std::chrono::hours(1);
  if (seen_ >= warmUp) rest_[(seen_ - warmUp) % window] = std::clamp(rest, Duration{}, longest);
  ++seen_;
}

void FrameBudget::settle(FrameProfile& frame) noexcept {
  const Duration own = frame.frameTime - frame.watching;
  frame.missed = own > frame.target + frame.target / 100;
  record(own - frame.slack - frame.broad - frame.narrow);
}

void idleUntil(std::chrono::steady_clock::time_point end) noexcept {
  // A sleep overshoots by about 0.1 ms; spinning does not
  using std::chrono::steady_clock;
  constexpr auto spin = std::chrono::microseconds(500);
  if (steady_clock::now() < end - spin) std::this_thread::sleep_until(end - spin);
  while (steady_clock::now() < end) {
  }
}

FrameAccount::Duration FrameAccount::allowance(const BudgetRule& rule, ClockKind clock,
                                               Duration target) const noexcept {
  using Kind = BudgetRule::Kind;
  if (rule.kind == Kind::Unlimited) return Duration::max();
  const Duration whole = rule.kind == Kind::Fixed   ? rule.fixed
                         : clock == ClockKind::Work ? target
                                                    : target - predictedRest();
  const double least =
      rule.kind == Kind::Auto ? rule.minShare * static_cast<double>(target.count()) : 0.0;
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
  const Duration input = profile_.input, render = profile_.render, other = profile_.other;
  const Duration timed = simulation.motion + simulation.broad + simulation.narrow +
                         simulation.response + simulation.watching;
  profile_ = simulation;
  profile_.input = input;
  profile_.render = render;
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

FrameProfile together(const FrameProfile& before, FrameProfile last) noexcept {
  using P = FrameProfile;
  for (const auto time : {&P::spent, &P::motion, &P::broad, &P::narrow, &P::response, &P::watching})
    last.*time += before.*time;
  for (const auto count : {&P::detections, &P::detectionsSkipped, &P::pairsBroad, &P::pairsNarrow,
                           &P::pairsForced, &P::pairsPostponed, &P::bodiesPostponed,
                           &P::collisionsLate, &P::preemptions, &P::touchesEnded, &P::responses})
    last.*count += before.*count;
  for (const auto count : {&P::steps, &P::sphereTests, &P::triangleTests})
    last.*count += before.*count;
  for (std::size_t level = 0; level < last.collisions.size(); ++level) {
    last.collisions[level] += before.collisions[level];
    last.responded[level] += before.responded[level];
  }
  for (const auto most : {&P::maxPassedOver, &P::maxLate})
    last.*most = std::max(last.*most, before.*most);
  for (const auto most : {&P::longestWait, &P::worstBound, &P::medianBound})
    last.*most = std::max(last.*most, before.*most);
  last.exhausted = last.exhausted || before.exhausted;
  return last;
}

void FrameHistory::push(const FrameProfile& frame) noexcept {
  frames_[(begin_ + size_) % capacity] = frame;
  if (size_ < capacity)
    ++size_;
  else
    begin_ = (begin_ + 1) % capacity;
}

const FrameProfile& FrameHistory::operator[](std::size_t i) const noexcept {
  return frames_[(begin_ + i) % capacity];
}

}  // namespace nearmiss::engine
