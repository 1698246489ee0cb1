// SPDX-License-Identifier: MIT
#include "fly/recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <utility>

#include "fly/renderer.h"

namespace nearmiss::app {

std::filesystem::path freshFile(const std::string& stem, const std::string& suffix) {
  const std::string base =
      fmt::format("{}-{:%Y%m%d-%H%M%S}", stem, fmt::localtime(std::time(nullptr)));
  std::filesystem::path file = base + suffix;
  for (int n = 2; std::filesystem::exists(file) && n < 100; ++n)
    file = fmt::format("{}-{}{}", base, n, suffix);
  return file;
}

Result<Success> Recorder::begin(const Options& options, const engine::RecordHead& head) {
  if (!options.profile.empty()) {
    auto writer = engine::ProfileWriter::open(options.profile, head);
    if (!writer) return writer.error();
    byOption_ = std::make_unique<engine::ProfileWriter>(*std::move(writer));
  }
  if (!options.summary.empty()) summary_ = std::make_unique<engine::RunSummary>();
  tracing_ = !options.trace.empty();
  return Success{};
}

void Recorder::add(const engine::FrameProfile& frame) {
  if (byOption_) byOption_->add(frame);
  if (byKey_) byKey_->add(frame);
  if (summary_) summary_->add(frame);
  if (tracing_) traced_.push_back(frame);
}

Result<Success> Recorder::finish(const Options& options, const engine::RecordHead& head,
                                 std::uint64_t stateHash) {
  if (byKey_) {
    if (auto closed = std::exchange(byKey_, nullptr)->close(); !closed) return closed;
  }
  if (byOption_) {
    if (auto closed = std::exchange(byOption_, nullptr)->close(); !closed) return closed;
  }
  if (summary_) {
    if (auto written = summary_->write(options.summary, head, stateHash); !written) return written;
  }
  if (tracing_) return engine::writeTrace(options.trace, traced_);
  return Success{};
}

Result<std::filesystem::path> Recorder::toggle(const engine::RecordHead& head) {
  if (byKey_) {
    auto closed = std::exchange(byKey_, nullptr)->close();
    if (!closed) return closed.error();
    return file_;
  }
  file_ = freshFile("nearmiss-profile", ".csv");
  auto writer = engine::ProfileWriter::open(file_, head);
  if (!writer) return writer.error();
  byKey_ = std::make_unique<engine::ProfileWriter>(*std::move(writer));
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
