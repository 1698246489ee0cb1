// SPDX-License-Identifier: MIT
#include "fly/modes/rewind_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

/// Rewinding starts at the flight's own speed and accelerates up to this factor while the key is
/// held.
constexpr double fastestBack = 4.0;

/// Why this flight cannot be rewound now; empty if it can.
std::string reasonNotToRewind(FlightContext& context) {
  if (context.modes.bench.on())
    return fmt::format("the flight waits; {} leaves the bench", localKeyName(Action::Bench));
  if (context.replays())
    return fmt::format("a replay goes back by its bar and by [{}]", firstKeyName(Action::StepBack));
  if (context.modes.passes.on()) return "a pass is shown, not the flight";
  if (context.modes.tour.on()) return "a tour cannot be rewound";
  if (context.modes.split.on())
    return fmt::format("a split view cannot be rewound. Press {} to return to one flight",
                       firstKeyName(Action::SplitView));
  const engine::SessionWriter& session = context.flightManager.session();
  if (session.writing() && !session.includesStart())
    return fmt::format("this recording cannot be rewound. Press {} to end it",
                       firstKeyName(Action::RecordSession));
  const engine::FlightPast* past = context.flight().past();
  return past && past->begin() < past->end() ? "" : "nothing earlier to rewind to";
}

}  // namespace

double RewindMode::backSpeed(const FlightContext& context) const noexcept {
  return context.ui.pace.speed() * std::min(1.0 + held_, fastestBack);
}

bool RewindMode::begin(FlightContext& context) {
  std::string why = reasonNotToRewind(context);
  if (why.empty()) {
    context.modes.tow.release();
    const Flight& flight = context.flight();
    if (auto begun = engine::Rewinder::begin(*flight.past(), flight.simulation()))
      way_.emplace(*std::move(begun));
    else
      why = begun.error().message;
  }
  refused_ = !on();
  held_ = due_ = back_ = 0.0;
  if (refused_) context.say("rewind", why);
  return on();
}

bool RewindMode::handle(FlightContext& context, Action action) {
  if (on() && !commandOf(action).isSafeIn(SafeIn::Rewind)) flyOn(context);
  return false;
}

bool RewindMode::advance(FlightContext& context) {
  if (!context.steering.rewinds || context.ui.waits()) {
    refused_ = endTold_ = false;
    if (on()) flyOn(context);
    return false;
  }
  if (!on() && (refused_ || !begin(context))) return false;
  flyBack(context);
  return true;
}

void RewindMode::flyBack(FlightContext& context) {
  Flight& flight = context.flight();
  const engine::FlightPast& past = *flight.past();
  std::uint64_t to = way_->position();
  const auto step = [&] {
    const double dt = past.frame(--to).dt;
    back_ += dt;
    due_ -= std::max(dt, 1e-6);
  };
  if (inRealTime(context)) {
    const double passed = std::min(context.times.turnSeconds, longestRealFrame);
    held_ += passed;
    due_ += passed * backSpeed(context);
    while (to > past.begin() && due_ > 0.0) step();
  } else if (to > past.begin()) {
    step();
  }
  if (to == past.begin()) {
    due_ = 0.0;
    if (!std::exchange(endTold_, true))
      context.say("rewind",
                  fmt::format("this is the earliest stored moment, {:.0f} s back", back_));
  }
  if (to == way_->position()) return;
  if (auto gone = way_->goTo(to); !gone) {
    context.warn(gone.error().message);
    refused_ = true;
    // Continue from the displayed state; later frames are dropped
    flyOn(context);
    return;
  }
  flight.show(*way_);
  // Marks and messages of frames that have been undone
  context.view.clearMarks();
  context.toasts.forget("event");
}

/// Continues from the rewound position; later frames are dropped.
void RewindMode::flyOn(FlightContext& context) {
  engine::Rewinder way = *std::exchange(way_, std::nullopt);
  Flight& flight = context.flight();
  const std::uint64_t position = way.position();
  if (position == flight.past()->end()) return;
  // Complete the current file and continue in another one
  const bool recording = closeSessionFile(context);
  // Totals count what was flown, also the frames that were undone; the prediction of frame times
  // remains valid
  context.view.clearMarks();
  context.modes.run.forgetNear();
  context.inspection.forget();
  context.times.history.clear();
  context.times.frameSeconds.reset();
  context.modes.run.flyBack(context, way);
  context.warnIfFailed(flight.resumeFrom(position));
  context.modes.ghost.beginAgain(context);
  context.times.beginFrame();
  context.say("rewind", fmt::format("{:.1f} s were undone; the flight continues at {:.1f} s", back_,
                                    flight.world().time()));
  if (recording) reopenSessionFile(context);
}

void RewindMode::describe(FlightContext& context, OverlayView& view) {
  if (!on()) return;
  view.modes.flownBack = back_;
  if (inRealTime(context)) view.modes.backSpeed = backSpeed(context);
}

}  // namespace nearmiss::app::fly
