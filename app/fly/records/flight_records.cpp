// SPDX-License-Identifier: MIT
#include "fly/records/flight_records.h"

#include <SDL_misc.h>
#include <engine/base/threads.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <system_error>
#include <utility>

#include "console/complaint.h"
#include "fly/flight_context.h"
#include "fly/gfx/renderer.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {

std::filesystem::path freshFile(const std::string& stem, const std::string& suffix) {
  const std::string base =
      fmt::format("{}-{:%Y%m%d-%H%M%S}", stem, fmt::localtime(std::time(nullptr)));
  std::filesystem::path file = base + suffix;
  for (int n = 2; std::filesystem::exists(file) && n < 100; ++n)
    file = fmt::format("{}-{}{}", base, n, suffix);
  return file;
}

std::string withRemedy(const std::string& fault) {
  std::error_code failed;
  const std::string folder = std::filesystem::current_path(failed).string();
  return fmt::format(
      "{}; files go to the folder that nearmiss was started in{}: start it in one that takes files",
      fault, failed ? "" : ", \"" + folder + "\"");
}

std::string withAdvice(const Error& fault) {
  return fault.code == ErrorCode::Unreadable ? withRemedy(fault.message) : fault.message;
}

Result<Success> Recorder::begin(const Options& options, const engine::RecordHead& head) {
  auto opened = openRecords(options, head);
  if (!opened) return opened.error();
  byOption_ = *std::move(opened);
  if (!options.records.summary.empty()) summary_.emplace();
  return Success{};
}

void Recorder::add(const engine::FrameProfile& frame, engine::PairCalls* calls) {
  if (byOption_.profile) byOption_.profile->add(frame);
  if (byKey_) byKey_->add(frame);
  if (byOption_.trace) byOption_.trace->add(frame);
  if (summary_) summary_->add(frame);
  if (!calls) return;
  if (byOption_.calls) byOption_.calls->add(calls->calls(), frame.wallSeconds);
  calls->clear();
}

Result<Success> Recorder::finish(const Options& options, const engine::RecordHead& head,
                                 std::uint64_t stateHash) {
  // Continue after a failure
  Result<Success> whole = Success{};
  const auto note = [&whole](Result<Success> written) {
    if (whole) whole = std::move(written);
  };
  OpenRecords ending = std::exchange(byOption_, {});
  if (auto ended = std::exchange(byKey_, std::nullopt)) note(ended->close());
  if (ending.profile) note(ending.profile->close());
  if (ending.trace) note(ending.trace->close());
  if (ending.calls) note(ending.calls->close());
  if (summary_) note(summary_->write(options.records.summary, head, stateHash));
  return whole;
}

Result<std::filesystem::path> Recorder::toggle(const engine::RecordHead& head) {
  if (byKey_) {
    auto closed = std::exchange(byKey_, std::nullopt)->close();
    if (!closed) return closed.error();
    return file_;
  }
  file_ = freshFile("nearmiss-profile", ".csv");
  auto writer = engine::ProfileWriter::open(file_, head);
  if (!writer) return Error{writer.error().code, withRemedy(writer.error().message)};
  byKey_ = *std::move(writer);
  return file_;
}

void ScreenshotWorker::write(std::filesystem::path file, int width, int height,
                             std::vector<std::uint8_t> rgb) {
  wait();
  collect();
  outcome_ = {std::move(file), {}};
  rgb_ = std::move(rgb);
  const auto encode = [this, width, height] {
    try {
      const auto written = writePng(outcome_.file, width, height, rgb_);
      if (!written) outcome_.error = written.error().message;
    } catch (const std::exception& fault) {
      outcome_.error = fault.what();
    }
    done_ = true;
  };
  thread_ = engine::startThread(encode);
  if (!thread_.joinable()) encode();  // one late frame is better than no picture
}

void ScreenshotWorker::writeFresh(const std::string& stem, int width, int height,
                                  std::vector<std::uint8_t> rgb) {
  // Wait first, so that the previous name is taken
  wait();
  write(freshFile(stem, ".png"), width, height, std::move(rgb));
}

/// Stores the result of the last picture if it is finished.
void ScreenshotWorker::collect() {
  if (!done_) return;
  wait();
  done_ = false;
  ended_.push_back(std::move(outcome_));
}

std::optional<ScreenshotWorker::Outcome> ScreenshotWorker::take() {
  collect();
  if (ended_.empty()) return std::nullopt;
  Outcome first = std::move(ended_.front());
  ended_.pop_front();
  return first;
}

void ScreenshotWorker::wait() {
  if (thread_.joinable()) thread_.join();
}

namespace {

engine::RecordHead headOf(const FlightContext& context) {
  const Flight& flight = context.flight();
  return engine::recordHead(engine::commitName(), flight.scene(), flight.shapes(),
                            context.screen.driver.renderer, paced(context));
}

/// Display time of a picture [s]; in a replay, whose frames may differ, their mean.
double pictureLength(const Flight& flight) {
  const double usual = engine::frameStep(flight.scene());
  if (!flight.player()) return usual;
  const engine::RecordedSession& session = flight.player()->session();
  return session.seconds() > 0.0 ? session.seconds() / static_cast<double>(session.frames())
                                 : usual;
}

void beginFilm(FlightContext& context) {
  if (context.options.records.video.empty()) return;
  auto film = Film::begin(context.options.records.video, context.screen.width,
                          context.screen.height, pictureLength(context.flight()));
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
  if (!options.records.session.empty())
    if (auto kept = context.flightManager.session().startFile(options.records.session); !kept)
      context.fail(kept.error(), context.flightManager.session().refusal().empty()
                                     ? Environment
                                     : BadModelOrScene);
  beginFilm(context);
  // The table is for one set of models, so only the first flight is timed
  if (!options.records.calls.empty())
    if (auto timed = context.flight().timePairs(); !timed) context.fail(timed.error());
}

void endRecords(FlightContext& context) {
  const std::uint64_t hash = engine::stateHash(context.flight().world().ships());
  const auto check = [&context](const Result<Success>& written) {
    if (!written) context.ending.exitCode = complain(written.error(), Environment);
  };
  FlightRecords& records = context.records;
  check(records.recorder.finish(context.options, headOf(context), hash));
  if (records.film) check(records.film->end());
  check(context.flightManager.session().close());
  if (context.options.window.headless) fmt::print("state 0x{:016x}\n", hash);
}

void noteFile(FlightContext& context, std::string_view words, const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(file, failed);
  context.toasts.offer(
      "file", fmt::format("{} {}", words, (failed ? file : whole).string()), "Open folder",
      [folder = whole.parent_path()](FlightContext& opener) {
        if (SDL_OpenURL(("file://" + folder.string()).c_str()) != 0)
          opener.warn(fmt::format("no program here opens folders: {}", folder.string()));
      },
      context.times.wallSeconds());
}

void toggleRecording(FlightContext& context) {
  Recorder& recorder = context.records.recorder;
  if (context.modes.split.on() && !recorder.recording()) {
    context.say("split", "frame times are recorded in one view only; leave the split view first");
    return;
  }
  const auto file = recorder.toggle(headOf(context));
  if (!file)
    context.warn(file.error().message);
  else
    noteFile(context, recorder.recording() ? "recording" : "recorded", *file);
}

void toggleSession(FlightContext& context) {
  engine::SessionWriter& session = context.flightManager.session();
  std::filesystem::path& file = context.records.sessionFile;
  if (context.replays()) {
    context.note("this flight is a recording. Press Enter to fly on, then record that flight");
  } else if (session.writing()) {
    const std::uint64_t frames = session.framesInFile();
    if (!context.warnIfFailed(session.close()))
      noteFile(context, fmt::format("{} frames recorded; nearmiss replay", frames),
               file.empty() ? context.options.records.session : file);
  } else if (!session.refusal().empty()) {
    context.warn(std::string(session.refusal()));
  } else if (!session.includesStart()) {
    context.warn("the flight is too long to be recorded from its start: R restarts it");
  } else {
    file = freshFile("nearmiss-flight", ".session");
    if (auto opened = session.startFile(file); !opened)
      context.warn(withAdvice(opened.error()));
    else
      noteFile(context, "recording the flight from its start to", file);
  }
}

bool closeSessionFile(FlightContext& context) {
  engine::SessionWriter& session = context.flightManager.session();
  if (!session.writing()) return false;
  context.warnIfFailed(session.close());
  return true;
}

void reopenSessionFile(FlightContext& context) {
  std::filesystem::path& file = context.records.sessionFile;
  const bool named = file.empty();
  const std::filesystem::path before = named ? context.options.records.session : file;
  file = named ? freshFile((before.parent_path() / before.stem()).string(),
                           before.extension().string())
               : freshFile("nearmiss-flight", ".session");
  if (auto opened = context.flightManager.session().startFile(file); !opened)
    context.warn(withAdvice(opened.error()));
  else
    noteFile(context,
             fmt::format("\"{}\" is complete; the recording continues in", before.string()), file);
}

bool filmsScene(const FlightContext& context) noexcept {
  return context.records.film && !context.script;
}

void addToFilm(FlightContext& context, const Canvas& canvas, bool withPanels) {
  std::optional<Film>& film = context.records.film;
  if (!film || withPanels == filmsScene(context)) return;
  if (withPanels ? !scriptRuns(context) : !context.times.advanced) return;
  const int width = context.screen.width, height = context.screen.height;
  if (auto added = film->add(width, height, canvas.renderer().readPixels(width, height)); !added) {
    film.reset();
    // A film by a key is not what the program was started for
    if (context.options.records.video.empty())
      context.warn(added.error().message);
    else
      context.fail(added.error(), Environment);
  }
}

namespace {

bool pictureByOptionIsDue(const FlightContext& context) {
  const auto& wanted = context.options.records;
  return context.times.advanced && !wanted.screenshot.empty() &&
         context.times.profile.frame == wanted.screenshotFrame;
}

}  // namespace

bool needsEveryPicture(const FlightContext& context) noexcept {
  const FlightRecords& records = context.records;
  return records.film || (!context.options.records.screenshot.empty() && !records.pictureTaken);
}

bool screenshotIsDue(const FlightContext& context) {
  return context.records.screenshotRequested || pictureByOptionIsDue(context);
}

void takeScreenshot(FlightContext& context, const Canvas& canvas) {
  FlightRecords& records = context.records;
  const Options& options = context.options;
  const bool byOption = pictureByOptionIsDue(context);
  records.pictureTaken = records.pictureTaken || byOption;
  if (!byOption && !std::exchange(records.screenshotRequested, false)) return;
  const int width = context.screen.width, height = context.screen.height;
  std::vector<std::uint8_t> rgb = canvas.renderer().readPixels(width, height);
  if (byOption)
    records.screenshots.write(options.records.screenshot, width, height, std::move(rgb));
  else
    records.screenshots.writeFresh("nearmiss", width, height, std::move(rgb));
}

void reportScreenshots(FlightContext& context) {
  while (const auto shot = context.records.screenshots.take()) {
    if (shot->error.empty()) {
      noteFile(context, "screenshot:", shot->file);
    } else if (shot->file != context.options.records.screenshot) {
      context.warn(withRemedy(shot->error));
    } else {
      // A user of the command line may not see the window
      context.warn(shot->error);
      complain(shot->error);
      context.ending.exitCode = Environment;
    }
  }
}

}  // namespace nearmiss::app::fly
