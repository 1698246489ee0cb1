// SPDX-License-Identifier: MIT
#include "fly/flight_context.h"

#include <engine/flight/depth.h>
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "console/complaint.h"

namespace nearmiss::app::fly {
namespace {

/// For an error without a message, as in complain().
constexpr std::string_view noMemory = "not enough memory";

}  // namespace

int levelCapOf(const engine::Scene& scene) noexcept {
  return scene.maxLevel >= engine::exactDepth ? Detector::noLevelCap : scene.maxLevel;
}

FlightContext::FlightContext(const Options& given, Screen shown, SettingsMemory memory)
    : options(given), screen(std::move(shown)), flightManager(options) {
  const engine::Scene& scene = options.scene;
  ui.detection.budget.kind = scene.budget.kind;
  ui.detection.budget.fixed = scene.budget.fixed;
  ui.detection.eraMode = scene.budget.eraScale != 1.0;
  if (ui.detection.eraMode) ui.detection.budget.eraScale = scene.budget.eraScale;
  ui.detection.order = scene.order;
  ui.detection.levelCap = levelCapOf(scene);
  ui.detection.response = scene.response;
  restoreSettings(*this, std::move(memory));
}

void FlightContext::say(std::string topic, std::string text) {
  toasts.say(std::move(topic), std::move(text), times.wallSeconds());
}

void FlightContext::note(std::string text) { toasts.add(std::move(text), times.wallSeconds()); }

void FlightContext::warn(std::string text) {
  if (text.empty()) text = noMemory;
  toasts.add(std::move(text), times.wallSeconds(), Toasts::Kind::Warning);
}

void FlightContext::fail(const Error& error, ExitCode code) {
  ending.exitCode = complain(error, code);
  // Without a window nobody could read it
  if (options.window.headless || unattended(options))
    stop();
  else
    ending.failure = error.message.empty() ? std::string(noMemory) : error.message;
}

void FlightContext::show(const Change& change) {
  for (const std::string& text : change.notes) warn(text);
  if (!hasFlight()) {
    if (change.error) fail(*change.error);
    if (change.cancelled) stop();
    return;
  }
  if (change.error) warn(change.error->message);
  if (change.cancelled)
    say("tree", fmt::format("build cancelled; {} trees fly on", flight().inUse().trees));
  ui.detection.method = flight().inUse().method;
  if (change.flight) showFlight();
  if (change.first) beginFirst();
  if (change.trees) {
    const std::string cost = change.treeSeconds > 0.0
                                 ? fmt::format(", built in {:.1f} s", change.treeSeconds)
                                 : std::string(", from the cache");
    // A player need not know
    if (ui.view.overlay != OverlayMode::Player)
      say("tree", fmt::format("{} trees fly now{}", flight().inUse().trees, cost));
  }
  // Statistics of other trees or methods do not apply
  if (change.trees || change.method) times.statistics.reset();
  // The stop was prepared with the previous trees
  if (change.trees) modes.tour.repeatStop(*this);
  if (change.first && options.tour) modes.tour.toggle(*this);
  if (change.first && options.bench.size() == 2)
    modes.bench.enter(*this, {options.bench[0], options.bench[1]});
}

/// Adapts to other models in a new world.
void FlightContext::showFlight() {
  modes.rewind.forget();
  modes.tow.release();
  modes.passes.clear(*this);
  // The page of a run of another flight
  if (ui.pages.runEnd) ui.pages.runEnd = ui.pace.paused = false;
  ui.view.picked = {};
  modes.run.giveUp(*this);  // the run was of another flight
  modes.run.forgetPast();
  steering.throttle = {};
  resetMeasurements();
  modes.run.endReplay();
  if (const engine::SessionPlayer* player = flight().player()) modes.run.beginReplay(*player);
  modes.mission.beginAgain(*this);
  modes.duel.beginAgain(*this);
  modes.first.beginAgain(modes.hasGame());
  times.beginFrame();
  // The other half needs new trees
  modes.split.beginAgain(*this);
  modes.ghost.beginAgain(*this);
}

/// The first flight opens the files named by options.
void FlightContext::beginFirst() {
  if (options.leftHalf) modes.split.await();
  if (remembered.firstStart && !modes.hasGame() && !options.leftHalf && !options.tour &&
      options.bench.empty() && !replays())
    modes.first.begin();
  beginRecords(*this);
}

bool FlightContext::restart(std::uint64_t seed) {
  modes.rewind.forget();
  modes.passes.clear(*this);
  if (warnIfFailed(flight().restart(seed))) return false;
  modes.tow.release();
  modes.run.forgetPast();
  steering.throttle = {};
  resetMeasurements();
  ui.view.picked = {};
  modes.split.restart(*this);
  modes.ghost.beginAgain(*this);
  modes.run.beginAgain(*this);
  modes.mission.beginAgain(*this);
  modes.duel.beginAgain(*this);
  modes.first.beginAgain(modes.hasGame());
  return true;
}

void FlightContext::resetMeasurements() {
  view.clearMarks();
  modes.run.forgetNear();
  times.forget();
  // Another flight may have equal keys and times
  inspection.forget();
}

}  // namespace nearmiss::app::fly
