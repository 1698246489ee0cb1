// SPDX-License-Identifier: MIT
#include "fly/loop/loop.h"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "fly/choices/detection_choice.h"
#include "fly/loop/frame_times.h"
#include "fly/loop/hearing.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;

constexpr std::chrono::milliseconds idleFrame{16};

Screen screenOf(Window& window) {
  return {&window, window.width(), window.height(), window.vsync(), driverInfo()};
}

}  // namespace

Loop::Loop(const Options& options, Window window, Renderer renderer,
           std::unique_ptr<engine::SessionPlayer> player, SettingsMemory memory)
    : window_(std::move(window)),
      canvas_(std::move(renderer)),
      context_(options, screenOf(window_), std::move(memory)),
      player_(std::move(player)) {
  // Not needed for pictures and measurements
  if (options.window.headless) return;
  context_.sound.open();
  context_.input.startGamepad();
}

void Loop::play(KeyScript script) {
  context_.script = std::move(script);
  context_.times.scripted = 0.0;
}

int Loop::run() {
  begin();
  while (!context_.ending.stopped) {
    poll();
    advance();
    draw();
    wait();
    if (reachedEnd()) context_.stop();
  }
  return end();
}

void Loop::begin() {
  if (player_)
    context_.show(context_.flightManager.replay(std::move(player_)));
  else
    context_.flightManager.load(context_.options.scene, "Loading the scene");
  // In the meantime models load. An error is reported when a diagram is requested
  (void)context_.diagram.prepare();
}

/// Processes user input and the results of other threads.
void Loop::poll() {
  context_.times.advanced = false;
  handleUserInput(context_);
  playScript(context_);
  reportScreenshots(context_);
  if (const auto change = context_.flightManager.poll()) context_.show(*change);
  context_.modes.split.pursue(context_);
}

void Loop::advance() {
  if (!context_.hasFlight() || context_.ending.stopped) return;
  // A minimised window draws nothing, so wait if pictures are needed
  if (window_.minimised() && needsEveryPicture(context_)) return;
  // `--frames` may be 0
  if (reachedEnd()) return context_.stop();
  for (Mode* mode : context_.modes.all())
    if (mode->advance(context_)) return;
}

void Loop::draw() {
  if (window_.minimised()) {
    SDL_Delay(10);
    return;
  }
  context_.screen.width = window_.width();
  context_.screen.height = window_.height();
  glViewport(0, 0, context_.screen.width, context_.screen.height);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  context_.input.placePointer();
  if (context_.script) ImGui::GetIO().DeltaTime = static_cast<float>(scriptStep(context_));
  ImGui::NewFrame();
  const std::optional<OverlayView> view = layPanels(context_, canvas_);
  if (context_.hasFlight()) {
    for (Mode* mode : context_.modes.all())
      if (mode->draw(context_, canvas_)) break;
  } else {
    Canvas::clear();
  }
  writeScreen(context_, canvas_, view);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

  hear(context_);
  // Finish drawing now, so that it does not delay the next detection
  glFinish();
  addToFilm(context_, canvas_, true);
  takeScreenshot(context_, canvas_);
  if (const std::string title = titleOf(context_); title != title_) {
    title_ = title;
    window_.setTitle(title_);
  }
}

/// Shows the picture and waits until the end of the frame's target time.
void Loop::wait() {
  FrameTimes& times = context_.times;
  engine::FrameAccount& account = times.account;
  times.book(&FrameProfile::render);
  window_.swap();
  // With vsync the driver waits
  times.book(window_.vsync() ? &FrameProfile::slack : &FrameProfile::swap);
  const auto watching = times.advanced ? times.profile.watching : FrameProfile::Duration{};
  // Watching is not part of the frame, so the end of the wait moves by its time
  const auto target =
      context_.hasFlight() ? targetOf(context_.flight()) : FrameProfile::Duration(idleFrame);
  if (paced(context_) && !window_.vsync()) engine::idleUntil(account.began() + target + watching);
  const auto began = account.began(), end = std::chrono::steady_clock::now();
  account.book(&FrameProfile::slack, end);
  const FrameProfile* ended = account.end(end);
  times.turnSeconds = seconds(end - began);
  times.frameSeconds = times.turnSeconds - seconds(watching);
  if (context_.script) passScriptTime();
  if (ended) endFrame(*ended);
}

/// A script's frames have equal lengths, and loading takes no time.
void Loop::passScriptTime() {
  FrameTimes& times = context_.times;
  times.turnSeconds = scriptRuns(context_) ? scriptStep(context_) : 0.0;
  times.frameSeconds = times.turnSeconds;
  times.scripted = times.wallSeconds() + times.turnSeconds;
}

/// Records the times of a frame; a split view uses its own machines.
void Loop::endFrame(const FrameProfile& ended) {
  FrameTimes& times = context_.times;
  Flight& flight = context_.flight();
  times.profile = ended;
  times.history.push(ended);
  times.statistics.add(ended);
  context_.records.recorder.add(ended, flight.calls());
  ++times.framesFlown;
  // Pictures of repeatable flights must not depend on measured times
  if (flight.scene().clock == engine::ClockKind::Wall)
    canvas_.fit(ended, seconds(targetOf(flight)));
  warnIfTooSlow(seconds(ended.frameTime));
}

void Loop::warnIfTooSlow(double frameSeconds) {
  const auto rest = context_.times.account.predictedRest(), target = targetOf(context_.flight());
  FlightModes& modes = context_.modes;
  const bool calm = !context_.ui.isFrozen() && !context_.ui.pages.pageOpen() &&
                    !context_.replays() && !context_.script && !modes.tour.on() &&
                    !modes.bench.on() && !modes.photo.on() && !modes.rewind.on();
  if (!slowDrawing_.isDue(rest >= target, calm, frameSeconds)) return;
  const double took = 1e3 * seconds(rest);
  const std::string words = fmt::format("drawing alone takes {}, longer than the target of {}",
                                        formatTime(took), formatTime(1e3 * seconds(target)));
  const auto enough = std::ranges::find_if(targets, [&](double ms) { return ms > 1.1 * took; });
  if (enough == targets.end()) {
    context_.warn(words + ": a smaller window or fewer drones are drawn sooner");
    return;
  }
  context_.toasts.offer(
      "late", words, "Target " + formatTime(*enough),
      [ms = *enough](FlightContext& context) { selectTarget(context, ms); },
      context_.times.wallSeconds(), Toasts::Kind::Warning);
}

bool Loop::reachedEnd() const noexcept {
  if (!context_.hasFlight()) return false;
  const Options& options = context_.options;
  if (options.frames && context_.times.framesFlown >= *options.frames) return true;
  const Flight& flight = context_.flight();
  if (const engine::SessionPlayer* player = flight.player())
    return options.window.headless && player->atEnd();
  const auto& limit = flight.scene().simSeconds;
  // Half a step tolerates rounding over many steps
  return limit && flight.world().time() + 0.5 * engine::frameStep(flight.scene()) > *limit;
}

int Loop::end() {
  int& exitCode = context_.ending.exitCode;
  ScreenshotWorker& screenshots = context_.records.screenshots;
  screenshots.wait();
  while (const auto shot = screenshots.take()) {
    if (shot->error.empty()) continue;
    complain(shot->error);
    exitCode = Environment;
  }
  if (!context_.hasFlight()) {
    // Nothing needs saving, and a loading thread may take minutes to stop
    if (interrupted()) std::_Exit(Interrupted);
    return exitCode;
  }
  const Options& options = context_.options;
  if (!options.records.screenshot.empty() && !context_.records.pictureTaken) {
    const bool endsByItself =
        unattended(options) || (options.window.headless && context_.flight().player());
    if (endsByItself && exitCode == Ok) exitCode = interrupted() ? Interrupted : Environment;
    complain(fmt::format("the flight ended before frame {}: \"{}\" is not written",
                         options.records.screenshotFrame, options.records.screenshot.string()));
  }
  remember(context_);
  endRecords(context_);
  return exitCode;
}

}  // namespace nearmiss::app::fly
