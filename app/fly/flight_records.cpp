// SPDX-License-Identifier: MIT
#include "fly/flight_records.h"

#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>

#include <utility>

#include "console/complaint.h"
#include "fly/canvas.h"
#include "fly/flight_context.h"

namespace nearmiss::app {
namespace {

engine::RecordHead headOf(const FlightContext& context) {
  const Flight& flight = context.flight();
  return engine::recordHead(engine::commitName(), flight.scene(), flight.shapes(),
                            context.screen.driver.renderer);
}

void beginFilm(FlightContext& context) {
  if (context.options.video.empty()) return;
  auto film = Film::begin(context.options.video, context.screen.width, context.screen.height,
                          engine::frameStep(context.flight().scene()));
  if (film)
    context.records.film.emplace(*std::move(film));
  else
    context.fail(film.error(), Environment);
}

}  // namespace

void beginRecords(FlightContext& context) {
  const Options& options = context.options;
  if (auto begun = context.records.recorder.begin(options, headOf(context)); !begun)
    context.fail(begun.error(), Environment);
  if (!options.session.empty())
    if (auto kept = context.changeover.session().keepIn(options.session); !kept)
      context.fail(kept.error(), Environment);
  beginFilm(context);
  // Pairs of models that follow would not belong into the same table
  if (!options.calls.empty())
    if (auto timed = context.flight().timePairs(); !timed) context.fail(timed.error());
}

void endRecords(FlightContext& context) {
  const std::uint64_t hash = engine::stateHash(context.flight().world());
  const auto check = [&context](const Result<Success>& written) {
    if (!written) context.ending.exitCode = complain(written.error(), Environment);
  };
  FlightRecords& records = context.records;
  check(records.recorder.finish(context.options, headOf(context), hash));
  if (records.film) check(records.film->end());
  check(context.changeover.session().close());
  if (context.options.headless) fmt::print("state 0x{:016x}\n", hash);
}

void toggleRecording(FlightContext& context) {
  Recorder& recorder = context.records.recorder;
  const auto file = recorder.toggle(headOf(context));
  if (!file)
    context.warn(file.error().message);
  else
    context.note((recorder.recording() ? "recording " : "recorded ") + file->string());
}

void toggleSession(FlightContext& context) {
  engine::SessionWriter& session = context.changeover.session();
  std::filesystem::path& file = context.records.sessionFile;
  if (context.replays()) {
    context.note("this is a recorded session already; Enter flies on, and that can be recorded");
  } else if (session.writing()) {
    const std::uint64_t frames = session.framesInFile();
    if (auto closed = session.close(); !closed)
      context.warn(closed.error().message);
    else
      context.note(fmt::format("{} frames recorded: nearmiss replay {}", frames, file.string()));
  } else if (!session.knowsStart()) {
    context.warn("the flight is too long to be recorded from its start: R restarts it");
  } else {
    file = freshFile("nearmiss-flight", ".session");
    if (auto opened = session.keepIn(file); !opened)
      context.warn(withRemedy(opened.error().message));
    else
      context.note(fmt::format("recording the flight from its start to {}", file.string()));
  }
}

void addToFilm(FlightContext& context, const Canvas& canvas) {
  std::optional<Film>& film = context.records.film;
  if (!film || !context.times.advanced) return;
  const int width = context.screen.width, height = context.screen.height;
  if (auto added = film->add(width, height, canvas.renderer().readPixels(width, height)); !added) {
    film.reset();
    context.fail(added.error(), Environment);
  }
}

void takeScreenshot(FlightContext& context, const Canvas& canvas) {
  FlightRecords& records = context.records;
  const Options& options = context.options;
  const bool byOption = context.times.advanced && !options.screenshot.empty() &&
                        context.times.profile.frame == options.screenshotFrame;
  records.pictureTaken = records.pictureTaken || byOption;
  if (!byOption && !std::exchange(records.screenshotAsked, false)) return;
  const int width = context.screen.width, height = context.screen.height;
  records.screenshots.write(byOption ? options.screenshot : freshFile("nearmiss", ".png"), width,
                            height, canvas.renderer().readPixels(width, height));
}

void tellScreenshots(FlightContext& context) {
  const auto shot = context.records.screenshots.take();
  if (!shot) return;
  if (shot->error.empty())
    context.note("screenshot: " + shot->file.string());
  else
    context.warn(shot->file == context.options.screenshot ? shot->error : withRemedy(shot->error));
}

}  // namespace nearmiss::app
