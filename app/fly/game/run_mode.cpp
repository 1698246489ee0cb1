// SPDX-License-Identifier: MIT
#include "fly/game/run_mode.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "fly/flight_context.h"

namespace nearmiss::app {

void RunMode::toggle(FlightContext& context) {
  if (run_.running()) {
    giveUp(context);
    return;
  }
  // Points are for one flight
  context.modes.split.leave(context);
  if (context.restart(context.flight().scene().seed)) begin(context);
}

void RunMode::giveUp(FlightContext& context) {
  if (!run_.running()) return;
  run_.giveUp();
  context.say("run", "the run is given up");
}

void RunMode::beginAgain(FlightContext& context) {
  if (run_.running() || context.ui.runEnd) begin(context);
}

/// From the start of a scene, at normal speed: so that runs can be compared.
void RunMode::begin(FlightContext& context) {
  run_.begin();
  context.ui.runEnd = false;
  context.ui.paused = false;
  context.ui.speedExponent = 0;
}

void RunMode::follow(FlightContext& context, Clock::Duration budget) {
  const bool over = run_.take(context.flight(), budget, context.ui.levelCap);
  // The panel of a run tells them, where it stands
  if (!run_.running() || context.ui.overlay == OverlayMode::Off)
    for (const std::string& event : run_.events()) context.say("event", event);
  if (over) end(context);
}

void RunMode::end(FlightContext& context) {
  engine::BestRun run = run_.result(context.flight().scene());
  run.date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)));
  engine::SessionWriter& session = context.changeover.session();
  engine::SessionSaving save;
  if (session.knowsStart())
    save = [&session](const std::filesystem::path& file) { return session.saveCopy(file); };
  const std::filesystem::path folder = engine::bestRunsFolder();
  engine::KeptRun kept;
  if (folder.empty())
    context.warn("the run is not kept: there is no home folder");
  else if (auto written = engine::keepRun(folder, run, save))
    kept = *std::move(written);
  else
    context.warn("the run is not kept: " + written.error().message);
  if (!kept.table.note.empty()) context.warn(kept.table.note);

  page_ = runPage(run_.score(), run, kept.table, kept.rank);
  const std::string rank = !kept.rank        ? std::string()
                           : *kept.rank == 0 ? std::string(", best run so far")
                                             : fmt::format(", rank {}", *kept.rank + 1);
  title_ = fmt::format("The run is over: {} points{}", run.points, rank);
  context.ui.runEnd = true;
  context.ui.paused = true;
  context.ui.scroll = 0.0f;
}

void RunMode::describe(FlightContext& context, OverlayView& view) {
  if (run_.running()) view.run = run_.view();
  if (context.ui.runEnd) view.runEnd = {title_, page_};
}

}  // namespace nearmiss::app
