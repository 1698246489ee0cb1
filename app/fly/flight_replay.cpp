// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fly/flight_loop.h"
#include "fly/pace.h"

namespace nearmiss::app {
namespace {

/// More frames at once are a leap.
constexpr std::uint64_t mostFollowed = 16;

}  // namespace

/// How many frames are to have been flown after this turn of the loop.
std::uint64_t FlightLoop::replayTarget() {
  const engine::SessionPlayer& player = *flight_->player();
  const std::uint64_t all = player.session().frames(), at = player.position();
  if (replayWanted_) return std::clamp<std::uint64_t>(*std::exchange(replayWanted_, {}), 1, all);
  if (ui_.paused) {
    const std::int64_t steps = std::exchange(ui_.stepsAsked, 0);
    const std::int64_t to = static_cast<std::int64_t>(at) + steps;
    return static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(to, 1, static_cast<std::int64_t>(all)));
  }
  // As many recorded frames as the time that has passed is worth
  const auto measured = inRealTime() ? frameSeconds_ : std::optional<double>();
  replayDue_ += nextStep(flight_->scene(), ui_.speed(), measured).dt;
  std::uint64_t to = at;
  while (to < all && replayDue_ > 0.0) {
    replayDue_ -= std::max(flight_->frameOf(to++).dt, 1e-6);
    if (!measured) break;
  }
  if (!measured) replayDue_ = 0.0;
  return to;
}

void FlightLoop::advanceReplay() {
  const std::uint64_t at = flight_->player()->position(), to = replayTarget();
  if (to == at) return;
  account_.book(&engine::FrameProfile::input, std::chrono::steady_clock::now());
  const auto shapes = flight_->sharedShapes();
  // Frames that follow each other leave their marks and are measured; a leap begins anew
  const bool leaps = to < at || to > at + mostFollowed;
  if (leaps) resetMeasurements();
  Result<Success> replayed = Success{};
  for (std::uint64_t next = leaps ? to : at + 1; replayed && next <= to; ++next) {
    replayed = flight_->replayTo(next);
    if (!replayed) break;
    marks_.update(*flight_, markSeconds_, markLifetime());
    followRun(Clock::Duration::max());
    if (!leaps) feelHits();
  }
  if (flight_->sharedShapes() != shapes) renderer_.setShapes(flight_->shapes());
  profile_ = flight_->output().profile;
  account_.simulated(profile_, flight_->target(), std::chrono::steady_clock::now());
  advanced_ = true;

  if (!replayed) {
    ui_.paused = true;
    toasts_.add(replayed.error().message, wallSeconds(), Toasts::Kind::Warning);
  }
  if (const auto& difference = flight_->player()->difference();
      difference && !std::exchange(differenceTold_, true))
    toasts_.add(difference->text, wallSeconds(), Toasts::Kind::Warning);
  if (flight_->player()->atEnd() && !ui_.paused) {
    ui_.paused = true;
    say("replay", "the session ends here; Enter flies on, a click on the bar goes back");
  }
}

void FlightLoop::takeOverReplay() {
  show(changeover_.takeOverReplay());
  ui_.paused = false;
  resetMeasurements();
  account_.beginAt(std::chrono::steady_clock::now());
  say("replay", fmt::format("from here on you fly; {} records all of it",
                            firstKeyName(Action::RecordSession)));
}

}  // namespace nearmiss::app
