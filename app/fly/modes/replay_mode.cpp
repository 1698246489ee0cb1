// SPDX-License-Identifier: MIT
#include "fly/modes/replay_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;

/// More frames at once count as a jump.
constexpr std::uint64_t maxFollowed = 16;

}  // namespace

bool ReplayMode::refuses(FlightContext& context) {
  if (!context.replays()) return false;
  context.say("replay", "a replay cannot be changed. Press Enter to fly on from here");
  return true;
}

bool ReplayMode::handle(FlightContext& context, Action action) {
  if (!context.replays()) return false;
  UiState& ui = context.ui;
  if (commandOf(action).refusedInReplay) return refuses(context);
  if (action == Action::StepBack) {
    ui.pace.paused = true;
    --ui.pace.pendingSteps;
    return true;
  }
  // Enter first answers questions; on the bench it does not fly on
  if (action != Action::Confirm || ui.pages.quitQuestion || context.modes.bench.on()) return false;
  endReplay(context);
  return true;
}

/// Returns the number of frames to reach in this turn of the loop.
std::uint64_t ReplayMode::target(FlightContext& context) {
  Flight& flight = context.flight();
  UiState& ui = context.ui;
  const std::uint64_t all = flight.player()->session().frames(), at = flight.player()->position();
  if (wanted_) return std::clamp<std::uint64_t>(*std::exchange(wanted_, {}), 1, all);
  if (ui.pace.paused) {
    const std::int64_t steps = std::exchange(ui.pace.pendingSteps, 0);
    const std::int64_t to = static_cast<std::int64_t>(at) + steps;
    return static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(to, 1, static_cast<std::int64_t>(all)));
  }
  if (ui.waits()) return at;
  // The recorded frames that fit in the elapsed time
  const auto measured = inRealTime(context) ? context.times.frameSeconds : std::optional<double>();
  due_ += nextStep(flight.scene(), ui.pace.speed(), measured).dt;
  std::uint64_t to = at;
  while (to < all && due_ > 0.0) {
    due_ -= std::max(flight.player()->session().frame(to++).dt, 1e-6);
    if (!measured) break;
  }
  if (!measured) due_ = 0.0;
  return to;
}

bool ReplayMode::advance(FlightContext& context) {
  if (!context.replays()) return false;
  ageMarks(context);
  Flight& flight = context.flight();
  FrameTimes& times = context.times;
  const std::uint64_t at = flight.player()->position(), to = target(context);
  if (to == at) return true;
  times.book(&FrameProfile::input);
  // Consecutive frames keep marks and measurements; a jump discards both
  const bool leaps = to < at || to > at + maxFollowed;
  if (leaps) context.resetMeasurements();
  Result<Success> replayed = Success{};
  FrameProfile turn;
  const std::uint64_t from = leaps ? context.modes.run.replayFrom(to) : at;
  for (std::uint64_t next = from + 1; replayed && next <= to; ++next) {
    replayed = flight.replayTo(next);
    if (!replayed) break;
    mark(context);
    context.modes.run.follow(context, Clock::Duration::max(), !leaps || next == to);
    if (!leaps) showHits(context);
    turn = engine::together(turn, flight.output().profile);
  }
  times.profile = turn;
  times.account.simulated(times.profile, targetOf(flight), std::chrono::steady_clock::now());
  times.advanced = true;

  if (!replayed) {
    context.ui.pace.paused = true;
    context.warn(replayed.error().message);
  }
  if (const auto& difference = flight.player()->difference();
      difference && !std::exchange(differenceTold_, true))
    context.warn(difference->text);
  reportEnd(context);
  return true;
}

void ReplayMode::reportEnd(FlightContext& context) {
  if (!context.flight().player()->atEnd() || context.ui.pace.paused) return;
  context.ui.pace.paused = true;
  context.say("replay",
              "the session ends here. Press Enter to fly on, or click on the bar to go back");
}

void ReplayMode::endReplay(FlightContext& context) {
  context.modes.run.endReplay();
  context.show(context.flightManager.endReplay());
  context.ui.pace.paused = false;
  context.resetMeasurements();
  context.times.beginFrame();
  context.say("replay",
              fmt::format("you are flying now; {} records", firstKeyName(Action::RecordSession)));
}

void ReplayMode::describe(FlightContext& context, OverlayView& view) {
  if (const engine::SessionPlayer* player = context.flight().player())
    view.modes.replay = {player->position(), player->session().frames(),
                         player->session().collisions()};
}

}  // namespace nearmiss::app::fly
