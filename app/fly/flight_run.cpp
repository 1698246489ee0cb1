// SPDX-License-Identifier: MIT
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "fly/flight_loop.h"

namespace nearmiss::app {

void FlightLoop::toggleRun() {
  if (run_.running()) {
    run_.giveUp();
    say("run", "the run is given up");
    return;
  }
  // Points are for one flight
  leaveSplit();
  if (restart(flight_->scene().seed)) beginRun();
}

/// From the start of a scene, at normal speed: so that runs can be compared.
void FlightLoop::beginRun() {
  run_.begin();
  ui_.runEnd = false;
  ui_.paused = false;
  ui_.speedExponent = 0;
}

/// Takes up the frame that was flown.
void FlightLoop::followRun(Clock::Duration budget) {
  const bool over = run_.take(*flight_, budget, ui_.levelCap);
  // The panel of a run tells them, where it stands
  if (!run_.running() || ui_.overlay == OverlayMode::Off)
    for (const std::string& event : run_.events()) say("event", event);
  if (over) endRun();
}

void FlightLoop::endRun() {
  engine::BestRun run = run_.result(flight_->scene());
  run.date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)));
  engine::SessionWriter& session = changeover_.session();
  engine::SessionSaving save;
  if (session.knowsStart())
    save = [&session](const std::filesystem::path& file) { return session.saveCopy(file); };
  const std::filesystem::path folder = engine::bestRunsFolder();
  engine::KeptRun kept;
  if (folder.empty())
    toasts_.add("the run is not kept: there is no home folder", wallSeconds(),
                Toasts::Kind::Warning);
  else if (auto written = engine::keepRun(folder, run, save))
    kept = *std::move(written);
  else
    toasts_.add("the run is not kept: " + written.error().message, wallSeconds(),
                Toasts::Kind::Warning);
  if (!kept.table.note.empty()) toasts_.add(kept.table.note, wallSeconds(), Toasts::Kind::Warning);

  runPage_ = runPage(run_.score(), run, kept.table, kept.rank);
  runTitle_ = fmt::format("The run is over: {} points{}", run.points,
                          kept.rank ? fmt::format(", number {} of the best", *kept.rank + 1) : "");
  ui_.runEnd = true;
  ui_.paused = true;
  ui_.scroll = 0.0f;
}

}  // namespace nearmiss::app
