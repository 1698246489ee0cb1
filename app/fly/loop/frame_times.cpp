// SPDX-License-Identifier: MIT
#include "fly/loop/frame_times.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "fly/flight_context.h"

namespace nearmiss::app::fly {

namespace {

constexpr double glowSeconds = 0.5, glowFrames = 3.0;

}  // namespace

bool SlowDrawingAlert::isDue(bool tooSlow, bool calm, double frameSeconds) noexcept {
  constexpr double enough = 2.0;
  seconds_ = tooSlow && calm ? seconds_ + frameSeconds : 0.0;
  return seconds_ >= enough && !std::exchange(shown_, true);
}

bool paced(const FlightContext& context) noexcept {
  if (context.script && context.options.window.headless) return false;
  return context.screen.vsync || !context.options.window.headless || !unattended(context.options);
}

bool inRealTime(const FlightContext& context) noexcept {
  // A script's clock ticks in equal frames
  if (context.script) return true;
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

void ageMarks(FlightContext& context) noexcept {
  const UiState& ui = context.ui;
  if (ui.isFrozen() && (!ui.pace.paused || ui.pace.pendingSteps == 0)) return;
  const bool meant = ui.pace.paused || picturesRepeat(context);
  context.times.markSeconds += meant ? seconds(targetOf(context.flight()))
                                     : std::min(context.times.turnSeconds, longestRealFrame);
}

double markLifetime(const FlightContext& context) noexcept {
  return std::max(glowSeconds, glowFrames * seconds(targetOf(context.flight())));
}

FrameStep nextStep(const engine::Scene& scene, double speed,
                   std::optional<double> frameSeconds) noexcept {
  const double longest = std::max(longestRealFrame, 2e-3 * scene.frameMs);
  const double seconds =
      frameSeconds ? std::clamp(*frameSeconds, 0.0, longest) : engine::frameStep(scene);
  // Above normal speed, use more detections so that no touch is too short to be detected. The
  // tolerance avoids an additional detection for a measured frame that is slightly too long
  const double forgiven = frameSeconds ? 1.05 : 1.0;
  return {std::min(seconds * speed, engine::maxFrameSeconds),
          scene.detectStep * std::min(1.0, speed) * forgiven};
}

Pace paceOf(const engine::FrameHistory& history) noexcept {
  // A frame moves the world by the duration of its predecessor
  const std::size_t n = history.size();
  if (n < 2) return {};
  double wall = 0.0;
  std::size_t first = n;
  // Not across a jump back in time
  while (first > 1 && wall < 1.0 && history[first - 2].simTime <= history[first - 1].simTime) {
    --first;
    wall += std::chrono::duration<double>(history[first].frameTime).count();
  }
  if (!(wall > 0.0)) return {};
  const double simulated = history[n - 1].simTime - history[first - 1].simTime;
  return {simulated / wall, static_cast<double>(n - first) / wall};
}

}  // namespace nearmiss::app::fly
