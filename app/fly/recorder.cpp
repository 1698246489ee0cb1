// SPDX-License-Identifier: MIT
#include "fly/recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <system_error>
#include <utility>

#include "fly/gfx/renderer.h"

namespace nearmiss::app {

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

Result<Success> Recorder::begin(const Options& options, const engine::RecordHead& head) {
  auto opened = openRecords(options, head);
  if (!opened) return opened.error();
  byOption_ = *std::move(opened);
  if (!options.summary.empty()) summary_.emplace();
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
  // One that fails does not take the others with it
  Result<Success> whole = Success{};
  const auto note = [&whole](Result<Success> written) {
    if (whole) whole = std::move(written);
  };
  OpenRecords ending = std::exchange(byOption_, {});
  if (auto ended = std::exchange(byKey_, std::nullopt)) note(ended->close());
  if (ending.profile) note(ending.profile->close());
  if (ending.trace) note(ending.trace->close());
  if (ending.calls) note(ending.calls->close());
  if (summary_) note(summary_->write(options.summary, head, stateHash));
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
  done_ = false;
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
  try {
    thread_ = std::jthread(encode);
  } catch (const std::exception&) {
    encode();  // a frame late is better than no picture
  }
}

std::optional<ScreenshotWorker::Outcome> ScreenshotWorker::take() {
  if (!done_) return std::nullopt;
  wait();
  done_ = false;
  return outcome_;
}

void ScreenshotWorker::wait() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace nearmiss::app
