// SPDX-License-Identifier: MIT
#include "fly/loop/frame_times.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/pace.h"

namespace nearmiss::app::fly {
namespace {

constexpr double glowSeconds = 0.5, glowFrames = 3.0;

}  // namespace

bool paced(const FlightContext& context) noexcept {
  return context.screen.vsync || !context.options.window.headless || !unattended(context.options);
}

bool inRealTime(const FlightContext& context) noexcept {
  const engine::Scene& scene = context.flight().scene();
  return !scene.fixedStep && !context.records.film && scene.clock == engine::ClockKind::Wall &&
         paced(context);
}

bool picturesRepeat(const FlightContext& context) noexcept {
  return context.records.film || context.flight().scene().clock == engine::ClockKind::Work;
}

double pictureSeconds(const FlightContext& context) noexcept {
  return picturesRepeat(context) ? context.flight().world().time() : context.times.wallSeconds();
}

double pictureStep(FlightContext& context) noexcept {
  const double now = context.flight().world().time();
  const double flown = now - std::exchange(context.times.pictureSeconds, now);
  // Without a flight the eye still follows the mouse. After a restart the time would be negative
  if (!picturesRepeat(context) || !context.times.advanced) return double{ImGui::GetIO().DeltaTime};
  return std::max(flown, 0.0);
}

void passMarkTime(FlightContext& context) noexcept {
  const UiState& ui = context.ui;
  if (ui.standsStill() && (!ui.pace.paused || ui.pace.stepsAsked == 0)) return;
  const bool meant = ui.pace.paused || picturesRepeat(context);
  context.times.markSeconds += meant ? seconds(targetOf(context.flight()))
                                     : std::min(context.times.turnSeconds, longestRealFrame);
}

double markLifetime(const FlightContext& context) noexcept {
  return std::max(glowSeconds, glowFrames * seconds(targetOf(context.flight())));
}

}  // namespace nearmiss::app::fly
